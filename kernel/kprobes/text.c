// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's text without probes, whatever methods they use.
 */
#include <kunit/visibility.h>
#include <linux/align.h>
#include <linux/kgdb.h>
#include <linux/kprobe-arch.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "core.h"
#include "method.h"
#include "point.h"
#include "table.h"
#include "text.h"

/**
 * kprobe_text_is() - does text consist of these bytes
 * @addr: its address
 * @bytes: the bytes
 * @size: their number, at most ARCH_KPROBE_TEXT_SIZE
 *
 * Context: process context.
 * Return: true if so; false also if it cannot be read.
 */
bool kprobe_text_is(unsigned long addr, const u8 *bytes, size_t size)
{
	u8 text[ARCH_KPROBE_TEXT_SIZE];

	return !copy_from_kernel_nofault(text, (void *)addr, size) && !memcmp(text, bytes, size);
}

/**
 * kprobe_text_is_ours() - is text what a probe has written there
 * @addr: its address
 * @bytes: the bytes that the probe has written
 * @size: their number, at most ARCH_KPROBE_TEXT_SIZE
 *
 * If it is not, another owner has changed it. The log says so, and the caller leaves it
 * as it is.
 *
 * Context: process context.
 * Return: true if it is.
 */
bool kprobe_text_is_ours(unsigned long addr, const u8 *bytes, size_t size)
{
	if (kprobe_text_is(addr, bytes, size))
		return true;
	pr_warn("kprobes: %pS has changed under a probe\n", (void *)addr);
	return false;
}

/**
 * kprobe_text_has_breakpoint() - has the debugger put a breakpoint over an instruction?
 * @addr: address of the instruction
 *
 * Context: any.
 * Return: true if so: what is under it is not known.
 */
#ifdef CONFIG_KGDB
bool kprobe_text_has_breakpoint(unsigned long addr)
{
	return kgdb_has_hit_break(addr);
}
#else
bool kprobe_text_has_breakpoint(unsigned long addr)
{
	return false;
}
#endif

/**
 * kprobe_text_put() - put a piece of text over what was read from around it
 * @from: address of the piece
 * @bytes: the piece
 * @size: its bytes
 * @addr: address that @buf was read from
 * @buf: the buffer
 * @len: its bytes
 *
 * Context: any.
 */
void kprobe_text_put(unsigned long from, const u8 *bytes, size_t size, unsigned long addr,
		     u8 *buf, size_t len)
{
	size_t i;

	for (i = 0; i < size; i++) {
		if (from + i - addr < len)
			buf[from + i - addr] = bytes[i];
	}
}

static void text_restore(const struct kprobe_point *point, unsigned long addr, u8 *buf,
			 size_t len)
{
	const struct kprobe_method *method;

	if (point->state == KPROBE_STATE_NONE)
		return;
	/* An upgrade replaces more bytes than its base, so its bytes are restored last */
	method = point->method;
	if (method->over && method->over->text)
		method->over->text(point, addr, buf, len);
	if (method->text)
		method->text(point, addr, buf, len);
}

static unsigned int text_reach(void)
{
	const struct kprobe_method *method = NULL;
	unsigned int reach = 1;

	while ((method = kprobe_method_next(method)))
		reach = max_t(unsigned int, reach, method->reach);
	return reach;
}

/**
 * kprobe_text_read() - read text as it would be without probes
 * @addr: address to read from
 * @buf: destination
 * @len: number of bytes
 *
 * Context: process context, under the core mutex.
 * Return: @len, or -EFAULT.
 */
int kprobe_text_read(unsigned long addr, u8 *buf, size_t len)
{
	struct kprobe_point *point;
	unsigned long at;

	lockdep_assert_held(&kprobe_mutex);
	if (copy_from_kernel_nofault(buf, (void *)addr, len))
		return -EFAULT;
	at = ALIGN_DOWN(addr - text_reach() + 1, ARCH_KPROBE_ALIGNMENT);
	for (; at < addr + len; at += ARCH_KPROBE_ALIGNMENT) {
		point = kprobe_point_find(at);
		if (point)
			text_restore(point, addr, buf, len);
	}
	return len;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_text_read);
