// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module that the far test loads.
 */
#include <linux/export.h>
#include <linux/module.h>
#include "../trap_places.h"
#include "far.h"

const struct far_places kprobes_far_places = {
	.place		= trap_place,
	.inner		= trap_place_inner,
	.copied		= trap_place_copied,
	.emulated	= trap_place_emulated,
	.inside		= trap_place_inside,
	.inner_copied	= trap_place_inner_copied,
};
EXPORT_SYMBOL_GPL(kprobes_far_places);

MODULE_DESCRIPTION("Places for kprobes' far KUnit test");
MODULE_LICENSE("GPL");
