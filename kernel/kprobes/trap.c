// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trap method: hits come from a trap instruction in the text.
 *
 * A point stays in the table from before its trap is in the text until no CPU can
 * have executed the trap. Text is verified before it is replaced, either way: if it
 * is not as expected, another owner has changed it, and it stays as it is.
 */
#include <kunit/visibility.h>
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/kprobe-arch.h>
#include <linux/memory.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include "core.h"
#include "insn.h"
#include "method.h"
#include "place.h"
#include "point.h"
#include "text.h"
#include "window.h"

static const char *trap_why(void)
{
	return IS_ENABLED(CONFIG_KPROBES_ON_FTRACE) ? "the address is no ftrace site" :
						      "all addresses are probed by traps";
}

static bool trap_fits(unsigned long addr)
{
	return true;
}

static int trap_prepare(struct kprobe_point *point, struct kprobe_place *place)
{
	struct kprobe_insn *insn = kprobe_insn_make(place);

	if (IS_ERR(insn))
		return PTR_ERR(insn);
	point->insn = insn;
	point->emulated = insn->emulated;
	return 0;
}

static void trap_release(struct kprobe_point *point)
{
	kprobe_insn_free(point->insn);
	kprobe_window_free(point);
}

static void trap_arm(struct list_head *points)
{
	struct kprobe_point *point;

	lockdep_assert_held(&kprobe_mutex);
	kprobe_points_sort(points);
	guard(cpus_read_lock)();
	guard(mutex)(&text_mutex);
	list_for_each_entry(point, points, batch) {
		point->error = kprobe_insn_arm(point->insn);
		if (!point->error)
			point->state = KPROBE_STATE_TRAP;
	}
	arch_kprobe_patch_flush();
}

static void trap_disarm(struct list_head *points)
{
	struct kprobe_point *point;

	lockdep_assert_held(&kprobe_mutex);
	guard(cpus_read_lock)();
	guard(mutex)(&text_mutex);
	list_for_each_entry(point, points, batch) {
		kprobe_insn_disarm(point->insn);
		point->state = KPROBE_STATE_NONE;
		cond_resched();
	}
	arch_kprobe_patch_flush();
}

static void trap_show(struct seq_file *m, const struct kprobe_point *point)
{
	const char *form = kprobe_insn_form(point->insn);

	if (form)
		seq_puts(m, form);
}

static void trap_text(const struct kprobe_point *point, unsigned long addr, u8 *buf,
		      size_t len)
{
	kprobe_text_put(point->addr, kprobe_insn_text(point->insn), ARCH_KPROBE_TRAP_SIZE, addr,
			buf, len);
}

const struct kprobe_method kprobe_trap_method = {
	.name		= "trap",
	.why		= trap_why,
	.reach		= ARCH_KPROBE_TRAP_SIZE,
	.replaces	= true,
	.slots		= true,
	.fits		= trap_fits,
	.prepare	= trap_prepare,
	.arm		= trap_arm,
	.disarm		= trap_disarm,
	.release	= trap_release,
	.show		= trap_show,
	.text		= trap_text,
};
EXPORT_SYMBOL_IF_KUNIT(kprobe_trap_method);
