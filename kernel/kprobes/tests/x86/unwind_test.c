// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stack traces that begin at the registers of a handler. These hold the address behind an
 * int3. If the probed instruction is a push of one byte, the next one begins there, and has
 * another stack. A trace that begins with that one ends early, as on stock. Post-handlers see
 * the stack of the next instruction.
 *
 * Other traces begin where a function with a return probe has just returned, at the first
 * instruction of the trampoline, whose address is no longer on the stack; or at address 0,
 * after a call of a pointer to no function; or within the detour of a jump, which pushes the
 * registers that the probed code has. A task can be preempted there, and live patching must see
 * all of its callers.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <asm/text-patching.h>
#include <asm/unwind.h>
#include "../../window.h"
#include "unwind_places.h"

/* A place, and how many words are between the stack pointer and the return address there */
struct unwind_place {
	const char	*name;
	const u8	*addr;
	unsigned int	words;
	int		pushed;		/* words that it pushes, or pops if less than 0 */
};

static const struct unwind_place unwind_places[] = {
	{ "push of one byte", unwind_push, 0, 1 },
	{ "push of two bytes", unwind_long_push, 1, 1 },
	{ "pop of two bytes", unwind_long_pop, 2, -1 },
	{ "pop of one byte", unwind_pop, 1, -1 },
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

/* A trace of the handler's own, as dump_stack() makes: it goes through the hit */
static int unwind_through_hit(struct kprobe *p, struct pt_regs *regs)
{
	struct unwind_state state;

	unwind_caller = ((unsigned long *)regs->sp)[unwind_words];
	unwind_start(&state, current, NULL, NULL);
	while (!unwind_done(&state)) {
		if (unwind_get_return_address(&state) == unwind_caller)
			unwind_found = unwind_caller;
		unwind_next_frame(&state);
	}
	return 0;
}

/* As if an interrupt had come in the handler: no probe is running then */
static int unwind_from_interrupt(struct kprobe *p, struct pt_regs *regs)
{
	__preempt_count_add(HARDIRQ_OFFSET);
	unwind_through_hit(p, regs);
	__preempt_count_sub(HARDIRQ_OFFSET);
	return 0;
}

/* Does the frame of this function follow that of the probed one? */
static void check_place(struct kunit *test, const struct unwind_place *place,
			kprobe_pre_handler_t handler)
{
	struct kprobe kp = {
		.addr = (kprobe_opcode_t *)place->addr,
		.pre_handler = handler,
	};

	unwind_found = 0;
	unwind_words = place->words;
	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&kp), 0, "%s", place->name);
	KUNIT_EXPECT_EQ_MSG(test, unwind_function(41), 42, "%s", place->name);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_NE_MSG(test, unwind_found, 0, "%s", place->name);
	KUNIT_EXPECT_EQ_MSG(test, unwind_found, unwind_caller, "%s", place->name);
}

static void unwind_from_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	unwind_from_handler(p, regs);
}

static void test_unwind_post(struct kunit *test)
{
	const struct unwind_place *place;
	struct kprobe kp;

	for (place = unwind_places; place->pushed; place++) {
		kp = (struct kprobe){
			.addr = (kprobe_opcode_t *)place->addr,
			.post_handler = unwind_from_post,
		};
		unwind_found = 0;
		unwind_words = place->words + place->pushed;
		KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&kp), 0, "%s", place->name);
		KUNIT_EXPECT_EQ_MSG(test, unwind_function(41), 42, "%s", place->name);
		unregister_kprobe(&kp);
		KUNIT_EXPECT_NE_MSG(test, unwind_found, 0, "%s", place->name);
		KUNIT_EXPECT_EQ_MSG(test, unwind_found, unwind_caller, "%s", place->name);
	}
}

static void test_unwind_places(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(unwind_places); i++)
		check_place(test, &unwind_places[i], unwind_from_handler);
}

static void test_unwind_through(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(unwind_places); i++)
		check_place(test, &unwind_places[i], unwind_through_hit);
	for (i = 0; i < ARRAY_SIZE(unwind_places); i++)
		check_place(test, &unwind_places[i], unwind_from_interrupt);
}

static int unwind_nothing(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}

/* One call of the function, with a probe */
static void unwind_once(struct kunit *test, struct kprobe *kp)
{
	KUNIT_ASSERT_EQ(test, register_kprobe(kp), 0);
	KUNIT_EXPECT_EQ(test, unwind_function(41), 42);
	unregister_kprobe(kp);
}

/* As unwind_from_handler(), with the registers after the ret that is probed */
static int unwind_from_return(struct kprobe *p, struct pt_regs *regs)
{
	struct pt_regs returned = *regs;
	struct unwind_state state;

	returned.ip = *(unsigned long *)regs->sp;
	returned.sp += sizeof(long);
	unwind_caller = returned.ip;
	unwind_start(&state, current, &returned, NULL);
	unwind_found = unwind_get_return_address(&state);
	return 0;
}

/* As if a pointer to no function had been called where the ret is */
static int unwind_from_null(struct kprobe *p, struct pt_regs *regs)
{
	struct pt_regs called = *regs;

	called.ip = 0;
	return unwind_from_handler(p, &called);
}

static void test_unwind_null(struct kunit *test)
{
	struct kprobe kp = {
		.addr = (kprobe_opcode_t *)unwind_ret,
		.pre_handler = unwind_from_null,
	};

	unwind_found = 0;
	unwind_words = 0;
	unwind_once(test, &kp);
	KUNIT_EXPECT_NE(test, unwind_found, 0);
	KUNIT_EXPECT_EQ(test, unwind_found, unwind_caller);
}

/* The only call of the function in the test, however often the compiler unrolls its loop */
static noinline int unwind_call(int value)
{
	int ret = unwind_function(value);

	barrier();
	return ret;
}

static void test_unwind_return(struct kunit *test)
{
	struct kprobe kp = {
		.addr = (kprobe_opcode_t *)unwind_ret,
		.pre_handler = unwind_from_handler,
	};
	struct kretprobe rp = {
		.kp.addr = (kprobe_opcode_t *)unwind_function,
		.handler = unwind_nothing,
	};
	unsigned long caller = 0, found = 0;
	int i;

	unwind_words = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, unwind_call(41), 42);
		caller = caller ?: unwind_caller;
		found = unwind_found;
		kp.pre_handler = unwind_from_return;
		KUNIT_ASSERT_EQ(test, i ? 0 : register_kretprobe(&rp), 0);
	}
	unregister_kretprobe(&rp);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_NE(test, unwind_caller, caller);
	KUNIT_EXPECT_EQ(test, found, caller);
}

/* A step of a detour, by the first bytes of its instruction */
struct detour_step {
	u8	opcode[2];
	u8	length;
	int	pushes;
};

static const struct detour_step detour_steps[] = {
	{ { 0x6a }, 2, 8 },			/* push imm8 */
	{ { 0x68 }, 5, 8 },			/* push imm32 */
	{ { 0x54 }, 1, 8 },			/* push %rsp */
	{ { 0x9c }, 1, 8 },			/* pushf */
	{ { 0x9d }, 1, -8 },			/* popf */
	{ { 0xe8 }, 5, 0 },			/* call and return */
	{ { 0x48, 0x83 }, 6, 0 },		/* addq imm8, 8(%rsp) */
	{ { 0x48, 0x8d }, 5, 0 },		/* lea disp8(%rsp), %rsp */
};

/* How much the instruction at an address pushes, and its length; -1 if it ends the detour */
static int detour_step(const u8 *at, int *length)
{
	const struct detour_step *step;

	for (step = detour_steps; step < detour_steps + ARRAY_SIZE(detour_steps); step++) {
		if (step->opcode[0] != at[0] || (step->opcode[1] && step->opcode[1] != at[1]))
			continue;
		*length = step->length;
		return step->opcode[1] == 0x8d ? -(s8)at[4] : step->pushes;
	}
	*length = -1;
	return 0;
}

/* What unwinding found before each instruction of the detour of a place */
static int detour_seen, detour_lost;

/* As if an interrupt had come at each instruction of the detour */
static int unwind_from_detour(struct kprobe *p, struct pt_regs *regs)
{
	const u8 *text = (const u8 *)p->addr, *at;
	struct pt_regs interrupted = *regs;
	struct unwind_state state;
	int length, pushes;

	if (*text != JMP32_INSN_OPCODE)
		return 0;
	unwind_caller = ((unsigned long *)regs->sp)[2];
	for (at = text + JMP32_INSN_SIZE + *(s32 *)(text + 1); ; at += length) {
		interrupted.ip = (unsigned long)at;
		unwind_start(&state, current, &interrupted, NULL);
		if (unwind_get_return_address(&state) != unwind_caller)
			detour_lost++;
		detour_seen++;
		pushes = detour_step(at, &length);
		if (length < 0)
			return 0;
		interrupted.sp -= pushes;
	}
}

static void test_unwind_detour(struct kunit *test)
{
	struct kprobe kp = {
		.addr = (kprobe_opcode_t *)unwind_jump,
		.pre_handler = unwind_from_detour,
	};

	detour_seen = 0;
	detour_lost = 0;
	unwind_once(test, &kp);
	if (!detour_seen)
		kunit_skip(test, "no jumps here");
	KUNIT_EXPECT_GT(test, detour_seen, 10);
	KUNIT_EXPECT_EQ(test, detour_lost, 0);
}

/* A task that is preempted when its hit ends, and what another one saw of it meanwhile */
struct unwind_preempted {
	struct task_struct	*task;
	struct completion	wanted;
	struct completion	made;
	unsigned long		frames[32];
	unsigned int		num;
};

static struct unwind_preempted unwind_preempted;

static int unwind_other_task(void *unused)
{
	struct unwind_preempted *this = &unwind_preempted;

	sched_set_fifo(current);
	complete(&this->made);
	wait_for_completion(&this->wanted);
	this->num = stack_trace_save_tsk(this->task, this->frames, ARRAY_SIZE(this->frames), 0);
	complete(&this->made);
	return 0;
}

static int unwind_preempt(struct kprobe *p, struct pt_regs *regs)
{
	complete(&unwind_preempted.wanted);
	return 0;
}

static bool unwind_saw(const struct unwind_preempted *this, const u8 *addr)
{
	unsigned int i;

	for (i = 0; i < this->num; i++)
		if (this->frames[i] == (unsigned long)addr)
			return true;
	return false;
}

static void test_unwind_preempted(struct kunit *test)
{
	struct kprobe kp = {
		.addr = (kprobe_opcode_t *)unwind_window,
		.pre_handler = unwind_preempt,
	};
	struct unwind_preempted *this = &unwind_preempted;
	struct task_struct *other;
	bool is_jump;

	if (!IS_ENABLED(CONFIG_PREEMPTION) || !preempt_model_preemptible())
		kunit_skip(test, "no preemption");
	this->task = current;
	init_completion(&this->wanted);
	init_completion(&this->made);
	set_cpus_allowed_ptr(current, cpumask_of(raw_smp_processor_id()));
	other = kthread_create(unwind_other_task, NULL, "unwind_other");
	KUNIT_ASSERT_FALSE(test, IS_ERR(other));
	kthread_bind(other, raw_smp_processor_id());
	wake_up_process(other);
	wait_for_completion(&this->made);
	KUNIT_EXPECT_EQ(test, register_kprobe(&kp), 0);
	kprobe_windows_wait();
	is_jump = *kp.addr == JMP32_INSN_OPCODE;
	KUNIT_EXPECT_EQ(test, unwind_bare(40), 42);
	/* If there was no hit, the other task has waited until now */
	complete(&this->wanted);
	wait_for_completion(&this->made);
	unregister_kprobe(&kp);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	if (!is_jump)
		kunit_skip(test, "no jumps here");
	KUNIT_EXPECT_TRUE(test, unwind_saw(this, unwind_bare_returned));
}

static struct kunit_case unwind_cases[] = {
	KUNIT_CASE(test_unwind_places),
	KUNIT_CASE(test_unwind_through),
	KUNIT_CASE(test_unwind_post),
	KUNIT_CASE(test_unwind_return),
	KUNIT_CASE(test_unwind_null),
	KUNIT_CASE(test_unwind_detour),
	KUNIT_CASE(test_unwind_preempted),
	{}
};

static struct kunit_suite unwind_suite = {
	.name = "kprobes_unwind",
	.test_cases = unwind_cases,
};

kunit_test_suite(unwind_suite);

MODULE_DESCRIPTION("KUnit tests of stack traces from handlers");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
