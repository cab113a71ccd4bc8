// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Run text with given registers on this processor until it stops.
 *
 * The return from a signal handler sets all registers at once, including the program
 * counter; the next signal saves all of them. Text is entered from the handler of
 * SIGUSR1 and left by the signal it causes: by a BRK, a udf, or an unmapped page.
 */
#define _GNU_SOURCE
#undef SIGSEGV
#undef SEGV_MAPERR
#include <signal.h>
#include <ucontext.h>

#include "machine.h"

#define FPSIMD_RECORD	0x46508001

struct fpsimd_record {
	u32			magic, size;
	u32			fpsr, fpcr;
	unsigned __int128	vectors[32];
};

/* Read by handlers; the compiler does not know that raise() calls them. */
static struct machine *volatile running;
static mcontext_t outside;

static struct fpsimd_record *fpsimd_of(mcontext_t *context)
{
	char *at = (char *)context->__reserved;
	u32 magic, size;

	for (;;) {
		memcpy(&magic, at, sizeof(magic));
		memcpy(&size, at + sizeof(magic), sizeof(size));
		if (magic == FPSIMD_RECORD)
			return (struct fpsimd_record *)at;
		if (!magic)
			abort();
		at += size;
	}
}

static void enter(int sig, siginfo_t *info, void *ucontext)
{
	mcontext_t *context = &((ucontext_t *)ucontext)->uc_mcontext;
	struct fpsimd_record *fpsimd = fpsimd_of(context);
	const struct machine *machine = running;

	outside = *context;
	memcpy(context->regs, machine->regs, sizeof(machine->regs));
	context->sp = machine->sp;
	context->pc = machine->pc;
	context->pstate &= ~(NZCV | BTYPE);
	context->pstate |= machine->pstate & (NZCV | BTYPE);
	fpsimd->fpsr = machine->fpsr;
	memcpy(fpsimd->vectors, machine->vectors, sizeof(machine->vectors));
}

static void leave(int sig, siginfo_t *info, void *ucontext)
{
	mcontext_t *context = &((ucontext_t *)ucontext)->uc_mcontext;
	struct fpsimd_record *fpsimd = fpsimd_of(context);
	struct machine *machine = running;

	if (!machine)
		_Exit(128 + sig);
	memcpy(machine->regs, context->regs, sizeof(machine->regs));
	machine->sp = context->sp;
	machine->pc = context->pc;
	machine->pstate = context->pstate & (NZCV | BTYPE);
	machine->fpsr = fpsimd->fpsr;
	machine->signal = sig;
	memcpy(machine->vectors, fpsimd->vectors, sizeof(machine->vectors));
	*context = outside;
}

/* The handlers have a stack of their own: the test sets the text's stack pointer. */
static void handle(int sig, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = {
		.sa_sigaction	= handler,
		.sa_flags	= SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
	};

	if (sigaction(sig, &action, NULL))
		abort();
}

void machine_init(void)
{
	static char room[1 << 16] __attribute__((aligned(16)));
	stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };

	if (sigaltstack(&stack, NULL))
		abort();
	handle(SIGUSR1, enter);
	handle(SIGTRAP, leave);
	handle(SIGILL, leave);
	handle(SIGSEGV, leave);
	handle(SIGBUS, leave);
}

void machine_run(struct machine *machine)
{
	running = machine;
	raise(SIGUSR1);
	running = NULL;
}
