// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The way: how the hits of a kprobe get control, and why not without an exception.
 */
#include <linux/kprobe-arch.h>
#include <linux/kprobe-window.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include "batch.h"
#include "client.h"
#include "core.h"
#include "insn.h"
#include "jump.h"
#include "method.h"
#include "point.h"
#include "targets.h"
#include "window.h"

static const char *way_form(const struct kprobe_point *point, const struct kprobe_method *method)
{
	if (method->over || !point->insn)
		return "";
	return kprobe_insn_form(point->insn) ?: "";
}

/* Of a point for which a pass looks for a window, or would */
static void way_of_window(struct kprobe_point *point, enum kprobe_window_refusal refusal,
			  struct kprobe_way *way)
{
	way->why = kprobe_window_refusal_text(refusal);
	if (refusal == KPROBE_WINDOW_OK) {
		way->method = kprobe_jump_method.name;
		way->form = "";
	}
}

/*
 * A point that has no jump. Returns the refusal of its window, which is UNKNOWN if more can be
 * said after its text was indexed.
 */
static enum kprobe_window_refusal way_of_trap(struct kprobe_point *point, struct kprobe_way *way)
{
	enum kprobe_window_refusal refusal;

	if (kprobe_jumps_forbidden())
		return KPROBE_WINDOW_OK;
	if (point->post) {
		way->why = "a post-handler needs it";
		return KPROBE_WINDOW_OK;
	}
	if (!arch_kprobe_jump_size(point->insn)) {
		way->why = "a detour cannot go on with the instruction";
		return KPROBE_WINDOW_OK;
	}
	if (point->insn->length >= ARCH_KPROBE_JUMP_SIZE) {
		way->why = "there is no room for a detour within reach";
		return KPROBE_WINDOW_OK;
	}
	refusal = kprobe_window_foresee(point);
	way_of_window(point, refusal, way);
	return refusal;
}

/* Returns an address in text that has to be indexed before all is known; else 0 */
static unsigned long way_find(struct kprobe_point *point, struct kprobe_way *way)
{
	const struct kprobe_method *method = kprobe_upgrade_for(point) ?: point->method;

	way->method = method->name;
	way->why = method->why ? method->why() : "";
	way->form = way_form(point, method);
	if (method != &kprobe_trap_method || way_of_trap(point, way) != KPROBE_WINDOW_UNKNOWN)
		return 0;
	return point->addr;
}

static bool way_look(const struct kprobe *p, struct kprobe_way *way, unsigned long *unknown)
{
	struct kprobe_point *point;

	guard(mutex)(&kprobe_mutex);
	point = kprobe_point_of(p);
	if (!point || point->gone)
		return false;
	*unknown = way_find(point, way);
	return true;
}

/**
 * kprobe_find_way() - find how hits of a kprobe get control
 * @p: a registered kprobe, enabled or not; nobody unregisters it meanwhile
 * @way: gets the answer. A jump that replaces several instructions comes after a grace
 *	period; until then hits come from a trap
 *
 * Context: process context; takes the core mutex. The first call for text of the kernel or of
 * a module may take a second.
 * Return: false if @p is not registered, or its text is gone.
 */
bool kprobe_find_way(const struct kprobe *p, struct kprobe_way *way)
{
	unsigned long unknown;

	if (!way_look(p, way, &unknown))
		return false;
	if (!unknown)
		return true;
	kprobe_targets_index(unknown);
	return way_look(p, way, &unknown);
}
