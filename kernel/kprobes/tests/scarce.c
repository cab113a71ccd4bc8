// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A probe on kprobe_slot_alloc(), which then returns NULL where a test wants that.
 */
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/ptrace.h>
#include "scarce.h"

static struct kprobe scarce_probe;
static enum kprobe_slot_kind scarce_kind;
static unsigned long scarce_near;

/* Written by workers too */
static unsigned int scarce_refused;

static noinline void *scarce_none(void)
{
	barrier();
	return NULL;
}

static int scarce_refuse(struct kprobe *p, struct pt_regs *regs)
{
	if (regs_get_kernel_argument(regs, 0) != scarce_kind ||
	    regs_get_kernel_argument(regs, 3) != scarce_near)
		return 0;
	WRITE_ONCE(scarce_refused, scarce_refused + 1);
	instruction_pointer_set(regs, (unsigned long)scarce_none);
	return 1;
}

/**
 * scarce_begin() - let there be no memory for slots of a kind
 * @test: the running test, which ends if that cannot be
 * @kind: the kind
 * @near: the address that they are for
 */
void scarce_begin(struct kunit *test, enum kprobe_slot_kind kind, const void *near)
{
	scarce_probe = (struct kprobe){
		.symbol_name	= "kprobe_slot_alloc",
		.pre_handler	= scarce_refuse,
	};
	scarce_kind = kind;
	scarce_near = (unsigned long)near;
	scarce_refused = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&scarce_probe), 0);
}

/**
 * scarce_end() - let there be memory again
 *
 * Return: how many slots were refused.
 */
unsigned int scarce_end(void)
{
	unregister_kprobe(&scarce_probe);
	return READ_ONCE(scarce_refused);
}

/**
 * scarce_becomes_jump() - wait until a probe has a jump
 * @p: the probe
 * @seconds: how long to wait
 *
 * Return: false if it still has none.
 */
bool scarce_becomes_jump(const struct kprobe *p, unsigned int seconds)
{
	unsigned long end = jiffies + seconds * HZ;

	while (!kprobe_optimized(p) && time_before(jiffies, end))
		msleep(100);
	return kprobe_optimized(p);
}
