/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_BTF_H
#define _TRACE_KPROBE_BTF_H
/*
 * BTF: the kernel's provider of C types and prototypes.
 */
#include <linux/errno.h>

#include "parse/c_type.h"

#ifdef CONFIG_PROBE_EVENTS_BTF_ARGS
extern const struct probe_c_types btf_c_types;

int btf_c_prototype(const char *name, unsigned long address, struct probe_c_type *type);
#else
static const struct probe_c_types btf_c_types;

static inline int btf_c_prototype(const char *name, unsigned long address,
				  struct probe_c_type *type)
{
	return -EOPNOTSUPP;
}
#endif

#endif /* _TRACE_KPROBE_BTF_H */
