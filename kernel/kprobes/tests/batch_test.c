// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of batches: each client has its own result, a batch can be filled and committed
 * more than once, and many are freed together.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include "ours.h"
#include "trap_places.h"

#define CLIENTS	3
#define MANY_CLIENTS	64

static unsigned int batch_hits, batch_returns, batch_frees;

static noinline int batch_target(int value)
{
	return value + 1;
}

static int batch_pre(struct kprobe *p, struct pt_regs *regs)
{
	batch_hits++;
	return 0;
}

static int batch_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	batch_returns++;
	return 0;
}

static void batch_call(void)
{
	batch_hits = 0;
	batch_returns = 0;
	OPAQUE(batch_target)(1);
	trap_place(10);
}

static struct kprobe batch_client(const void *addr)
{
	return (struct kprobe) { .addr = (void *)addr, .pre_handler = batch_pre };
}

static void batch_expect(struct kunit *test, unsigned int hits, unsigned int returns)
{
	batch_call();
	KUNIT_EXPECT_EQ(test, batch_hits, hits);
	KUNIT_EXPECT_EQ(test, batch_returns, returns);
}

/* Methods and kinds of clients mix; failures are per client */
static void test_results(struct kunit *test)
{
	struct kprobe entry = batch_client(batch_target), inside = batch_client(trap_place_copied);
	struct kprobe bad = { .symbol_name = "no_such_symbol" };
	struct kprobe refused = batch_client(trap_place_copied + 1);
	struct kretprobe rp = { .kp.addr = (void *)batch_target, .handler = batch_return };
	struct kprobe_batch *batch = kprobe_batch_alloc();

	kprobe_batch_register(batch, &entry);
	kprobe_batch_register(batch, &bad);
	kprobe_batch_register(batch, &refused);
	kprobe_batch_register_return(batch, &rp);
	kprobe_batch_register(batch, &inside);
	KUNIT_EXPECT_EQ(test, kprobe_batch_commit(batch), -ENOENT);
	KUNIT_EXPECT_EQ(test, kprobe_error(&entry), 0);
	KUNIT_EXPECT_EQ(test, kprobe_error(&bad), -ENOENT);
	KUNIT_EXPECT_NULL(test, kprobe_refusal(&bad));
	KUNIT_EXPECT_EQ(test, kprobe_error(&refused), -EILSEQ);
	KUNIT_EXPECT_NOT_NULL(test, kprobe_refusal(&refused));
	KUNIT_EXPECT_EQ(test, kprobe_error(&rp.kp), 0);
	KUNIT_EXPECT_EQ(test, kprobe_error(&inside), 0);
	batch_expect(test, 2, 1);
	kprobe_batch_unregister(batch, &entry);
	kprobe_batch_unregister(batch, &bad);
	kprobe_batch_unregister(batch, &rp.kp);
	kprobe_batch_unregister(batch, &inside);
	KUNIT_EXPECT_EQ(test, kprobe_batch_commit(batch), -EINVAL);
	KUNIT_EXPECT_EQ(test, kprobe_error(&bad), -EINVAL);
	KUNIT_EXPECT_EQ(test, kprobe_error(&rp.kp), 0);
	kprobe_batch_put(batch);
	batch_expect(test, 0, 0);
	synchronize_rcu();
}

/* The last wish of a client counts */
static void test_last_wish(struct kunit *test)
{
	struct kprobe p = batch_client(batch_target), q = batch_client(batch_target);
	struct kprobe_batch *batch = kprobe_batch_alloc();

	p.flags = KPROBE_FLAG_DISABLED;
	kprobe_batch_register(batch, &p);
	kprobe_batch_register(batch, &q);
	KUNIT_EXPECT_EQ(test, kprobe_batch_commit(batch), 0);
	batch_expect(test, 1, 0);
	kprobe_batch_enable(batch, &p);
	kprobe_batch_disable(batch, &q);
	kprobe_batch_enable(batch, &q);
	kprobe_batch_disable(batch, &p);
	KUNIT_EXPECT_EQ(test, kprobe_batch_commit(batch), 0);
	KUNIT_EXPECT_TRUE(test, kprobe_disabled(&p));
	KUNIT_EXPECT_FALSE(test, kprobe_disabled(&q));
	batch_expect(test, 1, 0);
	kprobe_batch_enable(batch, &p);
	KUNIT_EXPECT_EQ(test, kprobe_batch_commit(batch), 0);
	batch_expect(test, 2, 0);
	kprobe_batch_unregister(batch, &p);
	kprobe_batch_unregister(batch, &q);
	kprobe_batch_unregister(batch, &p);
	KUNIT_EXPECT_EQ(test, kprobe_batch_commit(batch), 0);
	kprobe_batch_put(batch);
	batch_expect(test, 0, 0);
	synchronize_rcu();
}

/* The exported functions refuse it, too; private members need no initial values */
static void test_registered_twice(struct kunit *test)
{
	struct kprobe p = batch_client(batch_target), q = batch_client(trap_place_copied);
	struct kprobe *kps[CLIENTS] = { &p, &q, &p };

	p.wish = 0xff;
	p.next = &q;
	KUNIT_EXPECT_EQ(test, register_kprobes(kps, CLIENTS), -EINVAL);
	batch_expect(test, 0, 0);
	KUNIT_EXPECT_EQ(test, register_kprobes(kps, CLIENTS - 1), 0);
	batch_expect(test, 2, 0);
	unregister_kprobes(kps, CLIENTS);
	batch_expect(test, 0, 0);
}

/* A reason is that of the last attempt, whether or not the address was the reason then */
static void test_refusal(struct kunit *test)
{
	struct kprobe p = batch_client(trap_place_copied + 1);
	struct kprobe bad = { .symbol_name = "no_such_symbol" };
	struct kprobe *kps[] = { &bad, &p };

	KUNIT_EXPECT_EQ(test, register_kprobe(&p), -EILSEQ);
	KUNIT_EXPECT_NOT_NULL(test, kprobe_refusal(&p));
	KUNIT_EXPECT_EQ(test, register_kprobes(kps, ARRAY_SIZE(kps)), -ENOENT);
	KUNIT_EXPECT_NULL(test, kprobe_refusal(&p));
	KUNIT_EXPECT_EQ(test, register_kprobe(&p), -EILSEQ);
	KUNIT_EXPECT_NOT_NULL(test, kprobe_refusal(&p));
	p.symbol_name = "no_such_symbol";
	KUNIT_EXPECT_EQ(test, register_kprobe(&p), -EINVAL);
	KUNIT_EXPECT_NULL(test, kprobe_refusal(&p));
}

/* A return probe has its reason before its place is checked as that of a kprobe */
static void test_refused_return(struct kunit *test)
{
	static struct kretprobe rp;

	rp = (struct kretprobe) { .kp.symbol_name = "__switch_to" };
	KUNIT_EXPECT_EQ(test, register_kretprobe(&rp), -EINVAL);
	KUNIT_EXPECT_NOT_NULL(test, kprobe_refusal(&rp.kp));
}

/* A kprobe that was refused with others can be registered again as it is */
static void test_again(struct kunit *test)
{
	const u8 *place = trap_place_copied;
	struct kprobe p = batch_client(place - sizeof(int));
	struct kprobe bad = { .symbol_name = "no_such_symbol" };
	struct kprobe *kps[] = { &p, &bad };

	p.offset = sizeof(int);
	KUNIT_EXPECT_EQ(test, register_kprobes(kps, ARRAY_SIZE(kps)), -ENOENT);
	KUNIT_EXPECT_PTR_EQ(test, (u8 *)p.addr, place - sizeof(int));
	KUNIT_EXPECT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_PTR_EQ(test, (u8 *)p.addr, place);
	unregister_kprobe(&p);
}

/* The grace periods of all batches end within this many ms of the first */
#define BATCHES_END	100

/*
 * Counts the workers that free batches. The first waits until all have ended: otherwise it would
 * depend on the CPUs how many batches each of them finds.
 */
static int batch_count_free(struct kprobe *p, struct pt_regs *regs)
{
	if (!batch_frees++)
		mdelay(BATCHES_END);
	return 0;
}

/* A batch that is to be put, with the point of a client that has come and gone */
static struct kprobe_batch *batch_come_and_go(struct kunit *test, struct kprobe *p)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();

	*p = batch_client(batch_target);
	p->flags = KPROBE_FLAG_DISABLED;
	KUNIT_EXPECT_EQ(test, register_kprobe(p), 0);
	kprobe_batch_unregister(batch, p);
	KUNIT_EXPECT_EQ(test, kprobe_batch_commit(batch), 0);
	return batch;
}

/* Batches that end together occupy one worker, not one each */
static void test_freed_together(struct kunit *test)
{
	struct kprobe *clients = kunit_kcalloc(test, MANY_CLIENTS, sizeof(*clients), GFP_KERNEL);
	struct kprobe_batch *batches[MANY_CLIENTS];
	struct kprobe counter = { .symbol_name = "batches_free", .pre_handler = batch_count_free };
	int i;

	KUNIT_ASSERT_NOT_NULL(test, clients);
	KUNIT_ASSERT_EQ(test, register_kprobe(&counter), 0);
	for (i = 0; i < MANY_CLIENTS; i++)
		batches[i] = batch_come_and_go(test, &clients[i]);
	/* Those of other tests are over */
	synchronize_rcu_tasks();
	rcu_barrier();
	batch_frees = 0;
	/* One grace period for all */
	rcu_read_lock();
	for (i = 0; i < MANY_CLIENTS; i++)
		kprobe_batch_put(batches[i]);
	rcu_read_unlock();
	for (i = 0; i < 100 && !READ_ONCE(batch_frees); i++)
		msleep(20);
	msleep(2 * BATCHES_END);
	unregister_kprobe(&counter);
	KUNIT_EXPECT_GT(test, batch_frees, 0);
	KUNIT_EXPECT_LT(test, batch_frees, MANY_CLIENTS / 4);
}

static struct kunit_case batch_cases[] = {
	KUNIT_CASE(test_results),
	KUNIT_CASE(test_last_wish),
	KUNIT_CASE(test_registered_twice),
	KUNIT_CASE(test_refusal),
	KUNIT_CASE(test_refused_return),
	KUNIT_CASE(test_again),
	KUNIT_CASE(test_freed_together),
	{}
};

static struct kunit_suite batch_suite = {
	.name = "kprobes_batch",
	.test_cases = batch_cases,
};

kunit_test_suite(batch_suite);

MODULE_DESCRIPTION("KUnit tests of batches");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
