// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The index of branch targets: the addresses inside of functions that a branch, an exception
 * or a jump label leads to. A jump of five bytes must not cover one of them, but with its
 * first byte.
 *
 * There is an index of the kernel's image, without init text, and one for each module with
 * a probe that could use it. Each is made on first use, by a linear decode of all symbols,
 * and stays. It has one bit for each byte of text: an eighth of the text, 1 MiB for an image
 * of 8 MiB, and as much for the modules. The core mutex is held only while text is copied.
 *
 * A symbol is refused as a whole if it cannot be decoded, or has an indirect jump, which may
 * have a table of destinations. The compiler may have split the function: parts of one name,
 * but for ".cold", are refused together. The bit of a symbol's first byte says that it is
 * refused. A branch to the beginning of a symbol needs no bit, as no window goes beyond the
 * end of its symbol. Therefore branches to functions, the targets of static calls among
 * them, are not looked up.
 *
 * No index can be made without memory, or while a debugger is connected. Then no jump covers
 * several instructions, until an index is made later. While a module is initialised there may be
 * none yet.
 */
#include <kunit/visibility.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobe-window.h>
#include <linux/list.h>
#include <linux/memory.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/xarray.h>
#include <asm/sections.h>
#include "core.h"
#include "place.h"
#include "target_symbols.h"
#include "targets.h"

/* Bytes of text that are copied at a time */
#define PIECE_SIZE	4096

/**
 * struct targets - the index of one piece of text
 * @list: in the list of all
 * @start: the first address
 * @size: bytes of text
 * @bits: a bit for each byte; NULL if they could not be found out
 * @ready: @bits is complete
 * @dropped: the text is about to be freed
 */
struct targets {
	struct list_head	list;		/* [M] */
	unsigned long		start;		/* [I] */
	unsigned long		size;		/* [I] */
	unsigned long		*bits;		/* [B] until @ready, then [I] */
	bool			ready;		/* [M] */
	bool			dropped;	/* [M] */
};

/**
 * struct targets_build - an index while it is made
 * @targets: the index
 * @symbols: the symbols of its text
 * @refused: symbols that are refused, by their offsets
 * @names: the same, by hashes of their names
 * @piece: a copy of text
 * @error: the first error
 */
struct targets_build {
	struct targets	*targets;
	struct target_symbols symbols;
	struct xarray	refused;
	struct xarray	names;
	u8		*piece;
	int		error;
};

/* [B] in comments: one index is made at a time. Taken before the core mutex */
static DEFINE_MUTEX(kprobe_targets_mutex);

/* [M] */
static LIST_HEAD(targets_list);

static struct targets *targets_find(unsigned long addr)
{
	struct targets *targets;

	lockdep_assert_held(&kprobe_mutex);
	list_for_each_entry(targets, &targets_list, list) {
		if (addr - targets->start < targets->size)
			return targets;
	}
	return NULL;
}

static void targets_mark(void *data, unsigned long addr)
{
	struct targets *targets = data;

	if (targets->bits && addr - targets->start < targets->size)
		__set_bit(addr - targets->start, targets->bits);
}

static struct targets *targets_alloc(unsigned long start, unsigned long size)
{
	struct targets *targets = kzalloc(sizeof(*targets), GFP_KERNEL);

	if (!targets)
		return ERR_PTR(-ENOMEM);
	targets->start = start;
	targets->size = size;
	targets->bits = vzalloc(array_size(BITS_TO_LONGS(size), sizeof(long)));
	list_add(&targets->list, &targets_list);
	return targets;
}

static struct targets *targets_begin_image(void)
{
	struct targets *targets = targets_alloc((unsigned long)_stext, _etext - _stext);

	if (IS_ERR(targets))
		return targets;
	kprobe_targets_of_image(targets_mark, targets);
	return targets;
}

#ifdef CONFIG_MODULES
/* The core mutex keeps the module from going, see kprobe_place_check() */
static struct targets *targets_begin_module(unsigned long addr, char *name)
{
	const struct module_memory *text;
	struct targets *targets;
	struct module *mod;

	scoped_guard(preempt)
		mod = __module_text_address(addr);
	if (!mod)
		return NULL;
	text = &mod->mem[MOD_TEXT];
	if (addr - (unsigned long)text->base >= text->size || !kprobe_targets_are_final(mod))
		return NULL;
	targets = targets_alloc((unsigned long)text->base, text->size);
	if (IS_ERR(targets))
		return targets;
	strscpy(name, mod->name, MODULE_NAME_LEN);
	kprobe_targets_of_module(mod, targets_mark, targets);
	return targets;
}
#else
static struct targets *targets_begin_module(unsigned long addr, char *name)
{
	return NULL;
}
#endif

/* NULL if there is nothing to do. The name of a module is written to @name */
static struct targets *targets_begin(unsigned long addr, char *name)
{
	struct kprobe_place place = { .addr = addr };

	guard(mutex)(&kprobe_mutex);
	if (targets_find(addr) || kprobe_debugger_is_connected())
		return NULL;
	if (addr - (unsigned long)_stext < _etext - _stext)
		return targets_begin_image();
	return kprobe_place_check(&place) ? NULL : targets_begin_module(addr, name);
}

/* Copy text as it is without probes, and while no other owner changes it */
static int targets_copy(struct targets_build *build, unsigned long addr, unsigned int size)
{
	guard(mutex)(&kprobe_mutex);
	if (build->targets->dropped)
		return -ENOENT;
	if (kprobe_debugger_is_connected())
		return -EBUSY;
	guard(mutex)(&text_mutex);
	return kprobe_text_read(addr, build->piece, size);
}

static void targets_refuse_at(struct targets_build *build, struct xarray *where,
			      unsigned long index)
{
	build->error = build->error ?: xa_err(xa_store(where, index, xa_mk_value(1), GFP_KERNEL));
}

/* With its other part. An address may have several names, of which that has another one */
static void targets_refuse(struct targets_build *build, const struct target_symbol *symbol)
{
	targets_refuse_at(build, &build->refused, symbol->addr - build->targets->start);
	targets_refuse_at(build, &build->names, symbol->name_hash);
	if (symbol->origin)
		targets_refuse_at(build, &build->refused,
				  symbol->origin - build->targets->start);
}

static bool targets_is_refused(struct targets_build *build, const struct target_symbol *symbol)
{
	return xa_load(&build->refused, symbol->addr - build->targets->start) ||
	       xa_load(&build->names, symbol->name_hash) ||
	       (symbol->origin &&
		xa_load(&build->refused, symbol->origin - build->targets->start));
}

/* Text without a symbol may begin and end within an instruction */
static void targets_decode(struct targets_build *build, const struct target_symbol *symbol)
{
	struct kprobe_targets_code code = {
		.symbol = symbol->addr, .end = symbol->end, .addr = symbol->addr,
		.mark = targets_mark, .data = build->targets,
		.unknown = !symbol->name_hash,
	};
	unsigned int size;
	int got;

	if (*build->symbols.module) {
		code.text = build->symbols.start;
		code.text_end = build->symbols.limit;
	}
	while (code.addr < code.end && !build->error) {
		size = min(code.end - code.addr, PIECE_SIZE);
		got = targets_copy(build, code.addr, size);
		if (got < 0)
			build->error = got;
		else
			arch_kprobe_code_targets(&code, build->piece, size,
						 code.addr + size == code.end);
		cond_resched_tasks_rcu_qs();
	}
	if (code.indirect || code.unknown)
		targets_refuse(build, symbol);
}

/* Now the bit of its first byte says of each symbol whether it is refused */
static void targets_judge(struct targets_build *build, const struct target_symbol *symbol)
{
	unsigned long offset = symbol->addr - build->targets->start;

	if (targets_is_refused(build, symbol))
		__set_bit(offset, build->targets->bits);
	else if (symbol->name_hash)
		__clear_bit(offset, build->targets->bits);
	cond_resched_tasks_rcu_qs();
}

/* Symbols lie side by side: each ends where the next one begins, as text without one does */
static void targets_for_symbols(struct targets_build *build,
				void (*what)(struct targets_build *build,
					     const struct target_symbol *symbol))
{
	struct target_symbol symbol = { .end = build->symbols.start };

	while (symbol.end < build->symbols.limit && !build->error) {
		kprobe_target_symbol_at(&build->symbols, symbol.end, &symbol);
		what(build, &symbol);
	}
}

/* The text, the piece that is copied of it at a time, and its symbols */
static int targets_prepare(struct targets_build *build)
{
	xa_init(&build->refused);
	xa_init(&build->names);
	build->symbols.start = build->targets->start;
	build->symbols.limit = build->targets->start + build->targets->size;
	build->piece = kmalloc(PIECE_SIZE, GFP_KERNEL);
	if (!build->piece || !build->targets->bits)
		return -ENOMEM;
	return kprobe_target_symbols_collect(&build->symbols);
}

static void targets_free(struct targets *targets)
{
	list_del_init(&targets->list);
	vfree(targets->bits);
	kfree(targets);
}

/* Later there may be memory, and a debugger that came meanwhile may be gone */
static bool targets_may_succeed(int error)
{
	return error == -ENOMEM || error == -EBUSY;
}

/* An index that cannot be made at all says so as long as the text is there */
static void targets_end(struct targets_build *build)
{
	struct targets *targets = build->targets;

	xa_destroy(&build->refused);
	xa_destroy(&build->names);
	kfree(build->piece);
	kprobe_target_symbols_free(&build->symbols);
	guard(mutex)(&kprobe_mutex);
	if (build->error) {
		vfree(targets->bits);
		targets->bits = NULL;
	}
	targets->ready = true;
	if (targets->dropped || targets_may_succeed(build->error))
		targets_free(targets);
}

/**
 * kprobe_targets_index() - make the index of the text at an address
 * @addr: an address in the kernel's image, or one in a module where a probe may be; if there
 *	is an index of its text, or a debugger, nothing happens
 *
 * Context: process context, without the core mutex. May take a second.
 * Return: 0, or -ENOMEM.
 */
int kprobe_targets_index(unsigned long addr)
{
	struct targets_build build = { };

	guard(mutex)(&kprobe_targets_mutex);
	build.targets = targets_begin(addr, build.symbols.module);
	if (IS_ERR_OR_NULL(build.targets))
		return PTR_ERR_OR_ZERO(build.targets);
	build.error = targets_prepare(&build);
	targets_for_symbols(&build, targets_decode);
	targets_for_symbols(&build, targets_judge);
	targets_end(&build);
	return build.error == -ENOMEM ? -ENOMEM : 0;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_targets_index);

/**
 * kprobe_targets_check() - does a branch land in a window, but at its beginning?
 * @window: the window, in one symbol
 * @symbol: where that begins
 *
 * Context: under the core mutex.
 * Return: KPROBE_WINDOW_OK if not, else the refusal.
 */
enum kprobe_window_refusal kprobe_targets_check(const struct kprobe_window *window,
						unsigned long symbol)
{
	const struct targets *targets = targets_find(window->addr);
	unsigned long first, end;

	lockdep_assert_held(&kprobe_mutex);
	if (!targets || !targets->ready)
		return KPROBE_WINDOW_UNKNOWN;
	if (!targets->bits)
		return KPROBE_WINDOW_NO_INDEX;
	if (symbol < targets->start || test_bit(symbol - targets->start, targets->bits))
		return KPROBE_WINDOW_INDIRECT;
	first = window->addr - targets->start + 1;
	end = min(first + window->length - 1, targets->size);
	return find_next_bit(targets->bits, end, first) < end ? KPROBE_WINDOW_TARGET :
								KPROBE_WINDOW_OK;
}

/**
 * kprobe_targets_drop() - forget about text that is about to be freed
 * @start: the first address
 * @end: the first address after it
 *
 * Context: process context.
 */
void kprobe_targets_drop(unsigned long start, unsigned long end)
{
	struct targets *targets;

	guard(mutex)(&kprobe_mutex);
	targets = targets_find(start);
	if (!targets || targets->start >= end)
		return;
	list_del_init(&targets->list);
	targets->dropped = true;
	/* Otherwise targets_end() frees it */
	if (targets->ready)
		targets_free(targets);
}
