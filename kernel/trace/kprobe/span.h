/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Span: a piece of a command's line that knows its column.
 */
#ifndef _TRACE_KPROBE_SPAN_H
#define _TRACE_KPROBE_SPAN_H

#include <linux/types.h>

/**
 * struct probe_span - a piece of a command's line
 * @text:	first character; not NUL terminated
 * @len:	number of characters; 0: this part was not given
 * @column:	offset of @text in the line
 */
struct probe_span {
	const char	*text;
	unsigned int	len;
	unsigned int	column;
};

/**
 * probe_span_skip - what is left of a span
 * @span:	a span
 * @n:		characters to leave out at its front, @span->len at most
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
 * probe_span_head - the front of a span
 * @span:	a span
 * @n:		characters to keep, @span->len at most
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
 * probe_span_end - the column behind a span
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
