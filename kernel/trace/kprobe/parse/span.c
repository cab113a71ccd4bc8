// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operations of the parser on spans.
 */
#include <linux/ctype.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "span.h"

/* The longest number: 64 bits in octal, some leading zeros and a sign. */
#define NUMBER_LEN	64

/**
 * probe_span_of() - a whole string as a span
 * @text: string that outlives the span
 *
 * Context: any.
 * Return: a span that begins in column 0.
 */
struct probe_span probe_span_of(const char *text)
{
	return (struct probe_span){ text, strlen(text), 0 };
}

/**
 * probe_span_is() - is a span this text?
 * @span:	a span
 * @text:	string to compare it with
 *
 * Context: any.
 * Return: true if all characters are equal.
 */
bool probe_span_is(struct probe_span span, const char *text)
{
	return span.len == strlen(text) && !memcmp(span.text, text, span.len);
}

/**
 * probe_span_starts() - does a span begin with this text?
 * @span:	a span
 * @text:	string to compare its beginning with
 *
 * Context: any.
 * Return: true if it does.
 */
bool probe_span_starts(struct probe_span span, const char *text)
{
	size_t len = strlen(text);

	return span.len >= len && !memcmp(span.text, text, len);
}

/**
 * probe_span_find() - find the first occurrence of a character
 * @span:	the span to search
 * @c:		the character
 *
 * Context: any.
 * Return: its offset in @span, or @span.len if there is none.
 */
unsigned int probe_span_find(struct probe_span span, char c)
{
	unsigned int i;

	for (i = 0; i < span.len && span.text[i] != c; i++)
		;
	return i;
}

/**
 * probe_span_find_last() - find the last occurrence of a character
 * @span:	the span to search
 * @c:		the character
 *
 * Context: any.
 * Return: its offset in @span, or @span.len if there is none.
 */
unsigned int probe_span_find_last(struct probe_span span, char c)
{
	unsigned int i;

	for (i = span.len; i > 0; i--) {
		if (span.text[i - 1] == c)
			return i - 1;
	}
	return span.len;
}

/* isalpha() accepts the letters of Latin-1 as well, as names of every 6.12 kernel do. */
static bool span_is_letter(char c)
{
	return isalpha(c) || c == '_';
}

/**
 * probe_span_is_identifier() - is a span a name?
 * @span:	a span
 * @also:	a character allowed everywhere, in addition to those of C; '_' for none
 *
 * Context: any.
 * Return: true if it is an identifier of C, or of C with letters of Latin-1.
 */
bool probe_span_is_identifier(struct probe_span span, char also)
{
	unsigned int i;

	if (!span.len || isdigit(span.text[0]))
		return false;
	for (i = 0; i < span.len; i++) {
		char c = span.text[i];

		if (!span_is_letter(c) && !isdigit(c) && c != also)
			return false;
	}
	return true;
}

/**
 * probe_span_is_number() - does a span begin like a number?
 * @span: a span
 *
 * Context: any.
 * Return: true if its first character is a digit.
 */
bool probe_span_is_number(struct probe_span span)
{
	return span.len && isdigit(span.text[0]);
}

/**
 * probe_span_ulong() - read an unsigned number
 * @span:	digits only: no sign, no blank
 * @base:	10, or 0 for the notations of C
 * @value:	the number
 *
 * Context: any.
 * Return: 0, -EINVAL or -ERANGE.
 */
int probe_span_ulong(struct probe_span span, unsigned int base,
		     unsigned long *value)
{
	char digits[NUMBER_LEN];

	if (!probe_span_is_number(span))
		return -EINVAL;
	if (span.len >= sizeof(digits))
		return -ERANGE;
	memcpy(digits, span.text, span.len);
	digits[span.len] = '\0';
	return kstrtoul(digits, base, value);
}

/**
 * probe_span_long() - read a number that may have a sign
 * @span:	'+', '-' or neither, then digits in a notation of C
 * @value:	the number
 *
 * Context: any.
 * Return: 0, -EINVAL or -ERANGE.
 */
int probe_span_long(struct probe_span span, long *value)
{
	char digits[NUMBER_LEN];

	if (span.len >= sizeof(digits))
		return -ERANGE;
	memcpy(digits, span.text, span.len);
	digits[span.len] = '\0';
	return kstrtol(digits, 0, value);
}

/**
 * probe_span_dup() - copy a span
 * @span: a span
 *
 * Context: may sleep.
 * Return: a string that the caller frees by kfree(), or NULL.
 */
char *probe_span_dup(struct probe_span span)
{
	return kmemdup_nul(span.text, span.len, GFP_KERNEL);
}
