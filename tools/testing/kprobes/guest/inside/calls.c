// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calls [CALLS BATCHES [CALL]]: what one getppid() costs, in nanoseconds; and CALLS.
 *
 * CALL is the name of another system call to measure.
 *
 * Each batch is CALLS system calls in a loop between two looks at the clock;
 * the least of BATCHES such means is printed, that of a batch no timer tick
 * fell into.  Under QEMU's -icount shift=0 a nanosecond is an instruction.
 *
 * One more batch is between two marks: breakpoint instructions of a user program,
 * which nobody else executes here and QEMU's log of exceptions shows.  Without
 * arguments there is one mark, and nothing else.
 *
 * Recording $comm costs by the length of the program's name: five letters, as
 * where the reference figures were taken.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __aarch64__
#define BREAKPOINT	"brk #0x6b70"

/* The breakpoint is where the signal returns to */
static void on_mark(int sig, siginfo_t *info, void *context)
{
	((ucontext_t *)context)->uc_mcontext.pc += 4;
}
#else
#define BREAKPOINT	"int3"

static void on_mark(int sig, siginfo_t *info, void *context)
{
}
#endif

/* System calls without arguments, which do next to nothing */
static const struct {
	const char *name;
	long number;
} system_calls[] = {
	{ "getppid", SYS_getppid },
	{ "getpid", SYS_getpid },
	{ "gettid", SYS_gettid },
	{ "getuid", SYS_getuid },
	{ "geteuid", SYS_geteuid },
	{ "getgid", SYS_getgid },
	{ "getegid", SYS_getegid },
	{ }
};

/* The number of the call to measure */
static long measured = SYS_getppid;

static void measure(const char *name)
{
	int i;

	for (i = 0; system_calls[i].name; i++) {
		if (!strcmp(system_calls[i].name, name)) {
			measured = system_calls[i].number;
			return;
		}
	}
	fprintf(stderr, "calls: %s: not known\n", name);
	exit(2);
}

static void mark(void)
{
	struct sigaction action = { .sa_sigaction = on_mark, .sa_flags = SA_SIGINFO };

	sigaction(SIGTRAP, &action, NULL);
	__asm__ volatile(BREAKPOINT : : : "memory");
}

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static double batch(long calls)
{
	long start = now();

	for (long i = 0; i < calls; i++)
		syscall(measured);
	return (double)(now() - start) / calls;
}

static void marked_batch(long calls)
{
	mark();
	batch(calls);
	mark();
}

int main(int argc, char **argv)
{
	if (argc == 1) {
		mark();
		return 0;
	}
	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: calls [CALLS BATCHES [CALL]]\n");
		return 2;
	}
	if (argc == 4)
		measure(argv[3]);

	long calls = atol(argv[1]);
	double least = batch(calls);

	for (long i = atol(argv[2]); i > 1; i--) {
		double mean = batch(calls);

		if (mean < least)
			least = mean;
	}
	marked_batch(calls);
	printf("%.1f\t%ld\n", least, calls);
	return 0;
}
