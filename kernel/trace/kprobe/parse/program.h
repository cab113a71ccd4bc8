/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Program: how one argument is fetched when the probe is hit.
 *
 * A program is a straight line. It gets a word from somewhere (the source). For each step
 * it replaces the word by the word in memory at the word plus an offset. It ends in one of
 * a few ways (the final) that store the value:
 *
 *	+8(-16(%di)):u32	source REGISTER di; step -16; final MEMORY +8, 4 bytes
 *	%di:u32			source REGISTER di; final WORD
 *	+0(@sym):string		source SYMBOL sym; step 0; final STRING +0
 *
 * Constants are resolved when the program is compiled. A hit does arithmetic and reads
 * memory, nothing else.
 */
#ifndef _TRACE_KPROBE_PROGRAM_H
#define _TRACE_KPROBE_PROGRAM_H

#include <linux/types.h>

#include "lookup.h"

#define PROBE_MAX_DEREFS	14	/* memory reads in one program */

/**
 * enum fetch_when - when a program runs
 * @FETCH_AT_ENTRY:	when the function is entered: its arguments are where it gets them
 * @FETCH_AT_HIT:	when the probe is hit, elsewhere
 * @FETCH_AT_RETURN:	when the function returns: its return value is there
 */
enum fetch_when {
	FETCH_AT_ENTRY,
	FETCH_AT_HIT,
	FETCH_AT_RETURN,
};

/**
 * enum fetch_source - where a program's first word comes from; beyond FETCH_TEXT: rarely
 * @FETCH_REGISTER:	the register at offset @where of struct pt_regs; also
 *			$retval, and parameters that are passed in one
 * @FETCH_STACK:	word @where of the kernel stack; also parameters beyond
 * @FETCH_ENTRY:	word @where of those kept when the function was entered
 * @FETCH_ENTRY_STACK:	the same, a word that was on the stack then
 * @FETCH_STACK_ADDRESS: the stack pointer ($stack)
 * @FETCH_VALUE:	@value itself
 * @FETCH_SYMBOL:	@value, the address of symbol @text; a fault while it is 0, which
 *			it is as long as the symbol's module is not loaded
 * @FETCH_COMM:		no word: the final is FETCH_STORE_COMM
 * @FETCH_TEXT:		no word: the final is FETCH_STORE_LITERAL
 * @FETCH_CALLER:	the address that the function returns to; @when says where it is
 * @FETCH_KEPT:		the address, in the kernel, of the value that was kept at offset
 *			@where when the function was entered
 */
enum fetch_source {
	FETCH_REGISTER,
	FETCH_STACK,
	FETCH_ENTRY,
	FETCH_ENTRY_STACK,
	FETCH_STACK_ADDRESS,
	FETCH_VALUE,
	FETCH_SYMBOL,
	FETCH_COMM,
	FETCH_TEXT,
	FETCH_CALLER,
	FETCH_KEPT,
};

/**
 * enum fetch_final - how a program ends
 * @FETCH_STORE_WORD:	store the low bytes of the word
 * @FETCH_STORE_MEMORY:	store count (or one) values read at word + offset
 * @FETCH_STORE_STRING:	store the string at word + offset
 * @FETCH_STORE_STRINGS: store count strings; the pointers to them are an array
 *			of words at word + offset
 * @FETCH_STORE_SYMSTR:	store as text the symbol the word is the address of
 * @FETCH_STORE_COMM:	store the name of the current task
 * @FETCH_STORE_LITERAL: store program @text
 */
enum fetch_final {
	FETCH_STORE_WORD,
	FETCH_STORE_MEMORY,
	FETCH_STORE_STRING,
	FETCH_STORE_STRINGS,
	FETCH_STORE_SYMSTR,
	FETCH_STORE_COMM,
	FETCH_STORE_LITERAL,
};

/**
 * struct fetch_step - one inner dereference: word = *(word + offset)
 * @offset:	added before the read
 * @user:	the word is read from user memory
 */
struct fetch_step {
	long	offset;
	bool	user;
};

/**
 * struct fetch_program - how one argument is fetched
 * @source:	enum fetch_source: where the first word comes from
 * @final:	enum fetch_final: how it ends
 * @when:	enum fetch_when: when it runs
 * @nr_steps:	number of @steps
 * @user:	the final reads values, or the pointers of an array of strings, from user memory
 * @user_text:	the final's strings are in user memory
 * @text_max:	bytes that the final's string can have with its NUL, if it is a C array of
 *		known size; or 0
 * @where:	see enum fetch_source
 * @value:	see enum fetch_source; only fetch_program_resolve() changes it
 * @offset:	the final's offset
 * @text:	name of the symbol, or the literal string; owned
 * @steps:	inner dereferences in the order they are made; owned
 *
 * Element size, count and bitfield are those of the argument's type. Its argument owns a
 * program. All members are [I], except @value of FETCH_SYMBOL, which is [R]:
 * fetch_program_resolve() writes it with WRITE_ONCE(), hits read it with READ_ONCE().
 */
struct fetch_program {
	u8			source;
	u8			final;
	u8			when;
	u8			nr_steps;
	bool			user;
	bool			user_text;
	u16			text_max;
	unsigned int		where;
	unsigned long		value;
	long			offset;
	char			*text;
	struct fetch_step	*steps;
};

/**
 * fetch_source_is_word() - does a source read a word that the hit has, and no constant?
 * @source: the source
 *
 * Context: any.
 * Return: true for registers, stack words, arguments and the caller.
 */
static inline bool fetch_source_is_word(enum fetch_source source)
{
	return source <= FETCH_ENTRY_STACK || source == FETCH_CALLER;
}

/**
 * fetch_source_is_entry() - does a source read a word that was kept at the entry?
 * @source: the source
 *
 * Context: any.
 * Return: true if it does.
 */
static inline bool fetch_source_is_entry(enum fetch_source source)
{
	return source == FETCH_ENTRY || source == FETCH_ENTRY_STACK;
}

/**
 * struct fetch_kept - a word that a return probe keeps when the function is entered
 * @word: the word
 * @is_valid: it could be read
 */
struct fetch_kept {
	unsigned long	word;
	bool		is_valid;
};

/**
 * struct fetch_kept_value - a value that a return probe keeps when the function is entered
 * @is_valid: it could be read
 * @bytes: the value
 */
struct fetch_kept_value {
	unsigned long	is_valid;
	char		bytes[];
};

void fetch_program_free(struct fetch_program *prog);
bool fetch_program_can_fault(const struct fetch_program *prog);
int fetch_program_resolve(struct fetch_program *prog, const struct probe_lookup *lookup);

#endif /* _TRACE_KPROBE_PROGRAM_H */
