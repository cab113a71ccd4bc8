// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs: freed, asked, and brought up to date with the symbols they read.
 */
#include <linux/slab.h>

#include "program.h"

/**
 * fetch_program_free() - free what a program holds
 * @prog: a program, or one of zeros
 *
 * Context: may sleep.
 */
void fetch_program_free(struct fetch_program *prog)
{
	kfree(prog->steps);
	kfree(prog->text);
}

/**
 * fetch_program_can_fault() - can a program fail to fetch its value?
 * @prog: a compiled program
 *
 * Context: any.
 * Return: true if it can: it reads memory.
 */
bool fetch_program_can_fault(const struct fetch_program *prog)
{
	return prog->nr_steps || prog->source == FETCH_STACK ||
	       prog->source == FETCH_ENTRY_STACK || prog->source == FETCH_CALLER ||
	       prog->final == FETCH_STORE_MEMORY ||
	       prog->final == FETCH_STORE_STRING ||
	       prog->final == FETCH_STORE_STRINGS;
}

/**
 * fetch_program_resolve() - look up the symbol a program reads
 * @prog:	a compiled program; it may be running
 * @lookup:	the machine
 *
 * While its symbol is not there, or not unique, the program faults. A symbol that was found
 * stays, until prog->value is 0 again, although others of its name may come.
 *
 * Context: may sleep.
 * Return: 0, also for a program without a symbol; the look-up's error.
 */
int fetch_program_resolve(struct fetch_program *prog, const struct probe_lookup *lookup)
{
	unsigned long address = 0;
	int ret;

	if (prog->source != FETCH_SYMBOL || prog->value)
		return 0;
	ret = lookup->symbol_address(lookup, prog->text, &address);
	/* Pairs with READ_ONCE() in fetch_run_source(). */
	WRITE_ONCE(prog->value, ret ? 0 : address);
	return ret;
}
