// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registered clients: enable, disable, and queries.
 */
#include <kunit/visibility.h>
#include <linux/cc_platform.h>
#include <linux/export.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include "batch.h"
#include "client.h"
#include "core.h"
#include "hit.h"
#include "point.h"
#include "table.h"

/* Most clients have no post-handler: no walk over those of the point for them */
static void enable_set_flags(struct kprobe *p, u32 clear, u32 set, struct kprobe_point *point)
{
	/*
	 * No hit may call the pre-handler without knowing that the other follows.
	 * kprobe_client_set_flags() is a release
	 */
	if (p->post_handler && clear & KPROBE_FLAG_DISABLED)
		WRITE_ONCE(point->post, true);
	kprobe_client_set_flags(p, clear, set);
	kprobe_point_note_sole(point);
	if (p->post_handler)
		kprobe_point_note_post(point);
}

/**
 * kprobe_client_enable() - start to call the handlers of a client
 * @p: the client
 * @batch: the batch its point joins, unless @p is enabled: then its wish is none
 *
 * Context: under the core mutex.
 * Return: 0; -EINVAL if it is not registered or the code it was in is gone.
 */
int kprobe_client_enable(struct kprobe *p, struct kprobe_batch *batch)
{
	struct kprobe_point *point = kprobe_point_of(p);

	lockdep_assert_held(&kprobe_mutex);
	if (!point || point->gone)
		return -EINVAL;
	if (!(p->flags & KPROBE_FLAG_DISABLED)) {
		p->wish = KPROBE_WISH_NONE;
		return 0;
	}
	enable_set_flags(p, KPROBE_FLAG_DISABLED, 0, point);
	kprobe_batch_add_point(batch, point);
	return 0;
}

/**
 * kprobe_client_disable() - stop calling the handlers of a client
 * @p: the client
 * @batch: the batch its point joins
 *
 * Context: under the core mutex.
 * Return: 0, or -EINVAL if it is not registered.
 */
int kprobe_client_disable(struct kprobe *p, struct kprobe_batch *batch)
{
	struct kprobe_point *point = kprobe_point_of(p);

	lockdep_assert_held(&kprobe_mutex);
	if (!point)
		return -EINVAL;
	enable_set_flags(p, 0, KPROBE_FLAG_DISABLED, point);
	kprobe_batch_add_point(batch, point);
	return 0;
}

/**
 * kprobe_client_silence() - undo kprobe_client_enable()
 * @p: the client
 * @batch: the batch its point joins
 *
 * Context: under the core mutex.
 */
void kprobe_client_silence(struct kprobe *p, struct kprobe_batch *batch)
{
	lockdep_assert_held(&kprobe_mutex);
	kprobe_client_disable(p, batch);
}

static int enable_now(struct kprobe *p, enum kprobe_wish wish)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();
	int ret;

	scoped_guard(mutex, &kprobe_mutex) {
		kprobe_batch_add(batch, p, wish);
		ret = kprobe_batch_commit_locked(batch);
	}
	kprobe_batch_put(batch);
	return ret;
}

/**
 * enable_kprobe() - undo disable_kprobe()
 * @p: a registered kprobe
 *
 * Context: process context. Waits as kprobe_batch_commit().
 * Return: 0; -EINVAL if it is not registered or the code it was in is gone;
 * -EBUSY, -EAGAIN, -ENODEV, -ENOMEM as register_kprobes().
 */
int enable_kprobe(struct kprobe *p)
{
	return enable_now(p, KPROBE_WISH_ENABLE);
}
EXPORT_SYMBOL_GPL(enable_kprobe);

/**
 * disable_kprobe() - stop calling the handlers of a kprobe
 * @p: a registered kprobe
 *
 * Handlers may still run until an RCU grace period is over; this does not wait for them.
 *
 * Context: process context.
 * Return: 0, or -EINVAL if it is not registered.
 */
int disable_kprobe(struct kprobe *p)
{
	return enable_now(p, KPROBE_WISH_DISABLE);
}
EXPORT_SYMBOL_GPL(disable_kprobe);

/**
 * kprobe_set_reentrant() - let a client's handlers interrupt other handlers
 * @p: registered, disabled
 *
 * Hits of other clients are counted as missed if they interrupt a handler. Only clients
 * that are part of the kernel may use this. Their handlers must be safe when interrupted
 * anywhere by themselves, NMI included. Within one context handlers nest in one case: at
 * the return of a function that was called in an interrupt and returns as the task's.
 *
 * It does nothing in a guest whose registers are encrypted, as by SEV-ES on x86. A handler may
 * cause a #VC exception there, and each #VC under way needs a page (GHCB) to ask the host. A CPU
 * has two pages. With handlers in handlers a third #VC could come, and the guest would panic.
 *
 * Context: process context.
 */
void kprobe_set_reentrant(struct kprobe *p)
{
	if (cc_platform_has(CC_ATTR_GUEST_STATE_ENCRYPT))
		return;
	guard(mutex)(&kprobe_mutex);
	kprobe_client_set_flags(p, 0, KPROBE_FLAG_REENTRANT);
}

/**
 * kprobe_missed() - the number of hits a client missed, for one reason
 * @p: a client that is or was registered
 * @why: the reason
 *
 * Context: any.
 * Return: the number. The reasons that kprobe::nmissed counts add up to it, except for
 * concurrent hits.
 */
unsigned long kprobe_missed(const struct kprobe *p, enum kprobe_missed why)
{
	unsigned long unwatched = READ_ONCE(p->unwatched), retiring = READ_ONCE(p->retiring);
	unsigned long diverted = READ_ONCE(p->diverted), nmissed = READ_ONCE(p->nmissed);
	unsigned long known = unwatched + retiring + diverted;

	switch (why) {
	case KPROBE_MISSED_UNWATCHED:
		return unwatched;
	case KPROBE_MISSED_RETIRING:
		return retiring;
	case KPROBE_MISSED_DIVERTED:
		return diverted;
	case KPROBE_MISSED_NESTED:
		/* A hit that is being counted may be missing in nmissed still. */
		return max(nmissed, known) - known;
	default:
		return p->flags & KPROBE_FLAG_RETURN ?
		       (unsigned int)container_of(p, struct kretprobe, kp)->nmissed : 0;
	}
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_missed);

/**
 * get_kprobe() - a client at an address
 * @addr: the address that registering wrote to kprobe::addr
 *
 * Context: preemption off, and as long as the result is used.
 * Return: the newest kprobe there, or NULL.
 */
struct kprobe *get_kprobe(void *addr)
{
	struct kprobe_point *point = kprobe_point_find((unsigned long)addr);

	if (!point)
		return NULL;
	return list_first_or_null_rcu(&point->clients, struct kprobe, list);
}
NOKPROBE_SYMBOL(get_kprobe);

/**
 * kprobe_owns_text() - does a probe replace the instruction at an address, or may it soon?
 * @addr: address of the instruction
 *
 * A probe that is disabled owns its instruction, too: it can be enabled at any time. A jump
 * may replace several, and the copies of a window may be executed instead of them.
 *
 * Context: preemption off.
 * Return: true if so. Then no other owner may change it.
 */
bool kprobe_owns_text(unsigned long addr)
{
	const struct kprobe_point *point;
	int i;

	for (i = 0; i < ARCH_KPROBE_JUMP_SIZE; i++) {
		point = kprobe_point_find(addr - i);
		if (point && (!i || READ_ONCE(point->state) == KPROBE_STATE_TRAP_WIDE ||
			      READ_ONCE(point->state) == KPROBE_STATE_JUMP))
			return true;
	}
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_owns_text);
