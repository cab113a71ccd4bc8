// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of windows whose text another owner changes, as a debugger does.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/kgdb.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "../../window.h"
#include "../poke.h"
#include "window_places.h"

/* The number that the second instruction of window_place() adds, and where that is */
#define CHANGED_FROM	2
#define CHANGED_TO	66
#define CHANGED_AT	2

/* Milliseconds in which a pass has begun, and may be over */
#define CHANGED_TIME	300

static int changed_pre(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

static void changed_poke(struct kunit *test, u8 value)
{
	poke_text(test, window_second + CHANGED_AT, &value, sizeof(value));
}

/* Calls while a pass goes on */
static void changed_call(struct kunit *test)
{
	int i, wrong = 0;

	for (i = 0; i < CHANGED_TIME; i++) {
		wrong += window_place(10) != 17 + CHANGED_TO - CHANGED_FROM;
		usleep_range(1000, 1100);
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	kprobe_windows_wait();
}

/*
 * A window was copied, and is changed while its probe is disabled: what is there now is
 * executed. Changed back, it becomes a jump again.
 */
static void changed_test_copied(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)window_first, .pre_handler = changed_pre };

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	kprobe_windows_wait();
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	changed_poke(test, CHANGED_TO);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	changed_call(test);
	KUNIT_EXPECT_FALSE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	changed_poke(test, CHANGED_FROM);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	kprobe_windows_wait();
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
	unregister_kprobe(&p);
}

#ifdef CONFIG_KGDB
/* A jump that has been prepared is not written while a debugger is there, but when it has gone */
static void changed_test_debugged(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)window_first, .pre_handler = changed_pre };
	int i;

	KUNIT_ASSERT_EQ(test, kgdb_connected, 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	kprobe_windows_wait();
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	kgdb_connected = 1;
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	msleep(CHANGED_TIME);
	kprobe_windows_wait();
	KUNIT_EXPECT_FALSE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
	kgdb_connected = 0;
	for (i = 0; i < 20 && !kprobe_optimized(&p); i++)
		msleep(CHANGED_TIME);
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
	unregister_kprobe(&p);
}
#endif

static struct kunit_case changed_cases[] = {
	KUNIT_CASE_SLOW(changed_test_copied),
#ifdef CONFIG_KGDB
	KUNIT_CASE_SLOW(changed_test_debugged),
#endif
	{}
};

static struct kunit_suite changed_suite = {
	.name = "kprobes_changed",
	.test_cases = changed_cases,
};

kunit_test_suite(changed_suite);

MODULE_DESCRIPTION("KUnit tests of windows whose text changes");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
