// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of points by itself: points that are in each other's way, and searches while
 * points come and go. The points here have no text; the core mutex is held, so nobody but
 * searches sees them.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/container_of.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "../core.h"
#include "../table.h"

/* Points, and those of them that stay while the others come and go */
#define POINTS	200
#define STAY	100

/* Points elsewhere, whose placeholders fill a table of a few thousand slots */
#define SPREAD	1000

/* Points that are searched for at once, and ns until the next search */
#define SEARCHED	10
#define SEARCH_PERIOD	(100 * NSEC_PER_USEC)

/* Searches of a test, and the time that they may take: debug kernels take long */
#define SEARCHES	10000
#define SEARCH_LIMIT	(60 * HZ)

/* Searches for all points of a test begin in 32 slots of the table that is there then */
#define CROWD_BITS	5

struct table_test {
	struct kprobe_point	*points;
	struct kprobe_point	*spread;
	struct hrtimer		timer;
	unsigned long		searches;
	unsigned long		missed;
};

/* Addresses of data: there is no probe at any of them */
static void table_test_crowd(struct table_test *table)
{
	unsigned long addr = (unsigned long)table->points;
	unsigned long crowd = kprobe_table_index(kprobe_table, addr) >> CROWD_BITS;
	unsigned int i;

	for (i = 0; i < POINTS; addr++) {
		if (kprobe_table_index(kprobe_table, addr) >> CROWD_BITS != crowd)
			continue;
		INIT_LIST_HEAD(&table->points[i].clients);
		table->points[i++].addr = addr;
	}
}

static void table_test_spread(struct kunit *test, struct table_test *table)
{
	unsigned int i;

	table->spread = kunit_kcalloc(test, SPREAD, sizeof(*table->spread), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, table->spread);
	for (i = 0; i < SPREAD; i++) {
		INIT_LIST_HEAD(&table->spread[i].clients);
		table->spread[i].addr = (unsigned long)table->spread + i;
	}
}

static void table_test_begin(struct kunit *test, struct table_test *table)
{
	table->points = kunit_kcalloc(test, POINTS, sizeof(*table->points), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, table->points);
}

static unsigned int table_test_found(struct table_test *table, unsigned int from, unsigned int to)
{
	unsigned int i, found = 0;

	guard(preempt)();
	for (i = from; i < to; i++)
		found += kprobe_point_find(table->points[i].addr) == &table->points[i];
	return found;
}

/* Slots that a search for a point looks at before its own */
static unsigned int table_test_distance(struct kprobe_point *point)
{
	unsigned int first = kprobe_table_index(kprobe_table, point->addr), i = first;

	while (kprobe_table->slot[i] != point)
		i = (i + 1) & kprobe_table->mask;
	return (i - first) & kprobe_table->mask;
}

static void table_test_add(struct kunit *test, struct table_test *table, unsigned int from)
{
	unsigned int i;

	for (i = from; i < POINTS; i++)
		KUNIT_ASSERT_EQ(test, kprobe_table_add(&table->points[i]), 0);
}

static void table_test_remove(struct table_test *table, unsigned int from)
{
	unsigned int i;

	for (i = from; i < POINTS; i++)
		kprobe_table_remove(&table->points[i]);
}

/* Hits of other probes may look at the points until a grace period is over */
static void table_test_end(struct table_test *table)
{
	table_test_remove(table, 0);
	synchronize_rcu();
}

/* Each is found in a crowd. Those that came last are not much farther than the first ones */
static void test_crowd(struct kunit *test)
{
	unsigned int i, half, farthest[2] = { };
	struct table_test table = { };

	table_test_begin(test, &table);
	guard(mutex)(&kprobe_mutex);
	table_test_crowd(&table);
	table_test_add(test, &table, 0);
	KUNIT_EXPECT_EQ(test, table_test_found(&table, 0, POINTS), POINTS);
	for (i = 0; i < POINTS; i++) {
		half = i >= POINTS / 2;
		farthest[half] = max(farthest[half], table_test_distance(&table.points[i]));
	}
	KUNIT_EXPECT_LE(test, farthest[1], farthest[0] + farthest[0] / 4);
	table_test_end(&table);
	KUNIT_EXPECT_EQ(test, table_test_found(&table, 0, POINTS), 0);
}

/* Interrupts the task that adds and removes points, in the middle of that */
static enum hrtimer_restart table_test_search(struct hrtimer *timer)
{
	struct table_test *table = container_of(timer, struct table_test, timer);
	unsigned int from = table->searches++ % (STAY / SEARCHED) * SEARCHED;

	table->missed += SEARCHED - table_test_found(table, from, from + SEARCHED);
	hrtimer_forward_now(timer, ns_to_ktime(SEARCH_PERIOD));
	return HRTIMER_RESTART;
}

/* Replace the table by one without placeholders: in their place no point has to move up */
static void table_test_renew(struct kunit *test, struct table_test *table)
{
	unsigned int i;

	for (i = 0; i < SPREAD; i++) {
		KUNIT_ASSERT_EQ(test, kprobe_table_add(&table->spread[i]), 0);
		kprobe_table_remove(&table->spread[i]);
	}
}

/* Points that stay are found all the time */
static void test_search(struct kunit *test)
{
	struct table_test table = { };
	unsigned long end;

	table_test_begin(test, &table);
	table_test_spread(test, &table);
	guard(mutex)(&kprobe_mutex);
	table_test_crowd(&table);
	table_test_add(test, &table, 0);
	table_test_remove(&table, STAY);
	hrtimer_init(&table.timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	table.timer.function = table_test_search;
	hrtimer_start(&table.timer, ns_to_ktime(SEARCH_PERIOD), HRTIMER_MODE_REL_PINNED_HARD);
	end = jiffies + SEARCH_LIMIT;
	for (; READ_ONCE(table.searches) < SEARCHES && time_before(jiffies, end); cond_resched()) {
		table_test_renew(test, &table);
		table_test_add(test, &table, STAY);
		table_test_remove(&table, STAY);
	}
	hrtimer_cancel(&table.timer);
	KUNIT_EXPECT_GE(test, table.searches, SEARCHES);
	KUNIT_EXPECT_EQ(test, table.missed, 0);
	table_test_add(test, &table, STAY);
	table_test_end(&table);
}

static struct kunit_case table_cases[] = {
	KUNIT_CASE(test_crowd),
	KUNIT_CASE_SLOW(test_search),
	{}
};

static struct kunit_suite table_suite = {
	.name = "kprobes_table",
	.test_cases = table_cases,
};
kunit_test_suite(table_suite);

MODULE_DESCRIPTION("KUnit tests of the table of probe points");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
