// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Differential test: each form runs on the processor directly, and then the way a
 * probe executes it: emulated, or copied to another address with a branch back, or
 * copied with a trap at the end. Registers, flags, memory and the signal that ends
 * the run must be equal.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <signal.h>

#include "../../../../../arch/x86/kernel/kprobes/insn.h"
#include "forms.h"
#include "image.h"

#define ROUNDS		128
#define INT3_OPCODE	0xcc

static struct {
	int forms[PROBE_INSN_KINDS];
	int faulted, failed, fault_copies;
	unsigned long runs;
	/* one set, because an image is large */
	struct image start, bare, probed;
} differ;

/* The form and its slot, at any alignment. */
struct place {
	unsigned long code, slot;
	uint8_t text[16];
	struct probe_insn pi;
};

static void run_at(struct image *image, unsigned long ip)
{
	memcpy(image, &differ.start, sizeof(*image));
	image_put(image);
	image->run.regs.ip = ip;
	harness_run(&image->run);
	image_get(image);
	image->run.regs.ip = harness_stop(&image->run);
	differ.runs++;
}

/* A run that stopped within the slot is compared as if at the original address. */
static void translate(struct image *image, const struct place *place)
{
	unsigned long offset = image->run.regs.ip - place->slot;

	if (offset <= place->pi.length)
		image->run.regs.ip = place->code + offset;
}

static const char *run_copied(const struct place *place, bool trap)
{
	uint8_t *slot = (uint8_t *)place->slot;
	int len;

	len = (trap ? probe_insn_write_resume_trap : probe_insn_write_resume)
		(slot, PROBE_RESUME_MAX, place->text, &place->pi, place->code,
		 place->slot);
	if (len < 0)
		return "relocate";
	run_at(&differ.probed, place->slot);
	memset(slot, INT3_OPCODE, len);
	translate(&differ.probed, place);
	return image_compare(&differ.bare, &differ.probed, true);
}

/*
 * Some processors have stored the return address below the stack pointer, which is
 * unchanged, before they find that the target of a call is invalid. In a copy this is
 * the copy's return address; it is compared, like the instruction pointer, as if at
 * the original address. No other difference is allowed there.
 */
static void translate_push(struct image *image, const struct place *place)
{
	unsigned long at = image->run.regs.sp - STACK - sizeof(at), pushed;

	if (at > STACK_SIZE - sizeof(at))
		return;
	memcpy(&pushed, image->stack + at, sizeof(pushed));
	if (pushed != place->slot + place->pi.length)
		return;
	pushed = place->code + place->pi.length;
	memcpy(image->stack + at, &pushed, sizeof(pushed));
}

/* An instruction that is not emulated must fault in its copy as in its place. */
static const char *run_fault_copy(const struct place *place)
{
	uint8_t *slot = (uint8_t *)place->slot;
	int len;

	if (memcmp(&differ.probed, &differ.start, sizeof(differ.start)))
		return "state after -EFAULT";
	len = probe_insn_copy_to(slot, PROBE_RESUME_MAX, place->text, &place->pi,
				 place->code, place->slot);
	if (len < 0)
		return "relocate";
	run_at(&differ.probed, place->slot);
	memset(slot, INT3_OPCODE, len);
	translate(&differ.probed, place);
	if (place->pi.kind == PROBE_INSN_CALL_REG || place->pi.kind == PROBE_INSN_CALL_MEM)
		translate_push(&differ.probed, place);
	differ.fault_copies++;
	return image_compare(&differ.bare, &differ.probed, true);
}

static const char *run_emulated(const struct place *place)
{
	struct image *image = &differ.probed;
	int ret;

	memcpy(image, &differ.start, sizeof(*image));
	image_put(image);
	ret = probe_insn_emulate(&place->pi, place->code, &image->run.regs);
	image_get(image);
	if (ret)
		return run_fault_copy(place);
	image->run.signal = differ.bare.run.signal;
	return image_compare(&differ.bare, image, false);
}

static bool is_direct_branch(const struct probe_insn *pi)
{
	return pi->kind == PROBE_INSN_CALL || pi->kind == PROBE_INSN_JMP ||
	       (pi->kind >= PROBE_INSN_JCC && pi->kind <= PROBE_INSN_JCXZ);
}

/* Anywhere within reach, but not into the form itself. */
static int random_displacement(const struct probe_insn *pi, bool is_byte)
{
	int disp;

	do {
		disp = is_byte ? (int8_t)image_random() :
				 (int)(image_random() % 0x1800) - 0xc00;
	} while (disp < 0 && disp >= -(int)pi->length);
	return disp;
}

static void randomize_branch(struct place *place)
{
	int8_t opcode = place->text[place->pi.length - 2];
	bool is_byte = place->pi.length < 5 || (opcode & 0xf0) == 0x70;
	int disp = random_displacement(&place->pi, is_byte);
	size_t size = is_byte ? 1 : 4;

	memcpy(place->text + place->pi.length - size, &disp, size);
	place->pi = probe_insn_decode(place->text, place->pi.length);
}

static void put_place(struct place *place, const struct form *form)
{
	size_t len = form->end - form->start;

	memset(place->text, INT3_OPCODE, sizeof(place->text));
	memcpy(place->text, form->start, len);
	place->code = CODE + CODE_SIZE / 2 + image_random() % 64;
	place->slot = SLOT + image_random() % 64 * 32;
	place->pi = probe_insn_decode(place->text, len);
	if (is_direct_branch(&place->pi))
		randomize_branch(place);
	memcpy((void *)place->code, place->text, len);
}

static const char *run_round(const struct form *form, const struct place *place,
			     unsigned int round)
{
	const char *what;

	image_fill(&differ.start, form->mode, round);
	run_at(&differ.bare, place->code);
	if (probe_insn_emulated(&place->pi))
		return run_emulated(place);
	what = run_copied(place, false);
	return what ? what : run_copied(place, true);
}

static const char *check_class(const struct form *form, const struct place *place)
{
	bool right = form->class == 'c' ? probe_insn_copied(&place->pi) :
					  probe_insn_emulated(&place->pi);

	if (!right)
		return "class";
	return place->pi.length == form->end - form->start ? NULL : "length";
}

static void print_run(const char *which, const struct run *run)
{
	printf("#   %s: signal %d, ip %lx, flags %lx, sp %lx, cx %lx\n", which,
	       run->signal, run->regs.ip, run->regs.flags, run->regs.sp,
	       run->regs.cx);
}

static void fail(const struct form *form, const struct place *place,
		 unsigned int round, const char *what)
{
	differ.failed++;
	printf("# %s at %lx: %s differs, round %u\n", form->text, place->code,
	       what, round);
	print_run("bare", &differ.bare.run);
	print_run("probed", &differ.probed.run);
}

static void run_form(const struct form *form)
{
	unsigned int round, faults = 0;
	const char *what = NULL;
	struct place place;

	for (round = 0; !what && round < ROUNDS; round++) {
		put_place(&place, form);
		what = check_class(form, &place);
		if (!what)
			what = run_round(form, &place, round);
		faults += differ.bare.run.signal != SIGTRAP;
		memset((void *)place.code, INT3_OPCODE, place.pi.length);
	}
	if (what)
		fail(form, &place, round - 1, what);
	differ.forms[place.pi.kind]++;
	differ.faulted += faults == ROUNDS;
}

static void print_table(void)
{
	int kind;

	for (kind = PROBE_INSN_COPY; kind < PROBE_INSN_KINDS; kind++)
		printf("%-8s %-28s %4d forms\n",
		       kind == PROBE_INSN_COPY ? "copied" : "emulated",
		       kind == PROBE_INSN_COPY ? "branch back, and trap" :
						 probe_insn_kind_text(kind),
		       differ.forms[kind]);
	printf("# %d forms always fault, in place and probed alike\n",
	       differ.faulted);
	printf("# %d times emulation stood back and the copy faulted instead\n",
	       differ.fault_copies);
}

/* cpuid and rdpid depend on the processor they run on. */
static void stay_on_one_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(void)
{
	const struct form *form;

	stay_on_one_cpu();
	harness_init();
	memset((void *)CODE, INT3_OPCODE, CODE_SIZE);
	memset((void *)SLOT, INT3_OPCODE, SLOT_SIZE);
	image_init();
	for (form = forms_start; form < forms_end; form++)
		run_form(form);
	print_table();
	printf("%s differ: %d forms, %lu runs, %d failed\n",
	       differ.failed ? "not ok" : "ok", (int)(forms_end - forms_start),
	       differ.runs, differ.failed);
	return !!differ.failed;
}
