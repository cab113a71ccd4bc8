#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Breaks one line at a time in a copy of the backend and runs the tests:
# mutants.sh ROOT KTREE SCRATCH. Each mistake must fail a test, and no mistake none.
root=$(realpath "$1")
ktree=$(realpath "$2")
scratch=$3
here=tools/testing/kprobes/insn/x86
backend=arch/x86/kernel/kprobes
survived=0

mkdir -p "$scratch/$backend" "$scratch/$here"
scratch=$(realpath "$scratch")

# A test that does not end in time has seen nothing
caught_by()
{
	for test in model differ fuzz; do
		timeout 60 "$scratch/out/$test" > "$scratch/log" 2>&1
		case $? in
		0 | 124) ;;
		*) printf ' %s' "$test" ;;
		esac
	done
}

# build SED FILE: the tests, with a copy of the backend that SED has changed
build()
{
	rm -rf "${scratch:?}/$backend" "${scratch:?}/$here"
	mkdir -p "$scratch/$backend" "$scratch/$here"
	cp "$root/$backend/"*.[ch] "$scratch/$backend"
	mkdir -p "$scratch/arch/x86/include/asm"
	cp "$root/arch/x86/include/asm/probe_insn.h" "$scratch/arch/x86/include/asm"
	cp -r "$root/$here/." "$scratch/$here"
	sed -i "$1" "$scratch/$backend/$2"
	make -s -C "$scratch/$here" OUT="$scratch/out" KTREE="$ktree" \
		EXTRA=-w "$scratch/out/model" "$scratch/out/differ" \
		"$scratch/out/fuzz"
}

# mutant NAME FILE SED
mutant()
{
	if ! build "$3" "$2" || cmp -s "$root/$backend/$2" "$scratch/$backend/$2"; then
		echo "not ok mutant: $1: cannot be made"
		survived=$((survived + 1))
		return
	fi
	by=$(caught_by 2>/dev/null)
	if [ -n "$by" ]; then
		echo "ok mutant: $1: seen by$by"
	else
		echo "not ok mutant: $1: survived"
		survived=$((survived + 1))
	fi
}

if ! build '' emulate.c || [ -n "$(caught_by 2>/dev/null)" ]; then
	echo "not ok mutants: the tests fail without a mistake"
	exit 1
fi
mutant "cs call pushes the address + 5" emulate.c \
	's/^		push_word(regs, next);/		push_word(regs, next - pi->length + 5);/'
mutant "loop tests the count before the decrement" emulate.c \
	's/	if (!regs->cx)$/	if (regs->cx + 1 == 0)/'
mutant "loop on ecx keeps the upper half" emulate.c \
	's/	regs->cx = get_count(pi, regs);$/	;/'
mutant "ret imm16 drops nothing" emulate.c \
	's/sizeof(target) + pi->disp/sizeof(target)/'
mutant "call *%rsp takes rsp after the push" emulate.c \
	's/^	regs->ip = target;/	regs->ip = target == regs->sp + 8 ? regs->sp : target;/'
mutant "jle is an and" emulate.c \
	's/zero || sign != overflow/zero \&\& sign != overflow/'
mutant "a displacement is one unsigned byte" classify.c \
	's/		pi->disp = insn->immediate.value;/		pi->disp = insn->immediate.bytes[0];/'
mutant "a RIP-relative operand stays as it is" relocate.c \
	's/(s64)pi->disp + (s64)(from - to)/(s64)pi->disp/'
mutant "the branch back is off by one" relocate.c \
	's/to + len, from + len/to + len, from + len + 1/'
mutant "the reach is off by one" relocate.c \
	's/value <= S32_MAX/value < S32_MAX/'
mutant "popf loses NT" emulate.c \
	's/X86_EFLAGS_NT | X86_EFLAGS_AC/X86_EFLAGS_AC/'
mutant "popfw reaches the upper flags" emulate.c \
	's/changed &= U16_MAX/changed \&= ~0ul/'
mutant "the scale is ignored" emulate.c \
	's/ << pi->scale//'
mutant "push %rsp pushes the new rsp" emulate.c \
	's/push_word(regs, regs->sp);/push_word(regs, regs->sp - 8);/'
mutant "a target need not be canonical" emulate.c \
	's/	if (!is_canonical(target))/	if (!is_canonical(target >> 16))/'
mutant "an operand in user space is read" emulate.c \
	's/ && address >= TASK_SIZE_MAX + PAGE_SIZE &&/ \&\&/'
mutant "mov to %ss is copied" kind.c \
	's/\[2\] = PROBE_INSN_STACK_SEGMENT/[2] = C/'
mutant "what follows sti is accepted" refuse.c \
	's/PROBE_INSN_STI ||/PROBE_INSN_CLI ||/'
mutant "a foreign int3 is read through" boundary.c \
	's/!may_precede_padding(prev);/!(may_precede_padding(prev) || true);/'

if [ "$survived" = 0 ]; then
	echo "ok mutants: all seen"
else
	echo "not ok mutants: $survived survived"
fi
exit "$survived"
