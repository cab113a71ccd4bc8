// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slots: executable memory in which probed instructions run.
 *
 * Slots come in chunks. A chunk is made executable and read-only once, when it is
 * full of trap instructions; from then on only text patching writes to it, so it
 * is at no time writable and executable. A slot that is not in use is full of
 * trap instructions again.
 *
 * A task can be preempted in a slot. So a slot is freed when a tasks-RCU grace
 * period is over, which is its owner's duty (kprobe_trap_points_free()). Nothing
 * that runs in one sleeps or leaves its address behind: that would be outside of
 * what such a grace period waits for. (But see probe_insn_copy_to() of x86.)
 *
 * Which slot holds which instruction is asked by unwinders, in NMI too. So chunks
 * are never freed, and an answer is written before the slot is used and stays
 * until nobody can be in it.
 */
#include <linux/bitmap.h>
#include <linux/execmem.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/math.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/set_memory.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#define CHUNK_SIZE	max_t(size_t, SZ_64K, PAGE_SIZE)
#define CHUNK_SLOTS	(SZ_64K / ARCH_KPROBE_SLOT_SIZE)

/* What users see in kallsyms and perf: the name is as old as the files */
#define CHUNK_NAME	"kprobe_insn_page"

/**
 * struct slot_use - the instruction a slot was made for
 * @addr: its address, 0 if the slot is free
 * @length: its bytes
 */
struct slot_use {
	unsigned long	addr;
	u8		length;
};

/**
 * struct slot_chunk - slots that came from one piece of memory
 * @next: the chunk made before this one
 * @base: the memory, CHUNK_SIZE bytes
 * @used: the slots that are in use
 * @use: what for
 *
 * Locks:
 *	I	immutable once in the list
 *	S	slot mutex
 *	W	slot mutex to write; read by anybody
 */
struct slot_chunk {
	struct slot_chunk	*next;				/* [I] */
	unsigned long		base;				/* [I] */
	DECLARE_BITMAP(used, CHUNK_SLOTS);			/* [S] */
	struct slot_use		use[CHUNK_SLOTS];		/* [W] */
};

/* Below it: text_mutex. Above it: the core mutex */
static DEFINE_MUTEX(slot_mutex);

/* [W] */
static struct slot_chunk *chunks;

/* The chunk an address is in, or NULL */
static __always_inline struct slot_chunk *chunk_of(unsigned long addr)
{
	/* Pairs with the release in chunk_add() */
	struct slot_chunk *chunk = READ_ONCE(chunks);

	while (chunk && addr - chunk->base >= CHUNK_SIZE)
		chunk = chunk->next;
	return chunk;
}

static __always_inline struct slot_use *use_of(struct slot_chunk *chunk, unsigned long addr)
{
	return &chunk->use[(addr - chunk->base) / ARCH_KPROBE_SLOT_SIZE];
}

/* How far into one of the two forms of resume code */
static __always_inline unsigned int offset_in_form(unsigned long addr)
{
	unsigned int offset = addr % ARCH_KPROBE_SLOT_SIZE;

	return offset < ARCH_KPROBE_SLOT_TRAP ? offset : offset - ARCH_KPROBE_SLOT_TRAP;
}

/**
 * kprobe_slot_origin() - see through a slot
 * @ip: an instruction pointer
 *
 * Registers and stack are in a slot what they would be where the instruction
 * came from; behind the instruction, what they would be behind that one.
 *
 * Context: any; calls nothing.
 * Return: where @ip would be without the probe: @ip if it is in no slot.
 */
noinstr unsigned long kprobe_slot_origin(unsigned long ip)
{
	struct slot_chunk *chunk = chunk_of(ip);
	unsigned int offset = offset_in_form(ip);
	struct slot_use *use;

	if (likely(!chunk))
		return ip;
	use = use_of(chunk, ip);
	if (!READ_ONCE(use->addr))
		return ip;
	return use->addr + min_t(unsigned int, offset, use->length);
}

/**
 * kprobe_slot_trap_origin() - whose is a trap in a slot
 * @addr: where the trap is
 *
 * Context: any; calls nothing.
 * Return: the address of the instruction behind which the trap stands in the
 * form that ends in one; 0 if it is no such trap.
 */
noinstr unsigned long kprobe_slot_trap_origin(unsigned long addr)
{
	struct slot_chunk *chunk = chunk_of(addr);
	struct slot_use *use;

	if (!chunk || addr % ARCH_KPROBE_SLOT_SIZE < ARCH_KPROBE_SLOT_TRAP)
		return 0;
	use = use_of(chunk, addr);
	return offset_in_form(addr) == use->length ? READ_ONCE(use->addr) : 0;
}

/**
 * is_kprobe_insn_slot() - is an address in memory of slots
 * @addr: the address
 *
 * Context: any.
 * Return: true if so, whether the slot is in use or not.
 */
bool is_kprobe_insn_slot(unsigned long addr)
{
	return chunk_of(addr);
}

static struct slot_chunk *chunk_make(void)
{
	struct slot_chunk *chunk = kzalloc(sizeof(*chunk), GFP_KERNEL);
	void *base;

	if (!chunk)
		return NULL;
	base = execmem_alloc(EXECMEM_KPROBES, CHUNK_SIZE);
	if (!base)
		goto free;
	arch_kprobe_slot_clear(base, CHUNK_SIZE);
	if (set_memory_rox((unsigned long)base, CHUNK_SIZE >> PAGE_SHIFT))
		goto free;
	chunk->base = (unsigned long)base;
	return chunk;
free:
	execmem_free(base);
	kfree(chunk);
	return NULL;
}

static struct slot_chunk *chunk_add(void)
{
	struct slot_chunk *chunk = chunk_make();

	if (!chunk)
		return NULL;
	chunk->next = chunks;
	/* The chunk is complete before chunk_of() finds it */
	smp_store_release(&chunks, chunk);
	perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, chunk->base, CHUNK_SIZE,
			   false, CHUNK_NAME);
	return chunk;
}

static bool is_nearer(unsigned long addr, const struct slot_chunk *chunk,
		      const struct slot_chunk *than)
{
	return !than || abs_diff(chunk->base, addr) < abs_diff(than->base, addr);
}

/* The chunk with a free slot that is nearest to an address, made if there is none */
static struct slot_chunk *chunk_with_room(unsigned long addr)
{
	struct slot_chunk *chunk, *nearest = NULL;

	for (chunk = chunks; chunk; chunk = chunk->next) {
		if (!bitmap_full(chunk->used, CHUNK_SLOTS) && is_nearer(addr, chunk, nearest))
			nearest = chunk;
	}
	return nearest ?: chunk_add();
}

/**
 * kprobe_slot_alloc() - get a slot
 * @addr: of the instruction that is to run there
 * @length: its bytes
 *
 * Context: process context.
 * Return: the slot, to be written by arch_kprobe_trap_make(); NULL if there is no
 * memory.
 */
void *kprobe_slot_alloc(unsigned long addr, u8 length)
{
	struct slot_chunk *chunk;
	unsigned int i;

	guard(mutex)(&slot_mutex);
	chunk = chunk_with_room(addr);
	if (!chunk)
		return NULL;
	i = find_first_zero_bit(chunk->used, CHUNK_SLOTS);
	__set_bit(i, chunk->used);
	chunk->use[i].length = length;
	WRITE_ONCE(chunk->use[i].addr, addr);
	return (void *)(chunk->base + i * ARCH_KPROBE_SLOT_SIZE);
}

/**
 * kprobe_slot_free() - give back a slot
 * @slot: the slot, which nobody can be in any more; NULL is no slot
 *
 * Context: process context.
 */
void kprobe_slot_free(void *slot)
{
	unsigned long addr = (unsigned long)slot;
	struct slot_chunk *chunk = chunk_of(addr);

	if (!chunk)
		return;
	guard(mutex)(&slot_mutex);
	arch_kprobe_slot_clear(slot, ARCH_KPROBE_SLOT_SIZE);
	WRITE_ONCE(use_of(chunk, addr)->addr, 0);
	__clear_bit((addr - chunk->base) / ARCH_KPROBE_SLOT_SIZE, chunk->used);
}

/**
 * kprobe_get_kallsym() - the chunks, as symbols
 * @num: which one
 * @addr: set to where it is
 * @type: set to the letter of its kind
 * @name: set to its name, KSYM_NAME_LEN bytes at most
 *
 * Context: any.
 * Return: 0, or -ERANGE if there are not so many.
 */
int kprobe_get_kallsym(unsigned int num, unsigned long *addr, char *type, char *name)
{
	struct slot_chunk *chunk = READ_ONCE(chunks);

	while (chunk && num--)
		chunk = chunk->next;
	if (!chunk)
		return -ERANGE;
	*addr = chunk->base;
	*type = 't';
	strscpy(name, CHUNK_NAME, KSYM_NAME_LEN);
	return 0;
}
