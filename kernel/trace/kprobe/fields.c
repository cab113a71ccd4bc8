// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fields of an event: their names and types, and the text of the format file
 * and of the trace.
 */
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "fields.h"

static char *field_type(const struct arg_type *type)
{
	if (!type->count)
		return kstrdup(type->value->field, GFP_KERNEL);
	return kasprintf(GFP_KERNEL, "%s[%u]", type->value->field, type->count);
}

static bool init_field(struct event_field *field, const struct fetch_arg *arg)
{
	field->name = kstrdup(arg->name, GFP_KERNEL);
	field->type = field_type(&arg->type);
	field->value = arg->type;
	field->offset = arg->offset;
	field->size = arg->size;
	return field->name && field->type;
}

/**
 * event_fields_alloc() - the fields that arguments make
 * @args: the arguments
 *
 * Return: a copy of what there is to know, or an error pointer.
 */
struct event_fields *event_fields_alloc(const struct fetch_args *args)
{
	struct event_fields *fields;
	unsigned int i;

	fields = kzalloc(struct_size(fields, field, args->nr), GFP_KERNEL);
	if (!fields)
		return ERR_PTR(-ENOMEM);
	fields->nr = args->nr;
	fields->has_fault = args->can_fault;
	fields->has_text = args->nr_text;
	fields->size = args->can_fault ? args->fault_offset : args->size;
	for (i = 0; i < args->nr; i++)
		if (!init_field(&fields->field[i], &args->arg[i])) {
			event_fields_free(fields);
			return ERR_PTR(-ENOMEM);
		}
	return fields;
}

/**
 * event_fields_free() - free fields
 * @fields: what event_fields_alloc() returned, an error pointer and NULL too
 */
void event_fields_free(struct event_fields *fields)
{
	unsigned int i;

	if (IS_ERR_OR_NULL(fields))
		return;
	for (i = 0; i < fields->nr; i++) {
		kfree(fields->field[i].name);
		kfree(fields->field[i].type);
	}
	kfree(fields);
}

static unsigned int element_count(const struct event_field *field)
{
	return field->value.count ? field->value.count : 1;
}

static void put_formats(struct seq_buf *buf, const struct event_field *field)
{
	unsigned int i;

	seq_buf_printf(buf, " %s=", field->name);
	if (!field->value.count) {
		seq_buf_puts(buf, field->value.value->print);
		return;
	}
	for (i = 0; i < field->value.count; i++)
		seq_buf_printf(buf, "%c%s", i ? ',' : '{', field->value.value->print);
	seq_buf_putc(buf, '}');
}

static void put_value(struct seq_buf *buf, const struct event_field *field, const char *index)
{
	if (value_type_is_text(field->value.value))
		seq_buf_printf(buf, ", __get_str(%s%s)", field->name, index);
	else
		seq_buf_printf(buf, ", REC->%s%s", field->name, index);
}

static void put_values(struct seq_buf *buf, const struct event_field *field)
{
	char index[8] = "";
	unsigned int i;

	for (i = 0; i < element_count(field); i++) {
		if (field->value.count)
			snprintf(index, sizeof(index), "[%u]", i);
		put_value(buf, field, index);
	}
}

static void put_print_fmt(struct seq_buf *buf, const struct event_fields *fields,
			  const char *head, const char *head_args)
{
	unsigned int i;

	seq_buf_printf(buf, "\"%s", head);
	for (i = 0; i < fields->nr; i++)
		put_formats(buf, &fields->field[i]);
	seq_buf_printf(buf, "%s\", %s", fields->has_fault ? "%s" : "", head_args);
	for (i = 0; i < fields->nr; i++)
		put_values(buf, &fields->field[i]);
	if (fields->has_fault)
		seq_buf_puts(buf, ", REC->" PROBE_FAULT_FIELD " ? \" (fault)\" : \"\"");
}

/* An upper bound of what put_print_fmt() writes */
static size_t print_fmt_bound(const struct event_fields *fields)
{
	size_t bound = 256;
	unsigned int i;

	for (i = 0; i < fields->nr; i++)
		bound += 64 + element_count(&fields->field[i]) *
			 (strlen(fields->field[i].name) + 40);
	return bound;
}

/**
 * event_fields_print_fmt() - the "print fmt" line of the format file
 * @fields: the fields
 * @head: the conversions for the head of the record
 * @head_args: what they convert
 *
 * Return: the text, to be freed, or NULL if there is no memory for it.
 */
char *event_fields_print_fmt(const struct event_fields *fields, const char *head,
			     const char *head_args)
{
	size_t size = print_fmt_bound(fields);
	char *text = kzalloc(size, GFP_KERNEL);
	struct seq_buf buf;

	if (!text)
		return NULL;
	seq_buf_init(&buf, text, size);
	put_print_fmt(&buf, fields, head, head_args);
	if (WARN_ON_ONCE(seq_buf_has_overflowed(&buf))) {
		kfree(text);
		return NULL;
	}
	return text;
}

static u64 get_number(const void *data, unsigned int size, bool is_signed)
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

static void print_text(struct trace_seq *s, const void *record, unsigned int record_size,
		       const void *data)
{
	u32 loc = get_unaligned((const u32 *)data);
	unsigned int offset = loc & 0xffff, len = loc >> 16;

	/* Inject and hot plugged files can write anything */
	if (!len || offset + len > record_size)
		trace_seq_puts(s, "(fault)");
	else
		trace_seq_printf(s, "\"%.*s\"", len, (const char *)record + offset);
}

static void print_number(struct trace_seq *s, const struct value_type *type, const void *data)
{
	u64 number = get_number(data, type->size, type->kind == VALUE_SIGNED);

	switch (type->kind) {
	case VALUE_SIGNED:
		trace_seq_printf(s, "%lld", number);
		break;
	case VALUE_HEX:
		trace_seq_printf(s, "0x%llx", number);
		break;
	case VALUE_CHAR:
		trace_seq_printf(s, "'%c'", (char)number);
		break;
	case VALUE_SYMBOL:
		trace_seq_printf(s, "%pS", (void *)(unsigned long)number);
		break;
	default:
		trace_seq_printf(s, "%llu", number);
	}
}

static void print_element(struct trace_seq *s, const struct value_type *type,
			  const void *record, unsigned int record_size, const void *data)
{
	if (value_type_is_text(type))
		print_text(s, record, record_size, data);
	else
		print_number(s, type, data);
}

static void print_field(struct trace_seq *s, const struct event_field *field,
			const void *record, unsigned int record_size, const void *data)
{
	const struct value_type *type = field->value.value;
	unsigned int i;

	if (!field->value.count) {
		print_element(s, type, record, record_size, data);
		return;
	}
	for (i = 0; i < field->value.count; i++) {
		trace_seq_putc(s, i ? ',' : '{');
		print_element(s, type, record, record_size, data + i * type->size);
	}
	trace_seq_putc(s, '}');
}

/*
 * A record can be older than the fault word of its event (a probe that can fault
 * joined others that cannot): then it ends, or its texts begin, where the word
 * would stand.
 */
static u64 record_faults(const struct event_fields *fields, const void *record,
			 unsigned int head_size, unsigned int record_size)
{
	unsigned int offset = head_size + fields->size, i;
	u32 loc;

	if (!fields->has_fault || record_size < offset + sizeof(u64))
		return 0;
	for (i = 0; i < fields->nr; i++) {
		if (!value_type_is_text(fields->field[i].value.value))
			continue;
		loc = get_unaligned((const u32 *)(record + head_size + fields->field[i].offset));
		if ((loc & 0xffff) == offset)
			return 0;
	}
	return get_unaligned((const u64 *)(record + offset));
}

/* Of the fields that share a bit those are meant that hold nothing */
static bool is_faulted(const struct event_field *field, unsigned int nr, u64 faults,
		       const void *data)
{
	if (value_type_is_text(field->value.value) || !(faults & event_field_bit(nr)))
		return false;
	return nr < 63 || !memchr_inv(data, 0, field->size);
}

/**
 * event_fields_print() - write the fields of a record, each with its name
 * @s: where to
 * @fields: the fields
 * @record: the record
 * @head_size: bytes in front of the fields
 * @record_size: bytes of the record
 */
void event_fields_print(struct trace_seq *s, const struct event_fields *fields,
			const void *record, unsigned int head_size, unsigned int record_size)
{
	u64 faults = record_faults(fields, record, head_size, record_size);
	const struct event_field *field;
	const void *data;
	unsigned int i;

	for (i = 0; i < fields->nr; i++) {
		field = &fields->field[i];
		data = record + head_size + field->offset;
		trace_seq_printf(s, " %s=", field->name);
		if (is_faulted(field, i, faults, data))
			trace_seq_puts(s, "(fault)");
		else
			print_field(s, field, record, record_size, data);
	}
}
