// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which address is meant, and may it be probed: from a symbol or an address and
 * an offset to a place, and from a place to an answer.
 */
#include <linux/bug.h>
#include <linux/cpu.h>
#include <linux/extable.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/static_call.h>
#include "point.h"

static int place_of_symbol(const char *name, unsigned int offset, struct kprobe_place *place)
{
	unsigned long addr = kallsyms_lookup_name(name);

	if (!addr)
		return -ENOENT;
	place->addr = addr + offset;
	return 0;
}

static int place_find(const kprobe_opcode_t *addr, const char *name, unsigned int offset,
		      struct kprobe_place *place)
{
	unsigned long from_start;
	int ret = 0;

	if (!name == !addr)
		return -EINVAL;
	if (name)
		ret = place_of_symbol(name, offset, place);
	else
		place->addr = (unsigned long)addr + offset;
	if (ret)
		return ret;
	if (!kallsyms_lookup_size_offset(place->addr, NULL, &from_start))
		return -ENOENT;
	place->addr = arch_kprobe_adjust(place->addr, from_start, &place->on_entry);
	return 0;
}

/**
 * kprobe_place_find() - the address a client means
 * @p: kprobe::addr, symbol_name and offset are looked at
 * @place: written
 *
 * The address is not looked at yet, see kprobe_place_check().
 *
 * Context: process context.
 * Return: 0, -EINVAL or -ENOENT, as register_kprobes() has them.
 */
int kprobe_place_find(const struct kprobe *p, struct kprobe_place *place)
{
	return place_find(p->addr, p->symbol_name, p->offset, place);
}

/**
 * kprobe_on_func_entry() - is this where a function begins
 * @addr: an address, or NULL where @sym is given
 * @sym: a symbol, or NULL where @addr is given
 * @offset: bytes from the one or the other
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

static bool is_jump_label(unsigned long addr)
{
	guard(cpus_read_lock)();
	jump_label_lock();
	bool reserved = jump_label_text_reserved((void *)addr, (void *)addr);

	jump_label_unlock();
	return reserved;
}

static bool is_inside_ftrace_site(unsigned long addr)
{
	return ftrace_text_reserved((void *)addr, (void *)addr) &&
	       ftrace_location(addr) != addr;
}

/* Relocated once more when the module comes that it patches, and when that goes */
static bool is_livepatch(unsigned long addr)
{
	struct module *module;

	guard(preempt)();
	module = __module_text_address(addr);
	return module && is_livepatch_module(module);
}

/* Why an address is refused, unless its instruction is the reason */
enum refusal {
	REFUSED_TOO_EARLY,
	REFUSED_FTRACE,
	REFUSED_NOT_TEXT,
	REFUSED_GONE,
	REFUSED_BLACKLIST,
	REFUSED_JUMP_LABEL,
	REFUSED_STATIC_CALL,
	REFUSED_LIVEPATCH,
	REFUSED_BUG,
	REFUSED_EXTABLE,
	REFUSED_BOUNDARY,
	REFUSED_NO_SYMBOL,
};

static const char *const refusal_text[] = {
	[REFUSED_TOO_EARLY]	= "too early to know what must not be probed",
	[REFUSED_FTRACE]	= "inside the call of an ftrace site",
	[REFUSED_NOT_TEXT]	= "not kernel text",
	[REFUSED_GONE]		= "text that is not there yet, or not any more",
	[REFUSED_BLACKLIST]	= "where probes are handled, or marked not to be probed",
	[REFUSED_JUMP_LABEL]	= "a jump label",
	[REFUSED_STATIC_CALL]	= "a static call",
	[REFUSED_LIVEPATCH]	= "in a livepatch, which is relocated later",
	[REFUSED_BUG]		= "a BUG() or WARN(), found by its address",
	[REFUSED_EXTABLE]	= "may fault and has an exception table entry",
	[REFUSED_BOUNDARY]	= "not where an instruction begins",
	[REFUSED_NO_SYMBOL]	= "no symbol says where the code begins",
};

static int refuse(struct kprobe_place *place, enum refusal refusal, int error)
{
	place->refusal = refusal_text[refusal];
	return error;
}

/* Instructions others change, or look for at their addresses */
static int check_owners(struct kprobe_place *place)
{
	void *addr = (void *)place->addr;

	if (is_jump_label(place->addr))
		return refuse(place, REFUSED_JUMP_LABEL, -EINVAL);
	if (static_call_text_reserved(addr, addr))
		return refuse(place, REFUSED_STATIC_CALL, -EINVAL);
	if (is_livepatch(place->addr))
		return refuse(place, REFUSED_LIVEPATCH, -EINVAL);
	if (find_bug(place->addr))
		return refuse(place, REFUSED_BUG, -EINVAL);
	if (search_exception_tables(place->addr))
		return refuse(place, REFUSED_EXTABLE, -EOPNOTSUPP);
	return arch_kprobe_text_reserved(place->addr, &place->refusal) ? -EINVAL : 0;
}

static int check_insn(struct kprobe_place *place)
{
	int ret;

	ret = arch_kprobe_insn_check(place->addr, &place->refusal);
	if (!ret || place->refusal)
		return ret;
	return refuse(place, ret == -ENOENT ? REFUSED_NO_SYMBOL : REFUSED_BOUNDARY, ret);
}

static int check_where(struct kprobe_place *place)
{
	int ret;

	if (!kprobe_blacklist_ready())
		return refuse(place, REFUSED_TOO_EARLY, -EAGAIN);
	if (is_inside_ftrace_site(place->addr))
		return refuse(place, REFUSED_FTRACE, -EILSEQ);
	ret = core_kernel_text(place->addr) ? kprobe_init_check(place->addr) :
					      kprobe_module_check(place->addr);
	if (ret)
		return refuse(place, ret == -ENOENT ? REFUSED_GONE : REFUSED_NOT_TEXT, ret);
	if (within_kprobe_blacklist(place->addr))
		return refuse(place, REFUSED_BLACKLIST, -EINVAL);
	return 0;
}

/**
 * kprobe_place_check() - may there be a probe at a place
 * @place: the place; gets the reason if not
 *
 * Context: process context, under the core mutex; the answer holds until that is
 * given back.
 * Return: 0, or the reason why not, as register_kprobes() has them.
 */
int kprobe_place_check(struct kprobe_place *place)
{
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	place->refusal = NULL;
	ret = check_where(place);
	if (ret)
		return ret;
	/* An ftrace site keeps its instruction, whatever that is at the moment */
	if (kprobe_method_for(place->addr) != &kprobe_trap_method)
		return 0;
	return check_owners(place) ?: check_insn(place);
}

/**
 * kprobe_refusal() - why can a kprobe not be registered
 * @p: kprobe::addr, symbol_name and offset are looked at
 *
 * Context: process context.
 * Return: the reason in words; NULL if the address is not the reason.
 */
const char *kprobe_refusal(const struct kprobe *p)
{
	struct kprobe_place place = { };

	if (kprobe_place_find(p, &place))
		return NULL;
	guard(mutex)(&kprobe_mutex);
	kprobe_place_check(&place);
	return place.refusal;
}
