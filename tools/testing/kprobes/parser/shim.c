// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parts of the kernel's allocator and number parsing that the parser uses.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "shim.h"

unsigned int shim_fail_nth;
unsigned int shim_requests;
long shim_live;

/**
 * shim_start() - start to count memory requests
 * @fail_nth: number of the request to refuse, 0 for none
 */
void shim_start(unsigned int fail_nth)
{
	shim_requests = 0;
	shim_fail_nth = fail_nth;
}

static void *allocate(size_t size, int fill)
{
	void *ptr;

	if (++shim_requests == shim_fail_nth)
		return NULL;
	ptr = malloc(size ?: 1);
	if (!ptr)
		abort();
	memset(ptr, fill, size);
	shim_live++;
	return ptr;
}

void *kmalloc(size_t size, unsigned int flags)
{
	return allocate(size, 0xa5);
}

void *kzalloc(size_t size, unsigned int flags)
{
	return allocate(size, 0);
}

void *kcalloc(size_t n, size_t size, unsigned int flags)
{
	return allocate(n * size, 0);
}

void kfree(const void *ptr)
{
	shim_live -= !!ptr;
	free((void *)ptr);
}

char *kmemdup_nul(const char *text, size_t len, unsigned int flags)
{
	char *copy = kmalloc(len + 1, flags);

	if (!copy)
		return NULL;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *kasprintf(unsigned int flags, const char *format, ...)
{
	char text[256];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return kmemdup_nul(text, len, flags);
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		return (c | 0x20) - 'a' + 10;
	return INT_MAX;
}

static unsigned int find_base(const char **text, unsigned int base)
{
	const char *t = *text;

	if (base)
		return base;
	if (t[0] != '0')
		return 10;
	if ((t[1] | 0x20) != 'x' || digit_value(t[2]) > 15)
		return 8;
	*text += 2;
	return 16;
}

int kstrtoul(const char *text, unsigned int base, unsigned long *value)
{
	unsigned long number = 0;
	int digit;

	base = find_base(&text, base);
	if (!*text)
		return -EINVAL;
	for (; *text; text++) {
		digit = digit_value(*text);
		if (digit >= (int)base)
			return -EINVAL;
		if (__builtin_mul_overflow(number, base, &number) ||
		    __builtin_add_overflow(number, digit, &number))
			return -ERANGE;
	}
	*value = number;
	return 0;
}

int kstrtol(const char *text, unsigned int base, long *value)
{
	bool negative = *text == '-';
	unsigned long number;
	int ret;

	ret = kstrtoul(text + (negative || *text == '+'), base, &number);
	if (ret)
		return ret;
	if (number > (unsigned long)LONG_MAX + negative)
		return -ERANGE;
	*value = negative ? -number : number;
	return 0;
}

ssize_t strscpy(char *to, const char *from, size_t size)
{
	size_t len = strnlen(from, size - 1);

	memcpy(to, from, len);
	to[len] = '\0';
	return from[len] ? -E2BIG : (ssize_t)len;
}
