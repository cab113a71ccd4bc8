/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the kernel's headers that the parser uses, for a build in user space. The
 * Makefile makes this file every <linux/...> header.
 *
 * Memory comes from shim.c, which can refuse the n-th request.
 */
#ifndef _SHIM_H
#define _SHIM_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define GFP_KERNEL		0u
#define __counted_by(...)
#define fallthrough		__attribute__((__fallthrough__))
#define ARCH_KPROBE_SIGNS_CODE	0
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define is_power_of_2(n) ((n) && !((n) & ((n) - 1)))
#define ALIGN(x, a)		(((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define round_up(x, y)		ALIGN(x, y)
#define THREAD_SIZE		16384ul
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define struct_size(p, member, n) \
	(sizeof(*(p)) + sizeof((p)->member[0]) * (size_t)(n))

#define min(a, b)							       \
({									       \
	__auto_type min_a = (a);					       \
	__auto_type min_b = (b);					       \
	min_a < (__typeof__(min_a))min_b ? min_a : (__typeof__(min_a))min_b;   \
})
#define max(a, b)							       \
({									       \
	unsigned long max_a = (a), max_b = (b);				       \
	max_a > max_b ? max_a : max_b;					       \
})

/* err.h */
#define MAX_ERRNO		4095

static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

static inline long PTR_ERR(const void *ptr)
{
	return (long)ptr;
}

static inline void *ERR_CAST(const void *ptr)
{
	return (void *)ptr;
}

static inline bool IS_ERR(const void *ptr)
{
	return (unsigned long)ptr >= (unsigned long)-MAX_ERRNO;
}

/* ctype.h: the kernel's, independent of the locale */
static inline int isdigit(int c)
{
	return c >= '0' && c <= '9';
}

static inline int isalpha(int c)
{
	c &= 0xff;
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
	       (c >= 0xc0 && c != 0xd7 && c != 0xf7);
}

static inline int isascii(int c)
{
	return !(c & ~0x7f);
}

static inline int isspace(int c)
{
	c &= 0xff;
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xa0;
}

/* shim.c */
extern unsigned int shim_fail_nth;	/* request to refuse, 0: none */
extern unsigned int shim_requests;	/* made since shim_start() */
extern long shim_live;			/* allocations not freed */

void shim_start(unsigned int fail_nth);
void *kmalloc(size_t size, unsigned int flags);
void *kzalloc(size_t size, unsigned int flags);
void *kcalloc(size_t n, size_t size, unsigned int flags);
void kfree(const void *ptr);
char *kmemdup_nul(const char *text, size_t len, unsigned int flags);
char *kasprintf(unsigned int flags, const char *format, ...);
int kstrtoul(const char *text, unsigned int base, unsigned long *value);
int kstrtol(const char *text, unsigned int base, long *value);
ssize_t strscpy(char *to, const char *from, size_t size);

#endif /* _SHIM_H */
