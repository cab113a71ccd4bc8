/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_MODULE_NAMES_H
#define _TRACE_KPROBE_MODULE_NAMES_H
/*
 * The names of the symbols of all modules.
 */
#include <linux/types.h>

#ifdef CONFIG_MODULES
bool module_names_may_have(const char *name);
void module_names_forget(void);
#else
static inline bool module_names_may_have(const char *name)
{
	return false;
}
#endif

#endif /* _TRACE_KPROBE_MODULE_NAMES_H */
