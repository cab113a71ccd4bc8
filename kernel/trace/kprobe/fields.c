// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fields of an event: their names, types and offsets, and the text of a record in the trace.
 */
#include <linux/ctype.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/string_helpers.h>
#include <linux/unaligned.h>

#include "fields.h"

/* Nothing but the data_loc of one text is understood: the field of an array is its first. */
static char *event_field_type(const struct arg_type *type)
{
	if (!type->count || value_type_is_text(type->value))
		return kstrdup(type->value->field, GFP_KERNEL);
	return kasprintf(GFP_KERNEL, "%s[%u]", type->value->field, type->count);
}

static bool event_field_init(struct event_field *field, const struct fetch_arg *arg,
			     unsigned int begin)
{
	field->name = kstrdup(arg->name, GFP_KERNEL);
	field->type = event_field_type(&arg->type);
	field->value = arg->type;
	field->offset = begin + arg->offset;
	field->size = arg->size;
	return field->name && field->type;
}

/* Is @name the name of @field, @width underscores, and digits? */
static bool event_field_is_element(const struct event_field *field, const char *name,
				   unsigned int width)
{
	size_t len = strlen(field->name);

	if (strncmp(name, field->name, len))
		return false;
	name += len;
	if (strspn(name, "_") != width)
		return false;
	name += width;
	return *name && !name[strspn(name, "0123456789")];
}

static bool event_fields_clash(const struct event_fields *fields, unsigned int width)
{
	unsigned int i, j;

	for (i = 0; i < fields->nr; i++) {
		if (!event_field_has_elements(&fields->field[i]))
			continue;
		for (j = 0; j < fields->nr; j++)
			if (event_field_is_element(&fields->field[i], fields->field[j].name, width))
				return true;
	}
	return false;
}

static bool event_field_name_elements(struct event_field *field, unsigned int width)
{
	size_t len = strlen(field->name);
	unsigned int i;
	char *name;

	field->element_size = len + width + sizeof("63");
	field->elements = kcalloc(field->value.count, field->element_size, GFP_KERNEL);
	if (!field->elements)
		return false;
	for (i = 0; i < field->value.count; i++) {
		name = field->elements + i * field->element_size;
		memcpy(name, field->name, len);
		memset(name + len, '_', width);
		sprintf(name + len + width, "%u", i);
	}
	return true;
}

/* The elements of arrays get names that no argument has. */
static bool event_fields_name_elements(struct event_fields *fields)
{
	unsigned int i, width = 1;

	while (event_fields_clash(fields, width))
		width++;
	for (i = 0; i < fields->nr; i++) {
		if (event_field_has_elements(&fields->field[i]) &&
		    !event_field_name_elements(&fields->field[i], width))
			return false;
	}
	return true;
}

static void event_fields_layout(struct event_fields *fields, const struct fetch_args *args)
{
	fields->fault = args->fault_offset ? args->head + args->fault_offset : 0;
	fields->end = args->head + args->size;
}

static bool event_fields_fill(struct event_fields *fields, const struct fetch_args *args)
{
	unsigned int i;

	for (i = 0; i < args->nr; i++)
		if (!event_field_init(&fields->field[i], &args->arg[i], args->head))
			return false;
	return event_fields_name_elements(fields);
}

/**
 * event_fields_alloc() - make the fields that arguments fill
 * @args: the arguments
 * @is_return: those of a return probe
 *
 * Context: may sleep.
 * Return: the fields, to be freed with event_fields_free(), or NULL if there is no memory.
 * The caller supplies event_fields::print_fmt of fields that are not bare.
 */
struct event_fields *event_fields_alloc(const struct fetch_args *args, bool is_return)
{
	struct event_fields *fields;

	if (!args->nr)
		return event_fields_bare(is_return);
	fields = kzalloc(struct_size(fields, field, args->nr), GFP_KERNEL);
	if (!fields)
		return NULL;
	fields->nr = args->nr;
	INIT_LIST_HEAD(&fields->described);
	event_fields_layout(fields, args);
	if (event_fields_fill(fields, args))
		return fields;
	event_fields_free(fields);
	return NULL;
}

/**
 * event_fields_free() - free fields
 * @fields: what event_fields_alloc() returned
 *
 * Context: any; no reader may be left.
 */
void event_fields_free(struct event_fields *fields)
{
	unsigned int i;

	if (!fields || !fields->nr)
		return;
	kvfree(fields->print_fmt);
	for (i = 0; i < fields->nr; i++) {
		kfree(fields->field[i].name);
		kfree(fields->field[i].type);
		kfree(fields->field[i].elements);
	}
	kfree(fields);
}

static u64 event_field_number(const void *data, unsigned int size, bool is_signed)
{
	switch (size) {
	case 8:
		return get_unaligned((const u64 *)data);
	case 4:
		return is_signed ? (s64)(s32)get_unaligned((const u32 *)data) :
				   get_unaligned((const u32 *)data);
	case 2:
		return is_signed ? (s16)get_unaligned((const u16 *)data) :
				   get_unaligned((const u16 *)data);
	default:
		return is_signed ? *(const s8 *)data : *(const u8 *)data;
	}
}

/*
 * A newline in a text could begin a line that lies. The text must not get longer: then it
 * could take the room of the fields that follow.
 */
static void event_field_put_text(struct trace_seq *s, const char *text, unsigned int len)
{
	unsigned int at = s->seq.len;

	trace_seq_printf(s, "\"%.*s\"", len, text);
	for (; at < s->seq.len; at++)
		if (iscntrl(s->buffer[at]))
			s->buffer[at] = '?';
}

static void event_field_print_text(struct trace_seq *s, const void *record,
				   unsigned int record_size, const void *data)
{
	u32 loc = get_unaligned((const u32 *)data);
	unsigned int offset = loc & 0xffff, len = loc >> 16;

	/* The inject file lets users write any data_loc. */
	if (!len || offset + len > record_size)
		trace_seq_puts(s, "(fault)");
	else
		event_field_put_text(s, record + offset, len);
}

/* Control characters as C escapes them */
static void event_field_put_char(struct trace_seq *s, char c)
{
	const unsigned int controls = ESCAPE_SPACE | ESCAPE_SPECIAL | ESCAPE_HEX;
	char escape[sizeof("\\x00")];
	int len = 1;

	if (iscntrl(c))
		len = string_escape_mem(&c, 1, escape, sizeof(escape), controls, NULL);
	else
		escape[0] = c;
	trace_seq_printf(s, "'%.*s'", len, escape);
}

static void event_field_print_number(struct trace_seq *s, const struct value_type *type,
				     const void *data)
{
	u64 number = event_field_number(data, type->size, type->kind == VALUE_SIGNED);

	switch (type->kind) {
	case VALUE_SIGNED:
		trace_seq_printf(s, "%lld", number);
		break;
	case VALUE_HEX:
		trace_seq_printf(s, "0x%llx", number);
		break;
	case VALUE_CHAR:
		event_field_put_char(s, number);
		break;
	case VALUE_SYMBOL:
		trace_seq_printf(s, "%pS", (void *)(unsigned long)number);
		break;
	default:
		trace_seq_printf(s, "%llu", number);
	}
}

static void event_field_print_element(struct trace_seq *s, const struct value_type *type,
				      const void *record, unsigned int record_size,
				      const void *data)
{
	if (value_type_is_text(type))
		event_field_print_text(s, record, record_size, data);
	else
		event_field_print_number(s, type, data);
}

static void event_field_print(struct trace_seq *s, const struct event_field *field,
			      const void *record, unsigned int record_size, const void *data)
{
	const struct value_type *type = field->value.value;
	unsigned int i;

	if (!field->value.count) {
		event_field_print_element(s, type, record, record_size, data);
		return;
	}
	for (i = 0; i < field->value.count; i++) {
		trace_seq_putc(s, i ? ',' : '{');
		event_field_print_element(s, type, record, record_size, data + i * type->size);
	}
	trace_seq_putc(s, '}');
}

static u64 event_fields_faults(const struct event_fields *fields, const void *record,
			       unsigned int record_size)
{
	if (!fields->fault || record_size < fields->end)
		return 0;
	return get_unaligned((const u64 *)(record + fields->fault));
}

/* Of the fields that share a bit only the all-zero ones are treated as faulted. */
static bool event_field_is_faulted(const struct event_field *field, unsigned int nr, u64 faults,
				   const void *data)
{
	if (value_type_is_text(field->value.value) || !(faults & event_field_bit(nr)))
		return false;
	return nr < EVENT_FIELD_SHARED_BIT || !memchr_inv(data, 0, field->size);
}

/**
 * event_fields_print() - write the fields of a record, each with its name
 * @s: where to write
 * @fields: the fields
 * @record: the record
 * @record_size: bytes of the record. It may be shorter than the fields: a buffer in memory
 *	that outlives the kernel has records of an earlier one, where other events had the types
 *
 * Context: any.
 */
void event_fields_print(struct trace_seq *s, const struct event_fields *fields,
			const void *record, unsigned int record_size)
{
	u64 faults = event_fields_faults(fields, record, record_size);
	const struct event_field *field;
	const void *data;
	unsigned int i;

	for (i = 0; i < fields->nr; i++) {
		field = &fields->field[i];
		data = record + field->offset;
		trace_seq_printf(s, " %s=", field->name);
		if (field->offset + field->size > record_size)
			trace_seq_puts(s, "<OVERFLOW>");
		else if (event_field_is_faulted(field, i, faults, data))
			trace_seq_puts(s, "(fault)");
		else
			event_field_print(s, field, record, record_size, data);
	}
}
