/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_FIELDS_H
#define _TRACE_KPROBE_FIELDS_H
/*
 * Fields: the layout of an event's records.
 *
 * The layout is fixed when the event is defined, by the arguments of its first probe.
 * Probes that join the event later have arguments of the same names and types. An event
 * that has arguments owns its fields: filters, triggers and the format file keep pointers to
 * their strings until the event is freed, and the first probe may be deleted before that.
 */
#include <linux/list.h>
#include <linux/trace_seq.h>
#include <linux/types.h>

#include "parse/args.h"

/**
 * struct event_field - one argument as a field of the record
 * @name: its name
 * @type: its type in the format file
 * @elements: names of its elements as fields of their own, NULL if they are none
 * @element_size: bytes of each name in @elements
 * @value: its type
 * @offset: from the start of the record
 * @size: in bytes
 */
struct event_field {
	char			*name;
	char			*type;
	char			*elements;
	unsigned int		element_size;
	struct arg_type		value;
	unsigned int		offset;
	unsigned int		size;
};

/**
 * struct event_fields - the layout of an event's records
 * @nr: number of fields
 * @fault: offset of the fault word, a multiple of 8; 0 if no field can fault
 * @end: offset of the first byte after fields and fault word
 * @described: the fields, the record's head among them, as trace_events.c has them; from
 *	when the event is added until it is removed, those without arguments always [E]
 * @print_fmt: the "print fmt" line of the format file; in memory of kvmalloc() if there are
 *	arguments
 * @field: the fields
 *
 * Offsets count from the start of the record. All but @described is [I].
 */
struct event_fields {
	u16			nr;
	u16			fault;
	u16			end;
	struct list_head	described;
	char			*print_fmt;
	struct event_field	field[] __counted_by(nr);
};

/* Fields of the head of a record, by the names that tools know */
#define FIELD_IP		"__probe_ip"
#define FIELD_FUNC		"__probe_func"
#define FIELD_RET_IP		"__probe_ret_ip"

/* How the format file says that they are printed */
#define PRINT_ENTRY		"(%lx)"
#define PRINT_ENTRY_ARGS	"REC->" FIELD_IP
#define PRINT_RETURN		"(%lx <- %lx)"
#define PRINT_RETURN_ARGS	"REC->" FIELD_RET_IP ", REC->" FIELD_FUNC

/* Fields from this number on share a bit of the fault word */
#define EVENT_FIELD_SHARED_BIT	63

/**
 * event_field_bit() - the bit of the fault word that marks a field
 * @nr: number of the field
 *
 * Context: any.
 * Return: the bit.
 */
static __always_inline u64 event_field_bit(unsigned int nr)
{
	return 1ULL << (nr < EVENT_FIELD_SHARED_BIT ? nr : EVENT_FIELD_SHARED_BIT);
}

/**
 * event_field_has_elements() - is each element of a field a field as well?
 * @field: the field
 *
 * libtraceevent cannot print a text or a character that is the element of an array.
 *
 * Context: any.
 * Return: true for an array of texts or characters.
 */
static inline bool event_field_has_elements(const struct event_field *field)
{
	const struct value_type *type = field->value.value;

	return field->value.count && (value_type_is_text(type) || type->kind == VALUE_CHAR);
}

/**
 * event_field_element() - the name of an element
 * @field: a field for which event_field_has_elements()
 * @nr: number of the element, from 0
 *
 * Context: any.
 * Return: the name of the element as a field of its own.
 */
static inline const char *event_field_element(const struct event_field *field, unsigned int nr)
{
	return field->elements + nr * field->element_size;
}

struct event_fields *event_fields_bare(bool is_return);
struct event_fields *event_fields_alloc(const struct fetch_args *args, bool is_return);
void event_fields_free(struct event_fields *fields);
void event_fields_print(struct trace_seq *s, const struct event_fields *fields,
			const void *record, unsigned int record_size);

#endif /* _TRACE_KPROBE_FIELDS_H */
