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

/* The upgrade that a point will have once it is armed, prepared; NULL if it has none to come */
static const struct kprobe_method *way_prepare_upgrade(struct kprobe_point *point)
{
	const struct kprobe_method *method = NULL;

	while ((method = kprobe_method_next(method))) {
		if (method->over == point->method && method->admits(point) &&
		    !kprobe_upgrade_prepare(point, method))
			return method;
	}
	return NULL;
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

/* Why has a point no jump whose instruction is as long as a branch? Its detour is not made */
static const char *way_without_detour(struct kprobe_point *point)
{
	switch (kprobe_upgrade_prepare(point, &kprobe_jump_method)) {
	case 0:
		return "there was no memory for a detour, but there is now";
	case -EBUSY:
		return "another symbol begins in what a jump would replace";
	default:
		return "there is no room for a detour within reach";
	}
}

/*
 * A point that has no jump. Returns true if more can be said after its text was indexed.
 */
static bool way_of_trap(struct kprobe_point *point, struct kprobe_way *way)
{
	enum kprobe_window_refusal refusal;

	if (kprobe_jumps_forbidden())
		return false;
	if (point->post) {
		way->why = "a post-handler needs it";
		return false;
	}
	if (!arch_kprobe_jump_size(point->insn)) {
		way->why = "a detour cannot go on with the instruction";
		return false;
	}
	if (point->insn->length >= ARCH_KPROBE_JUMP_SIZE) {
		way->why = way_without_detour(point);
		return false;
	}
	refusal = kprobe_window_foresee(point);
	way_of_window(point, refusal, way);
	return refusal == KPROBE_WINDOW_UNKNOWN;
}

/* Returns an address in text that has to be indexed before all is known; else 0 */
static unsigned long way_find(struct kprobe_point *point, struct kprobe_way *way)
{
	const struct kprobe_method *method = way_prepare_upgrade(point) ?: point->method;

	way->method = method->name;
	way->why = method->why ? method->why() : "";
	way->form = way_form(point, method);
	if (method != &kprobe_trap_method || !way_of_trap(point, way))
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
