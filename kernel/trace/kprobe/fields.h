/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_FIELDS_H
#define _TRACE_KPROBE_FIELDS_H
/*
 * Fields of an event: what its records hold, as those know it who only read.
 *
 * They are a copy of what the arguments of the event's first probe say of
 * themselves. Filters, triggers and the format file keep pointers to these
 * strings for as long as there is an event, and its first probe may go before.
 */
#include <linux/trace_seq.h>
#include <linux/types.h>

#include "program.h"

/**
 * struct event_field - one argument as a field of the record
 * @name: its name
 * @type: its type in the format file
 * @value: its type
 * @offset: from the end of the record's head
 * @size: in bytes
 */
struct event_field {
	char			*name;
	char			*type;
	struct arg_type		value;
	unsigned int		offset;
	unsigned int		size;
};

/**
 * struct event_fields - all of them
 * @nr: how many
 * @size: bytes behind the head, without the fault word
 * @has_fault: the fault word follows: one bit a field, see event_field_bit()
 * @has_text: there are data_locs, and texts behind the fields
 * @field: the fields
 */
struct event_fields {
	unsigned int		nr;
	unsigned int		size;
	bool			has_fault;
	bool			has_text;
	struct event_field	field[] __counted_by(nr);
};

/**
 * event_field_bit() - the bit of the fault word a field is marked by
 * @nr: which field
 *
 * Return: the bit. From the 64th on, fields share one.
 */
static __always_inline u64 event_field_bit(unsigned int nr)
{
	return 1ULL << (nr < 63 ? nr : 63);
}

struct event_fields *event_fields_alloc(const struct fetch_args *args);
void event_fields_free(struct event_fields *fields);
char *event_fields_print_fmt(const struct event_fields *fields, const char *head,
			     const char *head_args);
void event_fields_print(struct trace_seq *s, const struct event_fields *fields,
			const void *record, unsigned int head_size,
			unsigned int record_size);

#endif /* _TRACE_KPROBE_FIELDS_H */
