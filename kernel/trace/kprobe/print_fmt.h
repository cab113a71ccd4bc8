/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_PRINT_FMT_H
#define _TRACE_KPROBE_PRINT_FMT_H
/*
 * The "print fmt" line of an event's format file.
 */
#include "fields.h"

char *event_fields_print_fmt(const struct event_fields *fields, const char *head,
			     const char *head_args);

#endif /* _TRACE_KPROBE_PRINT_FMT_H */
