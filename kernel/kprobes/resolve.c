// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places: kprobe_place_find() finds the address that a client wants to probe, from a
 * symbol or an address and an offset. kprobe_place_check() says whether there may be a
 * probe, and why not.
 */
#include <linux/bug.h>
#include <linux/extable.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobe-symbol.h>
#include <linux/kprobes.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include "blacklist.h"
#include "core.h"
#include "labels.h"
#include "method.h"
#include "module.h"
#include "place.h"
#include "text.h"

static int place_of_symbol(const char *name, unsigned long offset, struct kprobe_place *place)
{
	unsigned long addr = kallsyms_lookup_name(name);

	if (!addr)
		return -ENOENT;
	place->addr = addr + offset;
	return 0;
}

static bool symbol_is_cold(const struct kprobe_symbol *symbol)
{
	char name[KSYM_NAME_LEN];

	return symbol->is_dotted && !lookup_symbol_name(symbol->start, name) &&
	       strstr(name, ".cold");
}

/* Describe the address of a place by its symbol */
static int place_describe(struct kprobe_place *place)
{
	struct kprobe_symbol symbol;

	if (!kprobe_symbol_find(place->addr, &symbol))
		return -ENOENT;
	place->symbol = symbol.start;
	place->symbol_size = symbol.size;
	place->addr = arch_kprobe_adjust(place->addr, place->addr - symbol.start,
					 &place->on_entry);
	/* A part of a function has a symbol, but code gets there by a jump, not by a call */
	place->in_part = symbol_is_cold(&symbol);
	if (place->in_part)
		place->on_entry = false;
	return 0;
}

static int place_find(const kprobe_opcode_t *addr, const char *name, unsigned long offset,
		      struct kprobe_place *place)
{
	int ret = 0;

	if (!name == !addr)
		return -EINVAL;
	if (name)
		ret = place_of_symbol(name, offset, place);
	else
		place->addr = (unsigned long)addr + offset;
	return ret ?: place_describe(place);
}

/**
 * kprobe_place_find() - the place that a client wants to probe
 * @p: the function reads kprobe::addr, symbol_name and offset
 * @place: written
 *
 * kprobe_place_check() says whether there may be a probe.
 *
 * Context: process context.
 * Return: 0, -EINVAL or -ENOENT, see register_kprobes().
 */
int kprobe_place_find(const struct kprobe *p, struct kprobe_place *place)
{
	return place_find(p->addr, p->symbol_name, p->offset, place);
}

/**
 * kprobe_on_func_entry() - does a function begin at an address
 * @addr: an address, or NULL if @sym is given
 * @sym: a symbol, or NULL if @addr is given
 * @offset: bytes from @addr or @sym
 *
 * Context: process context.
 * Return: 0 if so, -ENOENT if there is no such symbol, -EINVAL otherwise.
 */
int kprobe_on_func_entry(kprobe_opcode_t *addr, const char *sym, unsigned long offset)
{
	struct kprobe_place place;
	int ret;

	ret = place_find(addr, sym, offset, &place);
	if (ret)
		return ret;
	return place.on_entry ? 0 : -EINVAL;
}

static bool is_inside_ftrace_site(unsigned long addr)
{
	return ftrace_text_reserved((void *)addr, (void *)addr) &&
	       ftrace_location(addr) != addr;
}

/* The refusals of an address, but for those of its instruction */
enum refusal {
	REFUSED_TOO_EARLY,
	REFUSED_FTRACE,
	REFUSED_NOT_TEXT,
	REFUSED_GONE,
	REFUSED_BLACKLIST,
	REFUSED_DEBUGGED,
	REFUSED_JUMP_LABEL,
	REFUSED_STATIC_CALL,
	REFUSED_LIVEPATCH,
	REFUSED_BUG,
	REFUSED_EXTABLE,
};

static const struct kprobe_refusal place_refusals[] = {
	[REFUSED_TOO_EARLY]	= { -EAGAIN, "too early in boot to know what must not be probed" },
	[REFUSED_FTRACE]	= { -EILSEQ, "inside the call to ftrace" },
	[REFUSED_NOT_TEXT]	= { -EINVAL, "not kernel text" },
	[REFUSED_GONE]		= { -ENOENT, "text that is not loaded yet, or already freed" },
	[REFUSED_BLACKLIST]	= { -EINVAL,
				    "in code that handles probes, or marked not to be probed" },
	[REFUSED_DEBUGGED]	= { -EBUSY, "a breakpoint of the debugger" },
	[REFUSED_JUMP_LABEL]	= { -EINVAL, "a jump label" },
	[REFUSED_STATIC_CALL]	= { -EINVAL, "a static call" },
	[REFUSED_LIVEPATCH]	= { -EINVAL, "in a livepatch, whose code is relocated later" },
	[REFUSED_BUG]		= { -EINVAL, "a BUG() or WARN(), looked up by its address" },
	[REFUSED_EXTABLE]	= { -EOPNOTSUPP, "may fault and has an exception table entry" },
};

static int place_refuse(struct kprobe_place *place, enum refusal refusal)
{
	place->refusal = place_refusals[refusal];
	return place->refusal.error;
}

/* find_bug() reads one entry after the other, of thousands: ask it of few places */
static bool place_is_bug(unsigned long addr)
{
	static const u8 bug[] = ARCH_KPROBE_BUG_TEXT;

	return kprobe_text_is(addr, bug, sizeof(bug)) && find_bug(addr);
}

/* Instructions that other code changes, or looks up by their addresses */
static int place_check_owners(struct kprobe_place *place)
{
	void *addr = (void *)place->addr;

	if (kprobe_is_jump_label(place->addr))
		return place_refuse(place, REFUSED_JUMP_LABEL);
	if (static_call_text_reserved(addr, addr))
		return place_refuse(place, REFUSED_STATIC_CALL);
	if (kprobe_module_leaving(place->addr))
		return place_refuse(place, REFUSED_GONE);
	if (kprobe_module_is_livepatch(place->addr))
		return place_refuse(place, REFUSED_LIVEPATCH);
	if (place_is_bug(place->addr))
		return place_refuse(place, REFUSED_BUG);
	if (search_exception_tables(place->addr))
		return place_refuse(place, REFUSED_EXTABLE);
	if (arch_kprobe_text_reserved(place->addr, &place->refusal.text))
		place->refusal.error = -EINVAL;
	return place->refusal.error;
}

static int place_check_text(struct kprobe_place *place)
{
	int ret;

	if (!kprobe_blacklist_ready())
		return place_refuse(place, REFUSED_TOO_EARLY);
	if (is_inside_ftrace_site(place->addr))
		return place_refuse(place, REFUSED_FTRACE);
	ret = core_kernel_text(place->addr) ? kprobe_init_check(place->addr) :
					      kprobe_module_check(place->addr);
	if (ret)
		return place_refuse(place, ret == -ENOENT ? REFUSED_GONE : REFUSED_NOT_TEXT);
	if (within_kprobe_blacklist(place->addr))
		return place_refuse(place, REFUSED_BLACKLIST);
	/* Also at an ftrace site: ftrace dies if it finds what it does not expect there */
	if (kprobe_text_has_breakpoint(place->addr))
		return place_refuse(place, REFUSED_DEBUGGED);
	return 0;
}

/**
 * kprobe_place_check() - may there be a probe at a place
 * @place: the place; gets the refusal
 *
 * The instruction is left to kprobe_insn_make().
 *
 * Context: process context, under the core mutex. The answer holds until that is
 * released.
 * Return: 0, or the error of the refusal, see register_kprobes().
 */
int kprobe_place_check(struct kprobe_place *place)
{
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	place->refusal = (struct kprobe_refusal){ };
	ret = place_check_text(place);
	if (ret)
		return ret;
	/* An ftrace site keeps its instruction, whatever that is at the moment */
	if (!kprobe_method_for(place->addr)->replaces)
		return 0;
	return place_check_owners(place);
}
