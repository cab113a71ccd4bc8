// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A run consists of two signals. The first is taken in harness_run() and returns into
 * the code under test, with all registers from the signal frame. The second is raised
 * by the end of that code, usually an int3, and returns to harness_run().
 */
#include <err.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <linux/uaccess.h>
#include <asm/pgtable_types.h>
#include <asm/processor-flags.h>

#include "harness.h"

#define FP_XSTATE_MAGIC	0x46505853u

static struct {
	struct run *run;
	bool inside;
	size_t xstate_size;
	gregset_t home;
	uint8_t home_xstate[XSTATE_MAX];
	uint8_t stack[1 << 16];
} harness;

/* The kernel's names for libc's indexes. */
static const struct {
	size_t at;
	int index;
} registers[] = {
	{ offsetof(struct pt_regs, r8), REG_R8 },
	{ offsetof(struct pt_regs, r9), REG_R9 },
	{ offsetof(struct pt_regs, r10), REG_R10 },
	{ offsetof(struct pt_regs, r11), REG_R11 },
	{ offsetof(struct pt_regs, r12), REG_R12 },
	{ offsetof(struct pt_regs, r13), REG_R13 },
	{ offsetof(struct pt_regs, r14), REG_R14 },
	{ offsetof(struct pt_regs, r15), REG_R15 },
	{ offsetof(struct pt_regs, di), REG_RDI },
	{ offsetof(struct pt_regs, si), REG_RSI },
	{ offsetof(struct pt_regs, bp), REG_RBP },
	{ offsetof(struct pt_regs, bx), REG_RBX },
	{ offsetof(struct pt_regs, dx), REG_RDX },
	{ offsetof(struct pt_regs, ax), REG_RAX },
	{ offsetof(struct pt_regs, cx), REG_RCX },
	{ offsetof(struct pt_regs, sp), REG_RSP },
	{ offsetof(struct pt_regs, ip), REG_RIP },
	{ offsetof(struct pt_regs, flags), REG_EFL },
};

#define REGISTERS	(sizeof(registers) / sizeof(*registers))

static void load(greg_t *to, const struct pt_regs *regs)
{
	size_t i;

	for (i = 0; i < REGISTERS; i++)
		memcpy(&to[registers[i].index],
		       (const char *)regs + registers[i].at, sizeof(*to));
}

static void store(struct pt_regs *regs, const greg_t *from)
{
	size_t i;

	for (i = 0; i < REGISTERS; i++)
		memcpy((char *)regs + registers[i].at,
		       &from[registers[i].index], sizeof(*from));
}

/* The kernel stores the size of the state in the frame after the legacy area. */
static size_t frame_xstate_size(const uint8_t *frame)
{
	uint32_t words[6];

	memcpy(words, frame + 464, sizeof(words));
	if (words[0] != FP_XSTATE_MAGIC || words[4] > XSTATE_MAX)
		return 512;
	return words[4];
}

static void enter(ucontext_t *uc, uint8_t *frame)
{
	memcpy(harness.home, uc->uc_mcontext.gregs, sizeof(harness.home));
	harness.xstate_size = frame_xstate_size(frame);
	memcpy(harness.home_xstate, frame, harness.xstate_size);
	load(uc->uc_mcontext.gregs, &harness.run->regs);
	harness.inside = true;
	if (!harness.run->has_xstate)
		return;
	memcpy(frame, harness.run->xstate, 464);
	if (harness.xstate_size > 512)
		memcpy(frame + 512, harness.run->xstate + 512,
		       harness.xstate_size - 512);
}

static void leave(ucontext_t *uc, uint8_t *frame, int signal)
{
	harness.inside = false;
	harness.run->signal = signal;
	store(&harness.run->regs, uc->uc_mcontext.gregs);
	memcpy(harness.run->xstate, frame, harness.xstate_size);
	memcpy(uc->uc_mcontext.gregs, harness.home, sizeof(harness.home));
	memcpy(frame, harness.home_xstate, harness.xstate_size);
}

/* The code under test may have enabled alignment checks: disable them before any C. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	uint8_t *frame;

	asm volatile("push $0x202; popf" ::: "cc", "memory");
	frame = (uint8_t *)uc->uc_mcontext.fpregs;
	if (harness.inside)
		leave(uc, frame, signal);
	else if (harness.run)
		enter(uc, frame);
	else
		_exit(128 + signal);
}

/* The flag for five levels of page tables is only present where they are in use. */
static void read_address_size(void)
{
	FILE *in = fopen("/proc/cpuinfo", "r");
	size_t size = 0;
	char *line = NULL;

	while (in && getline(&line, &size, in) > 0)
		if (!strncmp(line, "flags", 5) && strstr(line, " la57"))
			shim_virtual_mask_shift = 56;
	if (in)
		fclose(in);
	free(line);
}

static void map(unsigned long at, size_t size, int prot)
{
	void *got = mmap((void *)at, size, prot, MAP_PRIVATE | MAP_ANONYMOUS |
			 MAP_FIXED_NOREPLACE, -1, 0);

	if (got != (void *)at)
		err(1, "mmap %lx", at);
}

/**
 * harness_init() - map the fixed addresses, install signal handlers, size addresses
 */
void harness_init(void)
{
	static const int signals[] = { SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE };
	stack_t stack = {
		.ss_sp = harness.stack, .ss_size = sizeof(harness.stack),
	};
	struct sigaction action = {
		.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK,
	};
	size_t i;

	read_address_size();
	shim_unreadable = UNREADABLE;
	map(CODE, CODE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC);
	map(SLOT, SLOT_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC);
	map(DATA, DATA_SIZE, PROT_READ | PROT_WRITE);
	map(STACK, STACK_SIZE, PROT_READ | PROT_WRITE);
	map(UNREADABLE, 4096, PROT_NONE);
	if (sigaltstack(&stack, NULL))
		err(1, "sigaltstack");
	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (sigaction(signals[i], &action, NULL))
			err(1, "sigaction");
}

/**
 * harness_run() - run code until a signal stops it
 * @run: registers to start with; on return, the registers at the stop
 */
void harness_run(struct run *run)
{
	harness.run = run;
	asm volatile("int3" ::: "memory", "cc");
	harness.run = NULL;
	/* Flags that sigreturn does not restore: nested task, identification. */
	asm volatile("push $0x202; popf" ::: "cc", "memory");
}

/**
 * harness_xstate_size() - bytes of struct run's xstate in use
 *
 * Return: the size in the last run.
 */
size_t harness_xstate_size(void)
{
	return harness.xstate_size;
}

/**
 * harness_stop() - the address where a run stopped
 * @run: the run
 *
 * Return: the address of the int3, or of the faulting instruction.
 */
unsigned long harness_stop(const struct run *run)
{
	return run->signal == SIGTRAP ? run->regs.ip - 1 : run->regs.ip;
}
