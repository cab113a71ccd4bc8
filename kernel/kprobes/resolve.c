// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which address is meant, and may it be probed: from a symbol or an address and
 * an offset to a place, and from a place to an answer.
 */
#include <linux/bug.h>
#include <linux/cpu.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
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

/* Instructions others change, or look for at their addresses */
static bool is_reserved(unsigned long addr)
{
	bool reserved;

	cpus_read_lock();
	jump_label_lock();
	reserved = jump_label_text_reserved((void *)addr, (void *)addr);
	jump_label_unlock();
	cpus_read_unlock();
	return reserved || static_call_text_reserved((void *)addr, (void *)addr) ||
	       find_bug(addr);
}

static bool is_inside_ftrace_site(unsigned long addr)
{
	return ftrace_text_reserved((void *)addr, (void *)addr) &&
	       ftrace_location(addr) != addr;
}

/**
 * kprobe_place_check() - may there be a probe at a place
 * @place: the place
 *
 * Context: process context, under the core mutex; the answer holds until that is
 * given back.
 * Return: 0, or the reason why not, as register_kprobes() has them.
 */
int kprobe_place_check(const struct kprobe_place *place)
{
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	if (!kprobe_blacklist_ready())
		return -EAGAIN;
	if (is_inside_ftrace_site(place->addr))
		return -EILSEQ;
	ret = core_kernel_text(place->addr) ? 0 : kprobe_module_check(place->addr);
	if (ret)
		return ret;
	if (within_kprobe_blacklist(place->addr))
		return -EINVAL;
	if (kprobe_method_for(place->addr))
		return 0;
	if (is_reserved(place->addr))
		return -EINVAL;
	return arch_kprobe_check_boundary(place->addr) ?: -EOPNOTSUPP;
}
