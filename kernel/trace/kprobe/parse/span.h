/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Span: a part of a command's line, with its column.
 *
 * The caret of error_log stands in a column of the squeezed line of command.c. The
 * functions below compute columns as they cut spans; log.c passes them on.
 */
#ifndef _TRACE_KPROBE_SPAN_H
#define _TRACE_KPROBE_SPAN_H

#include <linux/types.h>

/**
 * struct probe_span - a part of a command's line
 * @text:	first character; not NUL terminated
 * @len:	number of characters; 0 if the part was not given
 * @column:	offset of @text in the line
 */
struct probe_span {
	const char	*text;
	unsigned int	len;
	unsigned int	column;
};

/**
 * probe_span_skip() - the rest of a span
 * @span:	a span
 * @n:		characters to skip at its beginning, at most @span->len
 *
 * Context: any.
 * Return: @span without its first @n characters.
 */
static inline struct probe_span probe_span_skip(struct probe_span span,
						unsigned int n)
{
	return (struct probe_span){ span.text + n, span.len - n,
				    span.column + n };
}

/**
 * probe_span_head() - the beginning of a span
 * @span:	a span
 * @n:		characters to keep, at most @span->len
 *
 * Context: any.
 * Return: the first @n characters of @span.
 */
static inline struct probe_span probe_span_head(struct probe_span span,
						unsigned int n)
{
	span.len = n;
	return span;
}

/**
 * probe_span_end() - the column after a span
 * @span: a span
 *
 * Context: any.
 * Return: column of the first character after @span.
 */
static inline unsigned int probe_span_end(struct probe_span span)
{
	return span.column + span.len;
}

struct probe_span probe_span_of(const char *text);
bool probe_span_is(struct probe_span span, const char *text);
bool probe_span_starts(struct probe_span span, const char *text);
unsigned int probe_span_find(struct probe_span span, char c);
unsigned int probe_span_find_last(struct probe_span span, char c);
bool probe_span_is_identifier(struct probe_span span, char also);
bool probe_span_is_number(struct probe_span span);
int probe_span_ulong(struct probe_span span, unsigned int base,
		     unsigned long *value);
int probe_span_long(struct probe_span span, long *value);
char *probe_span_dup(struct probe_span span);

#endif /* _TRACE_KPROBE_SPAN_H */
