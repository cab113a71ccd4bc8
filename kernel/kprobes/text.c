// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's text without probes, whatever methods they use.
 */
#include <kunit/visibility.h>
#include <linux/kprobe-arch.h>
#include <linux/uaccess.h>
#include "core.h"
#include "method.h"
#include "point.h"
#include "table.h"

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
	for (at = addr - text_reach() + 1; at < addr + len; at++) {
		point = kprobe_point_find(at);
		if (point)
			text_restore(point, addr, buf, len);
	}
	return len;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_text_read);
