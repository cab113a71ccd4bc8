// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stack traces that begin at the registers of a handler. These hold the address behind an
 * int3. If the probed instruction is a push of one byte, the next one begins there, and has
 * another stack. A trace that begins with that one ends early, as on stock.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <asm/unwind.h>
#include "unwind_places.h"

/* A place, and how many words are between the stack pointer and the return address there */
struct unwind_place {
	const char	*name;
	const u8	*addr;
	unsigned int	words;
};

static const struct unwind_place unwind_places[] = {
	{ "push of one byte", unwind_push, 0 },
	{ "push of two bytes", unwind_long_push, 1 },
	{ "pop of two bytes", unwind_long_pop, 2 },
	{ "pop of one byte", unwind_pop, 1 },
	{ "ret", unwind_ret, 0 },
};

static unsigned long unwind_caller, unwind_found;
static unsigned int unwind_words;

static int unwind_from_handler(struct kprobe *p, struct pt_regs *regs)
{
	struct unwind_state state;

	unwind_caller = ((unsigned long *)regs->sp)[unwind_words];
	unwind_start(&state, current, regs, NULL);
	unwind_found = unwind_get_return_address(&state);
	return 0;
}

/* Does the frame of this function follow that of the probed one? */
static void check_place(struct kunit *test, const struct unwind_place *place)
{
	struct kprobe kp = {
		.addr = (kprobe_opcode_t *)place->addr,
		.pre_handler = unwind_from_handler,
	};

	unwind_found = 0;
	unwind_words = place->words;
	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&kp), 0, "%s", place->name);
	KUNIT_EXPECT_EQ_MSG(test, unwind_function(41), 42, "%s", place->name);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_NE_MSG(test, unwind_found, 0, "%s", place->name);
	KUNIT_EXPECT_EQ_MSG(test, unwind_found, unwind_caller, "%s", place->name);
}

static void test_unwind_places(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(unwind_places); i++)
		check_place(test, &unwind_places[i]);
}

static struct kunit_case unwind_cases[] = {
	KUNIT_CASE(test_unwind_places),
	{}
};

static struct kunit_suite unwind_suite = {
	.name = "kprobes_unwind",
	.test_cases = unwind_cases,
};

kunit_test_suite(unwind_suite);

MODULE_DESCRIPTION("KUnit tests of stack traces from handlers");
MODULE_LICENSE("GPL");
