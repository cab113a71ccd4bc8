/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expected kind of an instruction, determined by its name in objdump.
 */
#ifndef KPROBES_TEST_MNEMONIC_H
#define KPROBES_TEST_MNEMONIC_H

/* A set of correct kinds. */
#define KIND(name)	(1ULL << PROBE_INSN_##name)

u64 mnemonic_kinds(const char *name, const char *operands);
bool mnemonic_is_data(const char *name);
bool mnemonic_is_undefined(const char *name);
bool operands_name_text(const char *operands);

#endif
