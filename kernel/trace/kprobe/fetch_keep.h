/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_FETCH_KEEP_H
#define _TRACE_KPROBE_FETCH_KEEP_H
/*
 * Keeping: what a return probe reads when the function is entered.
 */
#include "fetch.h"

unsigned int fetch_kept_size(const struct fetch_args *args);
void fetch_keep_words(const struct fetch_args *args, struct fetch_frame frame, void *data);
void fetch_keep_values(const struct fetch_args *args, struct fetch_frame frame,
		       void *data);

#endif /* _TRACE_KPROBE_FETCH_KEEP_H */
