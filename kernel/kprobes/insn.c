// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instruction at a place: kprobe_insn_make() reads and decodes it once, refuses it
 * or gives it a slot, and kprobe_insn_arm() puts a trap in its place.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include "core.h"
#include "insn.h"
#include "place.h"
#include "slot.h"
#include "text.h"

/* Resume code has two forms, each of them the instruction and its end */
#define INSN_MAP	4

static int insn_make_slot(struct kprobe_insn *insn)
{
	unsigned int size = arch_kprobe_insn_size(insn);
	struct kprobe_code code;
	int ret;

	insn->step = KPROBE_INSN_NO_STEP;
	if (!size)
		return 0;
	insn->slot = kprobe_slot_alloc(KPROBE_SLOT_RESUME, size, INSN_MAP, insn->addr);
	if (!insn->slot)
		return -ENOMEM;
	insn->resume = insn->slot;
	kprobe_code_begin(&code, insn->addr, insn->slot);
	ret = arch_kprobe_insn_write(insn, &code);
	if (!ret)
		kprobe_slot_write(insn->slot, &code);
	return ret;
}

static const char *insn_refusal_text(int error)
{
	switch (error) {
	case -EILSEQ:
		return "not the start of an instruction";
	case -ERANGE:
		return "its copy would be out of reach of the memory it addresses";
	case -EBUSY:
		return "a breakpoint of the debugger hides an instruction of the function";
	case -EFAULT:
		return "the instruction, or a constant that it loads, cannot be read";
	default:
		return NULL;
	}
}

static struct kprobe_refusal insn_fill(struct kprobe_insn *insn, const struct kprobe_place *place)
{
	struct kprobe_refusal refusal;

	insn->addr = place->addr;
	refusal = arch_kprobe_insn_decode(insn, place->symbol, place->symbol_size);
	/* The function may have its frame record before it jumps there */
	if (place->in_part)
		insn->unframed = false;
	if (!refusal.error)
		refusal.error = insn_make_slot(insn);
	if (!refusal.text)
		refusal.text = insn_refusal_text(refusal.error);
	return refusal;
}

/**
 * kprobe_insn_make() - read the instruction at a place and prepare to resume from it
 * @place: the place, found and checked; gets the refusal if there is no insn
 *
 * Context: process context, under the core mutex; takes text_mutex.
 * Return: the insn, or an ERR_PTR().
 */
struct kprobe_insn *kprobe_insn_make(struct kprobe_place *place)
{
	struct kprobe_insn *insn = kzalloc(sizeof(*insn), GFP_KERNEL);

	lockdep_assert_held(&kprobe_mutex);
	place->refusal = (struct kprobe_refusal){ .error = -ENOMEM };
	if (insn)
		place->refusal = insn_fill(insn, place);
	if (!place->refusal.error)
		return insn;
	kprobe_insn_free(insn);
	return ERR_PTR(place->refusal.error);
}

/**
 * kprobe_insn_free() - undo kprobe_insn_make()
 * @insn: not armed, and no CPU is in its slot; or NULL
 *
 * Context: process context.
 */
void kprobe_insn_free(struct kprobe_insn *insn)
{
	if (!insn)
		return;
	kprobe_slot_free(insn->slot);
	kfree(insn);
}

/**
 * kprobe_insn_arm() - put a trap in the place of an instruction
 * @insn: the insn; those of one batch should come at ascending addresses
 *
 * The trap is in the text after arch_kprobe_patch_flush().
 *
 * Context: under the CPU lock and text_mutex.
 * Return: 0, or -EBUSY if the text is not the instruction that @insn was made for.
 */
int kprobe_insn_arm(const struct kprobe_insn *insn)
{
	lockdep_assert_cpus_held();
	lockdep_assert_held(&text_mutex);
	if (!kprobe_text_is(insn->addr, insn->text, insn->length))
		return -EBUSY;
	arch_kprobe_patch_queue(insn->addr, insn->text, arch_kprobe_trap_text,
				ARCH_KPROBE_TRAP_SIZE);
	return 0;
}

/**
 * kprobe_insn_disarm() - put an instruction back
 * @insn: armed
 *
 * The trap is in use until arch_kprobe_patch_flush(). If the text is not the trap any
 * more another owner has changed it, and it stays as it is.
 *
 * Context: under the CPU lock and text_mutex.
 */
void kprobe_insn_disarm(const struct kprobe_insn *insn)
{
	lockdep_assert_cpus_held();
	lockdep_assert_held(&text_mutex);
	if (!kprobe_text_is_ours(insn->addr, arch_kprobe_trap_text, ARCH_KPROBE_TRAP_SIZE))
		return;
	arch_kprobe_patch_queue(insn->addr, arch_kprobe_trap_text, insn->text,
				ARCH_KPROBE_TRAP_SIZE);
}

/**
 * kprobe_insn_form() - how the instruction under a trap is executed
 * @insn: the insn
 *
 * Return: a word in brackets for debugfs, or NULL if all ways cost the same.
 */
const char *kprobe_insn_form(const struct kprobe_insn *insn)
{
	if (!ARCH_KPROBE_FORMS_DIFFER)
		return NULL;
	if (insn->emulated)
		return "[EMULATED]";
	return insn->step ? "[SLOT]" : "[SECOND TRAP]";
}
