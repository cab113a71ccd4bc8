// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The jump method, an upgrade of the trap: a branch to a detour replaces the instruction.
 * A hit takes no exception.
 *
 *	text		a branch to the detour
 *	detour		a slot for each point: makes room, calls kprobe_detour, goes on in
 *			the resume code of the insn, or after an emulated one
 *	kprobe_detour	common to all points, in assembly: saves a pt_regs, calls
 *			kprobe_jump() (jump_entry.c), restores the registers
 *
 * If a branch replaces one instruction, no CPU and no task can be within what is replaced, and
 * it can come and go without a grace period. If the instruction is shorter than a branch,
 * window.c looks after those that are replaced with it, and says when the branch may come.
 * A point with a post-handler keeps the trap, as its slot ends in a second trap.
 *
 * Once made, a detour stays until its point is freed, although the trap may be back: tasks
 * can be in it until a tasks-RCU grace period is over.
 */
#include <kunit/visibility.h>
#include <linux/cpu.h>
#include <linux/init.h>
#include <linux/kprobe-arch.h>
#include <linux/memory.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/sysctl.h>
#include "batch.h"
#include "core.h"
#include "insn.h"
#include "jump.h"
#include "method.h"
#include "point.h"
#include "slot.h"
#include "text.h"
#include "window.h"

/* [M] the sysctl debug.kprobes-optimization is 0 */
static bool jumps_forbidden;

static const char *jump_why(void)
{
	return "a branch fits in the place of the instruction";
}

static bool jump_admits(const struct kprobe_point *point)
{
	if (jumps_forbidden || point->post || !arch_kprobe_jump_size(point->insn))
		return false;
	return point->insn->length >= ARCH_KPROBE_JUMP_SIZE || kprobe_window_admits(point);
}

/* Write the branch that replaces the instruction of a point */
static int jump_text(const struct kprobe_point *point, u8 *buf)
{
	return arch_kprobe_jump_text(buf, point->addr, (unsigned long)point->data);
}

static int jump_write_detour(struct kprobe_point *point)
{
	u8 unused[ARCH_KPROBE_JUMP_SIZE];
	struct kprobe_code code;
	int ret;

	kprobe_code_begin(&code, point->addr, point->data);
	ret = arch_kprobe_jump_write(point->insn, (unsigned long)point, &code);
	ret = ret ?: jump_text(point, unused);
	if (!ret)
		kprobe_slot_write(point->data, &code);
	return ret;
}

/* The place has been checked already, and an upgrade is told of none */
static int jump_prepare(struct kprobe_point *point, struct kprobe_place *unused)
{
	int ret;

	point->data = kprobe_slot_alloc(KPROBE_SLOT_DETOUR, arch_kprobe_jump_size(point->insn),
					ARCH_KPROBE_JUMP_MAP, point->addr);
	if (!point->data)
		return -ENOMEM;
	ret = jump_write_detour(point);
	if (!ret)
		return 0;
	kprobe_slot_free(point->data);
	point->data = NULL;
	return ret;
}

static void jump_release(struct kprobe_point *point)
{
	kprobe_slot_free(point->data);
}

/* The bytes that the branch replaces */
static const u8 *jump_original(const struct kprobe_point *point)
{
	return kprobe_window_text(point) ?: kprobe_insn_text(point->insn);
}

/* The text while the trap is there: the rest of the instructions follows it */
static void jump_trap_text(const struct kprobe_point *point, u8 *buf)
{
	memcpy(buf, jump_original(point), ARCH_KPROBE_JUMP_SIZE);
	memcpy(buf, arch_kprobe_trap_text, ARCH_KPROBE_TRAP_SIZE);
}

/* Hits are told before the branch comes, and after it has gone */
static void jump_tell_window(const struct kprobe_point *point, bool branch)
{
	if (point->wide)
		WRITE_ONCE(point->wide->branch, branch);
}

static int jump_install(struct kprobe_point *point)
{
	u8 trap[ARCH_KPROBE_JUMP_SIZE], jump[ARCH_KPROBE_JUMP_SIZE];

	jump_trap_text(point, trap);
	if (jump_text(point, jump) || !kprobe_text_is(point->addr, trap, sizeof(trap)))
		return -EBUSY;
	jump_tell_window(point, true);
	arch_kprobe_patch_queue(point->addr, trap, jump, sizeof(jump));
	point->state = KPROBE_STATE_JUMP;
	return 0;
}

static void jump_remove(struct kprobe_point *point)
{
	u8 trap[ARCH_KPROBE_JUMP_SIZE], jump[ARCH_KPROBE_JUMP_SIZE];

	/* Before there is a trap: its hits return to the window, which may be another point's */
	kprobe_point_narrow(point);
	jump_trap_text(point, trap);
	if (jump_text(point, jump) || !kprobe_text_is_ours(point->addr, jump, sizeof(jump))) {
		/* If a trap is to stay, it has to be written, or refused */
		point->state = KPROBE_STATE_NONE;
		return;
	}
	arch_kprobe_patch_queue(point->addr, jump, trap, sizeof(trap));
}

static void jump_arm(struct list_head *points)
{
	struct kprobe_point *point;

	lockdep_assert_held(&kprobe_mutex);
	kprobe_points_sort(points);
	guard(cpus_read_lock)();
	guard(mutex)(&text_mutex);
	arch_kprobe_patch_publish();
	list_for_each_entry(point, points, batch)
		point->error = jump_install(point);
	arch_kprobe_patch_flush();
}

static void jump_disarm(struct list_head *points)
{
	struct kprobe_point *point;

	lockdep_assert_held(&kprobe_mutex);
	kprobe_points_sort(points);
	guard(cpus_read_lock)();
	guard(mutex)(&text_mutex);
	list_for_each_entry(point, points, batch)
		jump_remove(point);
	arch_kprobe_patch_flush();
	list_for_each_entry(point, points, batch)
		jump_tell_window(point, false);
}

static void jump_put_text(const struct kprobe_point *point, unsigned long addr, u8 *buf,
			  size_t len)
{
	kprobe_text_put(point->addr, jump_original(point), ARCH_KPROBE_JUMP_SIZE, addr, buf, len);
}

const struct kprobe_method kprobe_jump_method = {
	.name		= "jump",
	.why		= jump_why,
	.over		= &kprobe_trap_method,
	.flag		= KPROBE_FLAG_OPTIMIZED,
	.reach		= ARCH_KPROBE_JUMP_SIZE,
	.slots		= true,
	.admits		= jump_admits,
	.prepare	= jump_prepare,
	.arm		= jump_arm,
	.disarm		= jump_disarm,
	.release	= jump_release,
	.text		= jump_put_text,
};

/**
 * kprobe_jumps_forbidden() - must all points keep their traps?
 *
 * Context: under the core mutex.
 * Return: true if they must.
 */
bool kprobe_jumps_forbidden(void)
{
	lockdep_assert_held(&kprobe_mutex);
	return jumps_forbidden;
}

/**
 * kprobe_set_jumps_forbidden() - let all points keep their traps, or not
 * @forbidden: true for traps
 *
 * Points that are jumps become traps at once, and the other way round. This does not fail: a
 * point that can be no jump keeps its trap.
 *
 * Context: process context.
 */
void kprobe_set_jumps_forbidden(bool forbidden)
{
	/* The error would be that of a point which is not armed at all */
	kprobe_set_for_all(&jumps_forbidden, forbidden);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_set_jumps_forbidden);

#ifdef CONFIG_SYSCTL
static int jump_sysctl(const struct ctl_table *table, int write, void *buffer, size_t *length,
		       loff_t *pos)
{
	int allowed = !READ_ONCE(jumps_forbidden);
	struct ctl_table number = {
		.data	= &allowed,
		.maxlen	= sizeof(allowed),
		.mode	= table->mode,
		.extra1	= SYSCTL_ZERO,
		.extra2	= SYSCTL_ONE,
	};
	int ret = proc_dointvec_minmax(&number, write, buffer, length, pos);

	if (!ret && write)
		kprobe_set_jumps_forbidden(!allowed);
	return ret;
}

static struct ctl_table jump_sysctls[] = {
	{
		.procname	= "kprobes-optimization",
		.mode		= 0644,
		.proc_handler	= jump_sysctl,
	},
};

static int __init jump_init_sysctl(void)
{
	register_sysctl_init("debug", jump_sysctls);
	return 0;
}
subsys_initcall(jump_init_sysctl);
#endif
