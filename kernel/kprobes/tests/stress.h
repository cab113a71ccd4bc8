/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_STRESS_H
#define _KERNEL_KPROBES_TESTS_STRESS_H
/*
 * The stress of probes: what stress.c, stress_clients.c and the probed code share.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/types.h>

/* Probed functions: those of stress_places.S, and those in C, which have an ftrace site */
#define STRESS_IN_ASM		48
#define STRESS_FUNCTIONS	64

/* Addresses in a function that may have probes */
#define STRESS_PLACES		3

#define STRESS_THREADS		2

/**
 * struct stress_function - a probed function, of 48 bytes as stress_places.S writes them
 * @call: the function
 * @place: addresses of its instructions, NULL if there are fewer
 * @taken: bit mask of the places that only calls with a negative value pass
 * @inside: bit mask of the places in the window of the first place
 * @jumps: may the first place be a jump?
 * @shape: a letter for its kind
 * @adds: what it adds to its value: if that is positive or 0, and if it is negative
 * @skip: what the instruction at the first place adds, if the second one follows it; -1 if
 *	it must not be skipped
 */
struct stress_function {
	int	(*call)(int value);
	u8	*place[STRESS_PLACES];
	u8	taken;
	u8	inside;
	u8	jumps;
	char	shape;
	s32	adds[2];
	s32	skip;
};

/**
 * struct stress_thread - a thread that calls the functions
 * @task: the thread
 * @random: its random number
 * @wrong: calls that returned a wrong value
 * @calls: calls of each function, with positive and with negative values
 */
struct stress_thread {
	struct task_struct	*task;
	u32			random;
	unsigned long		wrong;
	unsigned long		calls[STRESS_FUNCTIONS][2];
};

/* stress_places.S */
extern const struct stress_function stress_asm_functions[STRESS_IN_ASM];

/* stress.c */
extern struct stress_function stress_functions[STRESS_FUNCTIONS];
extern struct stress_thread stress_threads[STRESS_THREADS];
void stress_call(struct stress_thread *thread, unsigned int number);
char stress_text(const u8 *addr);

/* stress_clients.c */
int stress_change(const char *verb, char *names);
void stress_show_clients(struct seq_file *seq);
void stress_drop_clients(void);
unsigned long stress_windows_broken(void);

#ifdef CONFIG_X86_64
#include <asm/text-patching.h>

static inline bool stress_is_jump(const u8 *addr)
{
	return *addr == JMP32_INSN_OPCODE;
}

static inline bool stress_is_trap(const u8 *addr)
{
	return *addr == INT3_INSN_OPCODE;
}
#endif

#ifdef CONFIG_ARM64
#include <linux/align.h>
#include <asm/insn.h>

static inline bool stress_is_jump(const u8 *addr)
{
	return aarch64_insn_is_b(le32_to_cpup((const __le32 *)addr));
}

static inline bool stress_is_trap(const u8 *addr)
{
	return aarch64_insn_is_brk(le32_to_cpup((const __le32 *)addr));
}
#endif

#endif /* _KERNEL_KPROBES_TESTS_STRESS_H */
