// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clients: register and unregister.
 *
 * The memory of a kprobe belongs to the client, so the core does not trust it to say
 * whether it is registered. It searches for the kprobe among the clients of the point
 * at the kprobe's address.
 *
 * The exported functions register several kprobes all or not at all.
 */
#include <kunit/visibility.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include "batch.h"
#include "client.h"
#include "core.h"
#include "gone.h"
#include "insn.h"
#include "method.h"
#include "place.h"
#include "point.h"
#include "retprobe.h"
#include "table.h"

/**
 * kprobe_point_of() - the point a kprobe is registered at
 * @p: the kprobe; only kprobe::addr is looked at
 *
 * Context: under the core mutex.
 * Return: the point, or NULL if @p is not registered.
 */
struct kprobe_point *kprobe_point_of(const struct kprobe *p)
{
	struct kprobe_point *point = kprobe_point_find((unsigned long)p->addr);

	lockdep_assert_held(&kprobe_mutex);
	if (point && kprobe_point_has(point, p))
		return point;
	return kprobe_point_gone_of(p);
}

/* The address @p asks for; an error if it is registered there or elsewhere already */
static int client_find_place(struct kprobe *p, struct kprobe_place *place)
{
	struct kprobe_point *point;
	int ret;

	*place = (struct kprobe_place) { };
	ret = kprobe_place_find(p, place);
	if (ret)
		return ret;
	if (kprobe_point_of(p))
		return -EINVAL;
	point = kprobe_point_find(place->addr);
	return point && kprobe_point_has(point, p) ? -EINVAL : 0;
}

/* The point at a place, made if there is none; upgrades around it may have to yield */
static struct kprobe_point *client_point(struct kprobe_place *place, struct kprobe_batch *batch)
{
	struct kprobe_point *point = kprobe_point_find(place->addr);
	int ret;

	if (point)
		return point;
	point = kprobe_point_make(place);
	if (IS_ERR(point))
		return point;
	ret = kprobe_table_add(point);
	if (ret) {
		kprobe_point_free(point);
		return ERR_PTR(ret);
	}
	kprobe_batch_add_around(batch, place->addr);
	return point;
}

static int client_attach(struct kprobe *p, struct kprobe_place *place, u32 flags,
			 struct kprobe_batch *batch)
{
	struct kprobe_point *point;
	int ret;

	ret = kprobe_place_check(place);
	if (ret)
		return ret;
	point = client_point(place, batch);
	if (IS_ERR(point))
		return PTR_ERR(point);
	kprobe_point_add_client(point, p, flags);
	kprobe_batch_add_point(batch, point);
	return 0;
}

/*
 * The text of a refusal shares its member with the link of a registered client.
 * commit_grant() forgets that of an earlier attempt.
 */
static void client_note_refusal(struct kprobe *p, const char *refusal)
{
	if (!refusal)
		return;
	p->flags |= KPROBE_FLAG_REFUSED;
	p->refusal = refusal;
}

/**
 * kprobe_client_register() - register a client; its point joins a batch
 * @p: the client
 * @batch: the batch
 *
 * Context: process context, under the core mutex.
 * Return: 0 or a negative error; kprobe_refusal() may say more.
 */
int kprobe_client_register(struct kprobe *p, struct kprobe_batch *batch)
{
	struct kprobe_place place;
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	ret = client_find_place(p, &place);
	if (ret)
		return ret;
	ret = client_attach(p, &place, 0, batch);
	if (ret)
		client_note_refusal(p, place.refusal.text);
	return ret;
}

/**
 * kprobe_client_register_return() - register a return probe
 * @p: kretprobe::kp
 * @batch: the batch its point joins
 *
 * Context: process context, under the core mutex.
 * Return: as kprobe_client_register(), or an error of kretprobe_prepare().
 */
int kprobe_client_register_return(struct kprobe *p, struct kprobe_batch *batch)
{
	struct kprobe_place place;
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	ret = client_find_place(p, &place);
	ret = ret ?: kretprobe_prepare(p, &place);
	if (!ret) {
		ret = client_attach(p, &place, KPROBE_FLAG_RETURN, batch);
		if (ret)
			kretprobe_retire(p);
	}
	if (ret)
		client_note_refusal(p, place.refusal.text);
	return ret;
}

/**
 * kprobe_client_unregister() - unregister a client; its point joins a batch
 * @p: the client, kretprobe::kp included
 * @batch: the batch
 *
 * Context: under the core mutex.
 * Return: 0, or -EINVAL if @p is not registered.
 */
int kprobe_client_unregister(struct kprobe *p, struct kprobe_batch *batch)
{
	struct kprobe_point *point = kprobe_point_of(p);

	lockdep_assert_held(&kprobe_mutex);
	if (!point)
		return -EINVAL;
	kprobe_point_remove_client(point, p);
	if (p->flags & KPROBE_FLAG_RETURN)
		kretprobe_retire(p);
	kprobe_batch_add_point(batch, point);
	if (list_empty(&point->clients))
		kprobe_batch_add_around(batch, point->addr);
	batch->handlers_may_run = true;
	return 0;
}

/**
 * kprobe_client_expel() - undo kprobe_client_register(), or the same of a return probe
 * @p: the client; its wish is KPROBE_WISH_FORGET then, for when its handlers have ended
 * @batch: the batch its point joins
 *
 * Context: under the core mutex.
 */
void kprobe_client_expel(struct kprobe *p, struct kprobe_batch *batch)
{
	lockdep_assert_held(&kprobe_mutex);
	kprobe_client_unregister(p, batch);
	p->wish = KPROBE_WISH_FORGET;
	batch->forgets = true;
}

/**
 * kprobe_client_forget() - erase what registering a client has written
 * @p: the client, expelled; it can be registered again as it is then, with the same answer
 *
 * Context: under the core mutex.
 */
void kprobe_client_forget(struct kprobe *p)
{
	lockdep_assert_held(&kprobe_mutex);
	if (p->symbol_name)
		p->addr = NULL;
	else
		p->addr = (kprobe_opcode_t *)((unsigned long)p->addr - p->offset);
}

/**
 * register_kprobes() - register several kprobes, all or none
 * @kps: the kprobes
 * @num: their number
 *
 * Context: process context.
 * Return: 0, or the error of the first kprobe that was refused:
 *
 * * -EINVAL: not exactly one of kprobe::addr and kprobe::symbol_name is set; not
 *   text, or text where no probe may be; registered already
 * * -ENOENT: no such symbol; no symbol at the address; its code is being freed
 * * -EILSEQ: no instruction begins at the address
 * * -EOPNOTSUPP: the instruction can neither be run elsewhere nor emulated; on arm64
 *   also if the literal that it loads cannot be read
 * * -EBUSY: the kprobe has a post_handler, and live patching, or another ftrace user
 *   that moves the instruction pointer, has the function to itself; or the text is not
 *   what it was when the instruction was read; or the debugger has a breakpoint there,
 *   or where it hides an instruction of the function that must be known
 * * -EAGAIN: ftrace is switched off (sysctl kernel.ftrace_enabled), or the blacklist
 *   is not complete yet during boot
 * * -ENODEV: ftrace is dead
 * * -ERANGE: no slot is within reach of an operand of the instruction (x86)
 * * -EFAULT: the text cannot be read
 * * -ENOMEM
 */
int register_kprobes(struct kprobe **kps, int num)
{
	struct kprobe_batch *batch;
	int i, ret;

	if (num <= 0)
		return -EINVAL;
	batch = kprobe_batch_alloc();
	batch->all_or_none = true;
	scoped_guard(mutex, &kprobe_mutex) {
		for (i = 0; i < num; i++)
			kprobe_batch_register(batch, kps[i]);
		ret = kprobe_batch_commit_locked(batch);
	}
	kprobe_batch_finish(batch);
	return ret;
}
EXPORT_SYMBOL_GPL(register_kprobes);

/**
 * register_kprobe() - call a kprobe's handlers where its address is executed
 * @p: the kprobe; the memory is the client's, and in use until unregister_kprobe()
 *
 * Context: process context.
 * Return: as register_kprobes().
 */
int register_kprobe(struct kprobe *p)
{
	return register_kprobes(&p, 1);
}
EXPORT_SYMBOL_GPL(register_kprobe);

/**
 * unregister_kprobes() - undo register_kprobes()
 * @kps: the kprobes; those that are not registered are skipped
 * @num: their number
 *
 * Context: process context. Waits for one RCU grace period, after which no
 * handler of theirs runs.
 */
void unregister_kprobes(struct kprobe **kps, int num)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();
	int i;

	scoped_guard(mutex, &kprobe_mutex) {
		for (i = 0; i < num; i++)
			kprobe_batch_unregister(batch, kps[i]);
		kprobe_batch_commit_locked(batch);
		/* Another task may be unregistering one of them: wait for handlers, too */
		batch->handlers_may_run = true;
	}
	kprobe_batch_finish(batch);
}
EXPORT_SYMBOL_GPL(unregister_kprobes);

/**
 * unregister_kprobe() - undo register_kprobe()
 * @p: the kprobe; if it is not registered, this only waits
 *
 * Context: as unregister_kprobes().
 */
void unregister_kprobe(struct kprobe *p)
{
	unregister_kprobes(&p, 1);
}
EXPORT_SYMBOL_GPL(unregister_kprobe);

/**
 * unregister_kprobe_nowait() - unregister a kprobe whose handlers may still run
 * @p: the kprobe, kretprobe::kp included; see kprobe_batch_unregister()
 *
 * For clients that are part of the kernel.
 *
 * Context: process context. Waits as kprobe_batch_commit().
 */
void unregister_kprobe_nowait(struct kprobe *p)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();

	kprobe_batch_unregister(batch, p);
	kprobe_batch_commit(batch);
	kprobe_batch_put(batch);
}

/**
 * kprobe_refusal() - the reason why a kprobe was last refused
 * @p: a kprobe whose registration has failed
 *
 * Return: the reason in words; NULL if the address is not the reason.
 */
const char *kprobe_refusal(const struct kprobe *p)
{
	return p->flags & KPROBE_FLAG_REFUSED ? p->refusal : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_refusal);
