// SPDX-License-Identifier: GPL-2.0-or-later
/* Random machine states from a fixed seed. */
#include <string.h>

#include <asm/processor-flags.h>

#include "image.h"

#define ARITHMETIC	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | \
			 X86_EFLAGS_ZF | X86_EFLAGS_SF | X86_EFLAGS_OF | \
			 X86_EFLAGS_DF)
/* More flags that user space can set and popf shows. */
#define POPPED		(X86_EFLAGS_NT | X86_EFLAGS_AC | X86_EFLAGS_ID)
#define ALWAYS		(X86_EFLAGS_FIXED | X86_EFLAGS_IF)

/* In the legacy area and after it, in the layout of XSAVE. */
#define FIP_AT		8
#define XMM_AT		160
#define XMM_END		416
#define HEADER_AT	512
#define HEADER_END	576
#define YMM_AT		576
#define YMM_END		832
#define XMM_YMM_IN_USE	6

static struct {
	uint64_t seed;
	struct run start;
} image_state = { .seed = 0x696e736e6f726163 };

/**
 * image_random() - the next random number
 *
 * Return: 64 bits.
 */
uint64_t image_random(void)
{
	uint64_t x = image_state.seed;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	image_state.seed = x;
	return x * 0x2545f4914f6cdd1d;
}

/**
 * image_init() - save the initial state of the vector registers
 *
 * Called after harness_init(); @CODE holds int3.
 */
void image_init(void)
{
	image_state.start.regs.ip = CODE;
	image_state.start.regs.sp = STACK + STACK_SIZE / 2;
	image_state.start.regs.flags = ALWAYS;
	harness_run(&image_state.start);
	image_state.start.has_xstate = true;
}

/*
 * Not into the form under test, which is in the middle. One target in 64 is no valid
 * address.
 */
static unsigned long code_pointer(void)
{
	unsigned long middle = CODE + CODE_SIZE / 2, at;

	if (!(image_random() % 64))
		return 0x6b6b6b6b6b6b6b6b;
	do {
		at = CODE + image_random() % (CODE_SIZE - 16);
	} while (at + 16 > middle && at < middle + 96);
	return at;
}

static unsigned long data_pointer(void)
{
	return DATA + 0x400 + image_random() % 0x20 * 64;
}

static unsigned long count_near_edge(void)
{
	static const unsigned long edges[] = {
		0, 1, 2, 3, 0xffffffff, 0x100000000, 0x100000001, 0x100000002,
		0x8000000000000000, 0xffffffffffffffff, 0xffffffff00000000,
		0xffffffff00000001,
	};
	unsigned long nr = image_random() % 16;

	return nr < sizeof(edges) / sizeof(*edges) ? edges[nr] : image_random();
}

static void fill_words(uint8_t *to, size_t size, bool pointers)
{
	unsigned long word;
	size_t i;

	for (i = 0; i < size; i += sizeof(word)) {
		word = pointers ? code_pointer() : image_random();
		memcpy(to + i, &word, sizeof(word));
	}
}

static void fill_regs(struct pt_regs *regs, bool pointers)
{
	unsigned long *reg = (unsigned long *)regs;
	size_t i;

	for (i = 0; i < sizeof(*regs) / sizeof(*reg); i++)
		reg[i] = pointers ? code_pointer() : image_random();
}

static void point_to(struct pt_regs *regs, unsigned long (*where)(void))
{
	regs->si = where();
	regs->di = where();
	regs->bp = where();
	regs->r8 = where();
	regs->r12 = where();
	regs->r13 = where();
	regs->bx = image_random() % 16;
	regs->r9 = image_random() % 16;
	regs->cx = image_random() % 32;
}

/* Some are not even canonical. */
static unsigned long unreadable_pointer(void)
{
	if (!(image_random() % 4))
		return 0x6b6b6b6b6b6b6b6b;
	return UNREADABLE + 64 + image_random() % 2048;
}

static void fill_by_mode(struct image *image, char mode)
{
	struct pt_regs *regs = &image->run.regs;

	fill_regs(regs, mode == 'b');
	if (mode == 'm' || mode == 'c')
		point_to(regs, data_pointer);
	if (mode == 'u')
		point_to(regs, unreadable_pointer);
	if (mode == 'n')
		regs->cx = count_near_edge();
	fill_words(image->data, sizeof(image->data), mode == 'c');
	fill_words(image->stack, sizeof(image->stack), mode == 'c');
	regs->sp = STACK + STACK_SIZE / 2 + image_random() % 16 * 8;
}

static void fill_popped_flags(struct image *image)
{
	unsigned long flags = (image_random() & (ARITHMETIC | POPPED)) | ALWAYS;

	memcpy(image->stack + image->run.regs.sp - STACK, &flags, sizeof(flags));
}

static void fill_vectors(struct run *run)
{
	uint64_t in_use;

	memcpy(run->xstate, image_state.start.xstate, sizeof(run->xstate));
	run->has_xstate = true;
	fill_words(run->xstate + XMM_AT, XMM_END - XMM_AT, false);
	if (harness_xstate_size() < YMM_END)
		return;
	fill_words(run->xstate + YMM_AT, YMM_END - YMM_AT, false);
	memcpy(&in_use, run->xstate + HEADER_AT, sizeof(in_use));
	in_use |= XMM_YMM_IN_USE;
	memcpy(run->xstate + HEADER_AT, &in_use, sizeof(in_use));
}

/* The six condition flags, every combination in 64 rounds. */
static unsigned long flags_of_round(unsigned int round)
{
	static const unsigned long bits[] = {
		X86_EFLAGS_CF, X86_EFLAGS_ZF, X86_EFLAGS_SF, X86_EFLAGS_OF,
		X86_EFLAGS_PF, X86_EFLAGS_AF,
	};
	unsigned long flags = ALWAYS;
	size_t i;

	for (i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		if (round & 1u << i)
			flags |= bits[i];
	return flags | (round & 64 ? X86_EFLAGS_DF : 0);
}

/**
 * image_fill() - make a state
 * @image: destination
 * @mode: see forms.S
 * @round: 0 and up; selects the flags
 */
void image_fill(struct image *image, char mode, unsigned int round)
{
	fill_by_mode(image, mode);
	fill_vectors(&image->run);
	image->run.regs.flags = flags_of_round(round);
	if (mode == 'f')
		fill_popped_flags(image);
}

/**
 * image_put() - copy an image's memory to where the instruction accesses it
 * @image: the image
 */
void image_put(const struct image *image)
{
	memcpy((void *)DATA, image->data, sizeof(image->data));
	memcpy((void *)STACK, image->stack, sizeof(image->stack));
}

/**
 * image_get() - copy memory as the instruction has left it
 * @image: the image
 */
void image_get(struct image *image)
{
	memcpy(image->data, (void *)DATA, sizeof(image->data));
	memcpy(image->stack, (void *)STACK, sizeof(image->stack));
}

/* The header and the address of the last x87 instruction are not registers. */
static bool same_xstate(const uint8_t *a, const uint8_t *b)
{
	size_t size = harness_xstate_size();

	if (memcmp(a, b, FIP_AT) || memcmp(a + FIP_AT + 8, b + FIP_AT + 8,
					   XMM_END - FIP_AT - 8))
		return false;
	return size <= HEADER_END || !memcmp(a + HEADER_END, b + HEADER_END,
					     size - HEADER_END - 4);
}

static bool same_regs(const struct pt_regs *a, const struct pt_regs *b)
{
	return !memcmp(a, b, offsetof(struct pt_regs, orig_ax)) && a->sp == b->sp;
}

/**
 * image_compare() - look for a difference
 * @want: a state
 * @got: another state
 * @with_xstate: also compare vector registers
 *
 * Return: the name of the difference, NULL if there is none.
 */
const char *image_compare(const struct image *want, const struct image *got,
			  bool with_xstate)
{
	if (want->run.signal != got->run.signal)
		return "signal";
	if (want->run.regs.ip != got->run.regs.ip)
		return "ip";
	if (!same_regs(&want->run.regs, &got->run.regs))
		return "registers";
	if ((want->run.regs.flags ^ got->run.regs.flags) & ~X86_EFLAGS_RF)
		return "flags";
	if (memcmp(want->stack, got->stack, sizeof(want->stack)))
		return "stack";
	if (memcmp(want->data, got->data, sizeof(want->data)))
		return "memory";
	if (with_xstate && !same_xstate(want->run.xstate, got->run.xstate))
		return "vector registers";
	return NULL;
}
