// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading memory of the kernel and of user space, bytes and strings, in any context.
 */
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/tlb.h>
#include <asm/tlbflush.h>

#include "fetch.h"

/* A kernel thread has none, but that of the process before it may still be mapped. */
static __always_inline bool fetch_has_user_memory(void)
{
	return current->mm && nmi_uaccess_okay();
}

/* A pointer of user space may have a tag, as with TBI and MTE of arm64. */
static __always_inline bool fetch_is_user(unsigned long addr)
{
	return untagged_addr(addr) < TASK_SIZE;
}

/* Read by the tag, which memory may have as well */
static bool fetch_copy_user(void *dst, unsigned long addr, unsigned int len)
{
	unsigned long left;

	if (!__access_ok((const void __user *)untagged_addr(addr), len))
		return false;
	pagefault_disable();
	left = __copy_from_user_inatomic(dst, (const void __user *)addr, len);
	pagefault_enable();
	return !left;
}
NOKPROBE_SYMBOL(fetch_copy_user);

/**
 * fetch_user_memory() - read memory of user space
 * @dst: gets the bytes
 * @addr: their address
 * @len: their number
 *
 * Context: any; pages that are not present are not faulted in.
 * Return: false if not all of it could be read.
 */
bool fetch_user_memory(void *dst, unsigned long addr, unsigned int len)
{
	return fetch_has_user_memory() && fetch_copy_user(dst, addr, len);
}
NOKPROBE_SYMBOL(fetch_user_memory);

static bool fetch_kernel_memory(void *dst, unsigned long addr, unsigned int len)
{
	unsigned long word;

	if (len > sizeof(word) || !is_power_of_2(len))
		return !copy_from_kernel_nofault(dst, (void *)addr, len);
	if (!copy_from_kernel_nofault_allowed((void *)addr, len) ||
	    !fetch_read(&word, addr, len))
		return false;
	fetch_put(dst, word, len);
	return true;
}
NOKPROBE_SYMBOL(fetch_kernel_memory);

/**
 * fetch_memory() - read memory
 * @dst: gets the bytes
 * @addr: their address
 * @len: their number
 * @user: @addr is in user space; a pointer of user space always is
 *
 * Context: any; pages that are not present are not faulted in.
 * Return: false if not all of it could be read.
 */
bool fetch_memory(void *dst, unsigned long addr, unsigned int len, bool user)
{
	if (user || fetch_is_user(addr))
		return fetch_user_memory(dst, addr, len);
	return fetch_kernel_memory(dst, addr, len);
}
NOKPROBE_SYMBOL(fetch_memory);

/* The system calls of a task may refuse tags that its own loads ignore */
static long text_copy_tagged(char *dst, unsigned long addr, unsigned int room)
{
	long len = strncpy_from_user_nofault(dst, (const void __user *)addr, room);
	unsigned long untagged = untagged_addr(addr);

	if (len >= 0 || untagged == addr)
		return len;
	return strncpy_from_user_nofault(dst, (const void __user *)untagged, room);
}
NOKPROBE_SYMBOL(text_copy_tagged);

static long text_copy_user(char *dst, unsigned long addr, unsigned int room)
{
	long len = fetch_has_user_memory() ? text_copy_tagged(dst, addr, room) : -EFAULT;

	return len ? len : 1;	/* strncpy_from_user_nofault() returns 0 for "" */
}
NOKPROBE_SYMBOL(text_copy_user);

static __always_inline long text_read(char *dst, unsigned long addr, unsigned int room, bool user)
{
	if (user || fetch_is_user(addr))
		return text_copy_user(dst, addr, room);
	return strncpy_from_kernel_nofault(dst, (void *)addr, room);
}

/*
 * text_read() has replaced the last byte of an array by a NUL, so the byte is read again. With
 * room for one more, text_read() would also read one more, which may not be mapped.
 */
static long text_end_array(char *dst, unsigned long addr, unsigned int size, bool user)
{
	if (!fetch_memory(dst + size - 1, addr + size - 1, 1, user))
		return -EFAULT;
	if (!dst[size - 1])
		return size;
	dst[size] = '\0';
	return size + 1;
}
NOKPROBE_SYMBOL(text_end_array);

/**
 * fetch_string() - read a string
 * @dst: gets it, cut if need be, with a NUL
 * @addr: its address
 * @room: bytes at @dst
 * @max: see fetch_program::text_max
 * @user: @addr is in user space; a pointer of user space always is
 *
 * Context: any; pages that are not present are not faulted in.
 * Return: bytes written, with the NUL, or a negative error.
 */
long fetch_string(char *dst, unsigned long addr, unsigned int room, unsigned int max, bool user)
{
	unsigned int size = max && max <= room ? max - 1 : 0;
	long len = text_read(dst, addr, size ?: room, user);

	return size && len == size ? text_end_array(dst, addr, size, user) : len;
}
NOKPROBE_SYMBOL(fetch_string);
