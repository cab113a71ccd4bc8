// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of methods. A method of the test upgrades trap points, as a jump would. It
 * is armed after the trap, refused while another point is in its window, and gives a
 * point back when another one is added there. Its data is freed after the point.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "../core.h"
#include "../jump.h"
#include "../method.h"
#include "../point.h"
#include "../table.h"
#include "trap_places.h"

#define WINDOW		8
#define HIDDEN		0xa5
#define KPROBE_LIST	"/sys/kernel/debug/kprobes/list"

/* The operations since the case began: a letter for each point */
static char wide_log[16];
static unsigned int wide_prepared, wide_released, method_hits;
static int wide_error;

/* Is the next point that goes late? */
static bool wide_late;

/* Does the method give other bytes than those that were there? */
static bool wide_lies;

static void wide_note(char letter)
{
	size_t length = strlen(wide_log);

	if (length < sizeof(wide_log) - 1)
		wide_log[length] = letter;
}

static bool wide_admits(const struct kprobe_point *point)
{
	return !point->post && kprobe_window_is_free(point, WINDOW);
}

static int wide_prepare(struct kprobe_point *point, struct kprobe_place *place)
{
	point->data = kmalloc(WINDOW, GFP_KERNEL);
	if (!point->data)
		return -ENOMEM;
	if (wide_lies)
		memset(point->data, HIDDEN, WINDOW);
	else
		kprobe_text_read(point->addr, point->data, WINDOW);
	wide_prepared++;
	wide_note('p');
	return 0;
}

static void wide_arm(struct list_head *points)
{
	struct kprobe_point *point;

	list_for_each_entry(point, points, batch) {
		point->error = wide_error;
		if (!wide_error)
			point->state = KPROBE_STATE_JUMP;
		wide_note(wide_error ? 'e' : 'a');
	}
}

static void wide_disarm(struct list_head *points)
{
	struct kprobe_point *point;

	list_for_each_entry(point, points, batch) {
		point->late = wide_late;
		if (!wide_late)
			point->state = KPROBE_STATE_TRAP;
		wide_note(wide_late ? 'l' : 'd');
		wide_late = false;
	}
}

static void wide_release(struct kprobe_point *point)
{
	kfree(point->data);
	wide_released++;
}

static void wide_show(struct seq_file *m, const struct kprobe_point *point)
{
	seq_puts(m, "[WIDE]");
}

static void wide_text(const struct kprobe_point *point, unsigned long addr, u8 *buf,
		      size_t len)
{
	const u8 *text = point->data;
	unsigned int i;

	for (i = 0; i < WINDOW; i++) {
		if (point->addr + i - addr < len)
			buf[point->addr + i - addr] = text[i];
	}
}

static const struct kprobe_method wide_method = {
	.name		= "wide",
	.over		= &kprobe_trap_method,
	.flag		= KPROBE_FLAG_OPTIMIZED,
	.reach		= WINDOW,
	.slots		= true,
	.admits		= wide_admits,
	.prepare	= wide_prepare,
	.arm		= wide_arm,
	.disarm		= wide_disarm,
	.release	= wide_release,
	.show		= wide_show,
	.text		= wide_text,
};

static int method_count(struct kprobe *p, struct pt_regs *regs)
{
	method_hits++;
	return 0;
}

static void method_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe method_client(const u8 *addr)
{
	return (struct kprobe) { .addr = (void *)addr, .pre_handler = method_count };
}

static void method_expect(struct kunit *test, const char *log, bool upgraded,
			  const struct kprobe *p)
{
	KUNIT_EXPECT_STREQ(test, wide_log, log);
	KUNIT_EXPECT_EQ(test, kprobe_optimized(p), upgraded);
	method_hits = 0;
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
	KUNIT_EXPECT_GT(test, method_hits, 0);
}

/* Data is made once, kept while the point is disarmed, and freed after it */
static void test_upgrade(struct kunit *test)
{
	struct kprobe p = method_client(trap_place_copied);

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	method_expect(test, "pa", true, &p);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	KUNIT_EXPECT_STREQ(test, wide_log, "pad");
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	method_expect(test, "pada", true, &p);
	unregister_kprobe(&p);
	KUNIT_EXPECT_STREQ(test, wide_log, "padad");
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
}

/* A new point in the window makes the upgrade give the point back to the trap */
static void test_neighbour_comes(struct kunit *test)
{
	struct kprobe p = method_client(trap_place_copied), q = method_client(trap_place_inside);

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	method_expect(test, "pa", true, &p);
	KUNIT_ASSERT_EQ(test, register_kprobe(&q), 0);
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&q));
	method_expect(test, "padpa", false, &p);
	KUNIT_EXPECT_EQ(test, method_hits, 2);
	unregister_kprobe(&q);
	method_expect(test, "padpada", true, &p);
	unregister_kprobe(&p);
}

/* A point in the window prevents the upgrade until it is removed */
static void test_neighbour_goes(struct kunit *test)
{
	struct kprobe p = method_client(trap_place_copied), q = method_client(trap_place_inside);

	q.flags = KPROBE_FLAG_DISABLED;
	KUNIT_ASSERT_EQ(test, register_kprobe(&q), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	method_expect(test, "", false, &p);
	unregister_kprobe(&q);
	method_expect(test, "pa", true, &p);
	unregister_kprobe(&p);
}

/* A post-handler needs the trap again */
static void test_client_comes(struct kunit *test)
{
	struct kprobe p = method_client(trap_place_copied), q = method_client(trap_place_copied);

	q.post_handler = method_post;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&q), 0);
	method_expect(test, "pad", false, &p);
	unregister_kprobe(&q);
	method_expect(test, "pada", true, &p);
	unregister_kprobe(&p);
}

/* An upgrade that fails is no error of the client */
static void test_failure(struct kunit *test)
{
	struct kprobe p = method_client(trap_place_copied);

	wide_error = -EBUSY;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	wide_error = 0;
	method_expect(test, "pe", false, &p);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	method_expect(test, "pea", true, &p);
	unregister_kprobe(&p);
}

/* An upgrade keeps a point whose text cannot be put back, until a worker can do it */
static void test_late(struct kunit *test)
{
	struct kprobe p = method_client(trap_place_copied);
	int i;

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	wide_late = true;
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	KUNIT_EXPECT_STREQ(test, wide_log, "pal");
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	for (i = 0; i < 500 && kprobe_optimized(&p); i++)
		msleep(20);
	KUNIT_EXPECT_STREQ(test, wide_log, "pald");
	KUNIT_EXPECT_FALSE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
	unregister_kprobe(&p);
}

static void method_read(struct kunit *test, u8 *buf)
{
	guard(mutex)(&kprobe_mutex);
	KUNIT_EXPECT_EQ(test, kprobe_text_read((unsigned long)trap_place_copied - 2, buf,
					       WINDOW + 4), WINDOW + 4);
}

/* The method supplies the original text, in the window and nowhere else */
static void test_text(struct kunit *test)
{
	struct kprobe p = method_client(trap_place_copied);
	u8 before[WINDOW + 4], during[WINDOW + 4], after[WINDOW + 4];

	wide_lies = true;
	method_read(test, before);
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	method_read(test, during);
	unregister_kprobe(&p);
	method_read(test, after);
	KUNIT_EXPECT_MEMEQ(test, before, after, sizeof(before));
	KUNIT_EXPECT_MEMEQ(test, before, during, 2);
	KUNIT_EXPECT_MEMEQ(test, before + 2 + WINDOW, during + 2 + WINDOW, 2);
	memset(before + 2, HIDDEN, WINDOW);
	KUNIT_EXPECT_MEMEQ(test, before, during, sizeof(before));
}

static ssize_t method_read_list(char __user *to)
{
	struct file *file = filp_open(KPROBE_LIST, O_RDONLY, 0);
	loff_t pos = 0;
	ssize_t len;

	if (IS_ERR(file))
		return PTR_ERR(file);
	len = file->f_op->read(file, to, PAGE_SIZE - 1, &pos);
	filp_close(file, NULL);
	return len;
}

/* The text of debugfs kprobes/list; NULL if there is no such file */
static const char *method_list(struct kunit *test)
{
	char *text = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	unsigned long addr = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
					   MAP_ANONYMOUS | MAP_PRIVATE, 0);
	ssize_t len;

	if (!text || !addr || IS_ERR_VALUE(addr))
		return NULL;
	len = method_read_list((char __user *)addr);
	if (len < 0 || copy_from_user(text, (char __user *)addr, len))
		return NULL;
	return text;
}

static void test_show(struct kunit *test)
{
	struct kprobe p = method_client(trap_place_copied);
	const char *list;

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	list = method_list(test);
	unregister_kprobe(&p);
	if (!list)
		kunit_skip(test, "no " KPROBE_LIST);
	KUNIT_EXPECT_NOT_NULL(test, strstr(list, "[OPTIMIZED][WIDE]\n"));
	KUNIT_EXPECT_NULL(test, strstr(method_list(test), "[WIDE]"));
}

static int method_begin(struct kunit *test)
{
	memset(wide_log, 0, sizeof(wide_log));
	wide_error = 0;
	wide_late = false;
	wide_lies = false;
	/* A point has one upgrade, and this method comes after the jump */
	kprobe_set_jumps_forbidden(true);
	return kprobe_method_add(&wide_method);
}

/* Points of the method are freed after a grace period; no caller waits for it */
static void method_end(struct kunit *test)
{
	int i;

	for (i = 0; i < 500 && wide_released != wide_prepared; i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, wide_released, wide_prepared);
	kprobe_method_remove();
	kprobe_set_jumps_forbidden(false);
}

static struct kunit_case method_cases[] = {
	KUNIT_CASE(test_upgrade),
	KUNIT_CASE(test_neighbour_comes),
	KUNIT_CASE(test_neighbour_goes),
	KUNIT_CASE(test_client_comes),
	KUNIT_CASE(test_failure),
	KUNIT_CASE_SLOW(test_late),
	KUNIT_CASE(test_text),
	KUNIT_CASE(test_show),
	{}
};

static struct kunit_suite method_suite = {
	.name = "kprobes_method",
	.init = method_begin,
	.exit = method_end,
	.test_cases = method_cases,
};

kunit_test_suite(method_suite);

MODULE_DESCRIPTION("KUnit tests of methods, with one that upgrades traps");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
