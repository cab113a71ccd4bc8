// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The "print fmt" line of an event's format file.
 *
 * The kernel never reads it: libtraceevent prints records by it, for trace-cmd, perf and
 * KernelShark. It makes them print what event_fields_print() does, but for control characters,
 * which they print as they are. libtraceevent 1.1, which perf 6.1 contains, and 1.7 set these
 * limits:
 *
 * - A number cannot be left out, but has no digits if it is 0 and the precision is 0.
 * - %c and elements of an array of texts or characters are not known.
 * - Small numbers have no sign but by %hhd and %hd.
 * - A quote in a literal keeps its backslash. As the delimiter of flags it has none.
 * - After an operator an element of an array must stand in parentheses, and an expression
 *   in parentheses must bind more tightly than the operator all the same.
 * - A symbol is always shown, if need be as 0x0, and without the size of the function.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/seq_buf.h>
#include <linux/string.h>

#include "print_fmt.h"

/**
 * struct print_fmt - a line that is being written
 * @fields: the fields
 * @text: the conversions
 * @args: what they convert
 */
struct print_fmt {
	const struct event_fields	*fields;
	struct seq_buf			text;
	struct seq_buf			args;
};

/**
 * struct print_parts - the parts of value_type.print
 * @lead: text before the conversion
 * @conversion: the conversion, without its percent sign
 * @tail: text after the conversion
 */
struct print_parts {
	char	lead[4];
	char	conversion[4];
	char	tail[4];
};

static struct print_parts print_parts_of(const struct value_type *type)
{
	size_t lead = strcspn(type->print, "%");
	const char *conversion = type->print + lead + 1;
	size_t len = strspn(conversion, "hLduxspS");
	struct print_parts parts = {};

	memcpy(parts.lead, type->print, lead);
	memcpy(parts.conversion, conversion, len);
	strscpy(parts.tail, conversion + len);
	return parts;
}

static void print_fmt_put_value(struct seq_buf *args, const struct event_field *field,
				unsigned int i)
{
	if (!field->value.count)
		seq_buf_printf(args, "REC->%s", field->name);
	else if (event_field_has_elements(field))
		seq_buf_printf(args, "REC->%s", event_field_element(field, i));
	else
		seq_buf_printf(args, "REC->%s[%u]", field->name, i);
}

/* Not 0 if the field is a fault: its bit is set and, if others share the bit, it is 0. */
static void print_fmt_put_fault(struct print_fmt *fmt, unsigned int nr)
{
	const struct event_field *field = &fmt->fields->field[nr];
	unsigned int i = 0;

	seq_buf_printf(&fmt->args, "REC->" PROBE_FAULT_FIELD " & 0x%llx", event_field_bit(nr));
	if (nr < EVENT_FIELD_SHARED_BIT)
		return;
	do {
		seq_buf_puts(&fmt->args, " && !(");
		print_fmt_put_value(&fmt->args, field, i);
		seq_buf_puts(&fmt->args, ")");
	} while (++i < field->value.count);
}

/* Text for a fault, and for a value: the last three, one after the other. */
static void print_fmt_put_choice(struct print_fmt *fmt, unsigned int nr, const char *fault,
				 const char *tail, const char *between, const char *lead)
{
	seq_buf_puts(&fmt->text, "%s");
	seq_buf_puts(&fmt->args, ", ");
	print_fmt_put_fault(fmt, nr);
	seq_buf_printf(&fmt->args, " ? \"%s\" : \"%s%s%s\"", fault, tail, between, lead);
}

/* A value that prints nothing if it is a fault. A character does so anyway, it is NUL. */
static void print_fmt_put_hidden(struct print_fmt *fmt, unsigned int nr, unsigned int i,
				 const struct print_parts *parts)
{
	const struct event_field *field = &fmt->fields->field[nr];

	seq_buf_puts(&fmt->args, ", ");
	if (field->value.value->kind == VALUE_CHAR) {
		seq_buf_puts(&fmt->text, "%s");
	} else {
		seq_buf_printf(&fmt->text, "%%.*%s", parts->conversion);
		seq_buf_puts(&fmt->args, "!(");
		print_fmt_put_fault(fmt, nr);
		seq_buf_puts(&fmt->args, "), ");
	}
	print_fmt_put_value(&fmt->args, field, i);
}

static void print_fmt_put_either(struct print_fmt *fmt, unsigned int nr)
{
	const struct event_field *field = &fmt->fields->field[nr];
	struct print_parts parts = print_parts_of(field->value.value);
	unsigned int i, count = field->value.count;

	print_fmt_put_choice(fmt, nr, "(fault)", "", count ? "{" : "", parts.lead);
	print_fmt_put_hidden(fmt, nr, 0, &parts);
	for (i = 1; i < count; i++) {
		print_fmt_put_choice(fmt, nr, "", parts.tail, ",", parts.lead);
		print_fmt_put_hidden(fmt, nr, i, &parts);
	}
	if (count || *parts.tail)
		print_fmt_put_choice(fmt, nr, "", parts.tail, count ? "}" : "", "");
}

static void print_fmt_put_plain(struct print_fmt *fmt, unsigned int nr)
{
	const struct event_field *field = &fmt->fields->field[nr];
	const char *print = field->value.value->print;
	unsigned int i = 0;

	do {
		if (field->value.count)
			seq_buf_putc(&fmt->text, i ? ',' : '{');
		seq_buf_puts(&fmt->text, print);
		seq_buf_puts(&fmt->args, ", ");
		print_fmt_put_value(&fmt->args, field, i);
	} while (++i < field->value.count);
	if (field->value.count)
		seq_buf_putc(&fmt->text, '}');
}

/* What cannot be hidden: a symbol; an array whose bit is shared, as its test is too long. */
static bool print_fmt_can_hide(const struct event_field *field, unsigned int nr)
{
	return field->value.value->kind != VALUE_SYMBOL &&
	       (nr < EVENT_FIELD_SHARED_BIT || !field->value.count);
}

static void print_fmt_put_number(struct print_fmt *fmt, unsigned int nr)
{
	if (fmt->fields->fault && print_fmt_can_hide(&fmt->fields->field[nr], nr)) {
		print_fmt_put_either(fmt, nr);
		return;
	}
	if (fmt->fields->fault)
		print_fmt_put_choice(fmt, nr, "(fault)", "", "", "");
	print_fmt_put_plain(fmt, nr);
}

/*
 * A quote, or @fault for a fault, which is a data_loc without a length. The quote is the
 * delimiter of two flags without names. Scripts that perf generates take the first field of
 * __print_flags() for one of flags, and so not for the string that it is. That is why the first
 * one is common_type, which no script shows and which is never 0.
 */
static void print_fmt_put_quote(struct print_fmt *fmt, const char *name, const char *fault)
{
	seq_buf_puts(&fmt->text, "%s");
	seq_buf_printf(&fmt->args, ", __print_flags((REC->common_type && REC->%s < 0x10000)", name);
	seq_buf_puts(&fmt->args, " ? 4 : 3, '\"', ");
	seq_buf_printf(&fmt->args, "{1, \"\"}, {2, \"\"}, {4, \"%s\"})", fault);
}

static void print_fmt_put_text(struct print_fmt *fmt, const char *name)
{
	if (!fmt->fields->fault) {
		seq_buf_puts(&fmt->text, "\\\"%s\\\"");
		seq_buf_printf(&fmt->args, ", __get_str(%s)", name);
		return;
	}
	print_fmt_put_quote(fmt, name, "(fault)");
	seq_buf_puts(&fmt->text, "%s");
	seq_buf_printf(&fmt->args, ", __get_str(%s)", name);
	print_fmt_put_quote(fmt, name, "");
}

static void print_fmt_put_texts(struct print_fmt *fmt, const struct event_field *field)
{
	unsigned int i;

	if (!field->value.count) {
		print_fmt_put_text(fmt, field->name);
		return;
	}
	for (i = 0; i < field->value.count; i++) {
		seq_buf_putc(&fmt->text, i ? ',' : '{');
		print_fmt_put_text(fmt, event_field_element(field, i));
	}
	seq_buf_putc(&fmt->text, '}');
}

static void print_fmt_put(struct print_fmt *fmt, const char *head, const char *head_args)
{
	const struct event_field *field = fmt->fields->field;
	unsigned int i;

	seq_buf_printf(&fmt->text, "\"%s", head);
	for (i = 0; i < fmt->fields->nr; i++, field++) {
		seq_buf_printf(&fmt->text, " %s=", field->name);
		if (value_type_is_text(field->value.value))
			print_fmt_put_texts(fmt, field);
		else
			print_fmt_put_number(fmt, i);
	}
	seq_buf_printf(&fmt->text, "\", %s%s", head_args, seq_buf_str(&fmt->args));
}

/* The line, NULL without memory, or an error pointer if it is longer than @size. */
static char *print_fmt_make(const struct event_fields *fields, const char *head,
			    const char *head_args, size_t size)
{
	struct print_fmt fmt = { .fields = fields };
	char *buffer = kvmalloc(2 * size, GFP_KERNEL), *line = ERR_PTR(-E2BIG);

	if (!buffer)
		return NULL;
	seq_buf_init(&fmt.text, buffer, size);
	seq_buf_init(&fmt.args, buffer + size, size);
	print_fmt_put(&fmt, head, head_args);
	if (!seq_buf_has_overflowed(&fmt.text) && !seq_buf_has_overflowed(&fmt.args))
		line = kvmemdup(seq_buf_str(&fmt.text), seq_buf_used(&fmt.text) + 1, GFP_KERNEL);
	kvfree(buffer);
	return line;
}

/**
 * event_fields_print_fmt() - the "print fmt" line of the format file
 * @fields: the fields
 * @head: the conversions for the head of the record
 * @head_args: what they convert
 *
 * Context: may sleep.
 * Return: the text, to be freed with kvfree(), or NULL without memory.
 */
char *event_fields_print_fmt(const struct event_fields *fields, const char *head,
			     const char *head_args)
{
	size_t size = 512;
	char *line;

	do {
		line = print_fmt_make(fields, head, head_args, size);
		size *= 2;
	} while (IS_ERR(line));
	return line;
}
