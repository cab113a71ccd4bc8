/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_HINT_FUNCTION_H
#define _TRACE_KPROBE_HINT_FUNCTION_H
/*
 * Hints about the function that a line probes.
 */
#include "parse/span.h"

struct probe_span probe_hint_symbol(struct probe_span word, const char *stop);
struct probe_span probe_hint_function(struct probe_span word);
bool probe_hint_is_function(const char *name, unsigned long address);
char *probe_hint_entry(struct probe_span line, struct probe_span word);
char *probe_hint_parameters(struct probe_span line, struct probe_span word);
char *probe_hint_words(struct probe_span line, struct probe_span word);

#endif /* _TRACE_KPROBE_HINT_FUNCTION_H */
