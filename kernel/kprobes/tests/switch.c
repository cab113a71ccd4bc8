// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Switches that are files: writes to them as user space would.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mman.h>
#include <linux/uaccess.h>
#include "switch.h"

/* User memory, from which files outside the VFS need to read their text */
static char __user *switch_text;

/**
 * make_switch_text() - map the user memory that switch_turn() writes from
 * @test: the case that is run; the memory goes with it
 *
 * Return: 0 or -ENOMEM.
 */
int make_switch_text(struct kunit *test)
{
	unsigned long addr;

	addr = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
			     MAP_ANONYMOUS | MAP_PRIVATE, 0);
	if (!addr || IS_ERR_VALUE(addr))
		return -ENOMEM;
	switch_text = (char __user *)addr;
	return 0;
}

static ssize_t switch_write(struct file *file, char digit)
{
	loff_t pos = 0;

	if (file->f_op->write_iter)
		return kernel_write(file, &digit, 1, &pos);
	if (put_user(digit, switch_text))
		return -EFAULT;
	return file->f_op->write(file, switch_text, 1, &pos);
}

/**
 * switch_turn() - write 0 or 1 to a file
 * @what: the file's path
 * @on: write 1
 *
 * Return: 0 or a negative error.
 */
int switch_turn(const char *what, bool on)
{
	struct file *file = filp_open(what, O_WRONLY, 0);
	ssize_t ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = switch_write(file, on ? '1' : '0');
	filp_close(file, NULL);
	return ret == 1 ? 0 : ret;
}
