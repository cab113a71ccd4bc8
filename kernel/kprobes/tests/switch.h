/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_SWITCH_H
#define _KERNEL_KPROBES_TESTS_SWITCH_H
/*
 * Switches that are files: how user space turns them. One test a module includes
 * this; its cases begin with make_switch_text().
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mman.h>
#include <linux/uaccess.h>

/* Of all probes */
#define SWITCH		"/sys/kernel/debug/kprobes/enabled"

/* Memory of a user, which files that are no part of the VFS want their text in */
static char __user *switch_text;

static inline int make_switch_text(struct kunit *test)
{
	unsigned long addr;

	addr = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
			     MAP_ANONYMOUS | MAP_PRIVATE, 0);
	if (!addr || IS_ERR_VALUE(addr))
		return -ENOMEM;
	switch_text = (char __user *)addr;
	return 0;
}

static inline ssize_t switch_write(struct file *file, char digit)
{
	loff_t pos = 0;

	if (file->f_op->write_iter)
		return kernel_write(file, &digit, 1, &pos);
	if (put_user(digit, switch_text))
		return -EFAULT;
	return file->f_op->write(file, switch_text, 1, &pos);
}

static inline int turn(const char *what, bool on)
{
	struct file *file = filp_open(what, O_WRONLY, 0);
	ssize_t ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = switch_write(file, on ? '1' : '0');
	filp_close(file, NULL);
	return ret == 1 ? 0 : ret;
}

#endif /* _KERNEL_KPROBES_TESTS_SWITCH_H */
