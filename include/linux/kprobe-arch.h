/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _LINUX_KPROBE_ARCH_H
#define _LINUX_KPROBE_ARCH_H
/*
 * What the core of kernel probes asks of an architecture that selects
 * ARCH_HAS_KPROBE_POINTS. The core knows no instruction, the architecture knows
 * no client: addresses and registers pass between them, nothing else.
 *
 * <asm/kprobes.h> has the type kprobe_opcode_t, what the exception code of the
 * architecture calls, and as inline functions
 *
 *	struct pt_regs *arch_kprobe_call_regs(struct ftrace_regs *fregs)
 *	struct arch_kprobe_call arch_kprobe_call_enter(struct pt_regs *regs,
 *						       unsigned long addr)
 *	void arch_kprobe_call_resume(struct pt_regs *regs, struct arch_kprobe_call saved)
 *	void arch_kprobe_call_leave(struct pt_regs *regs, struct arch_kprobe_call saved)
 *
 * The first gives the registers ftrace saved, all of which it was asked to save.
 * The second makes them look as if an exception had come by at @addr, the last
 * undoes that but for the instruction pointer. The third sets that to where the
 * function goes on; it is not called where a handler has set it. None of these
 * may call anything.
 */
#include <linux/types.h>

struct arch_kprobe_trap;
struct kprobe;
struct kprobe_point;
struct pt_regs;

/**
 * arch_kprobe_adjust() - where the probe of an address really goes
 * @addr: what a client asks for
 * @offset: bytes from the beginning of its function
 * @on_entry: set to whether this is where the function begins
 *
 * A function may begin with a landing pad, which is part of its entry but where
 * no probe can be; all of the entry is one point then.
 *
 * Return: the address to probe.
 */
unsigned long arch_kprobe_adjust(unsigned long addr, unsigned long offset, bool *on_entry);

/*
 * The trap
 *
 * <asm/kprobes.h> has the inline function
 *
 *	void arch_kprobe_trap_divert(struct pt_regs *regs)
 *
 * which is called when a handler has set the instruction pointer, and says
 *
 *	ARCH_KPROBE_TRAP_COUNT	what the entry of the trap adds to the preempt count
 *	ARCH_KPROBE_TRAP_SIZE	bytes of text a trap replaces
 *	ARCH_KPROBE_SLOT_SIZE	bytes of a slot
 *	ARCH_KPROBE_SLOT_TRAP	where in a slot the form begins that ends in a trap
 *
 * The entry of the trap is the architecture's. Before anything that could be
 * probed runs it calls kprobe_trap_judge(), and if that says so, in the context
 * in which handlers may run, kprobe_trap_hit(); when that context is left again,
 * kprobe_trap_end(). Of an address that has no probe it reads the text again: the
 * trap may have been removed since.
 */

/**
 * enum kprobe_verdict - what a trap is
 * @KPROBE_TRAP_FOREIGN: nobody's here
 * @KPROBE_TRAP_RESUMED: dealt with; the registers say where to go on
 * @KPROBE_TRAP_HIT: handlers are to be called
 */
enum kprobe_verdict {
	KPROBE_TRAP_FOREIGN,
	KPROBE_TRAP_RESUMED,
	KPROBE_TRAP_HIT,
};

/**
 * struct kprobe_trap_hit - a hit, from its judgement to its end
 * @point: the point; NULL if it went while its instruction was executed
 * @mark: the entry of current_kprobe of the context that was interrupted
 * @behind: the instruction has been executed: post-handlers are to be called
 */
struct kprobe_trap_hit {
	struct kprobe_point	*point;
	struct kprobe		**mark;
	bool			behind;
};

enum kprobe_verdict kprobe_trap_judge(struct kprobe_trap_hit *hit, unsigned long addr,
				      struct pt_regs *regs);
void kprobe_trap_hit(struct kprobe_trap_hit *hit, struct pt_regs *regs);
void kprobe_trap_end(struct kprobe_trap_hit *hit);

int kprobe_text_read(unsigned long addr, u8 *buf, size_t len);

/* kernel/kprobes/slot.c */
void *kprobe_slot_alloc(unsigned long addr, u8 length);
void kprobe_slot_free(void *slot);
unsigned long kprobe_slot_trap_origin(unsigned long addr);

/**
 * arch_kprobe_insn_check() - can the instruction at an address be probed
 * @addr: an address of kernel or module text
 * @refusal: set to why not, in words, if the instruction is the reason
 *
 * No side effects. Text is read by kprobe_text_read().
 *
 * Context: process context, under the core mutex; takes text_mutex.
 * Return: 0; -EILSEQ where none begins; -EINVAL where a trap stands by itself;
 * -ENOENT if no symbol says where to decode from; -EOPNOTSUPP if it can neither be
 * run elsewhere nor emulated.
 */
int arch_kprobe_insn_check(unsigned long addr, const char **refusal);

/**
 * arch_kprobe_text_reserved() - does the architecture change an instruction itself
 * @addr: the address of the instruction
 * @refusal: set to why it must not be probed, in words
 *
 * Context: process context; takes text_mutex.
 * Return: true if so: it must not be probed.
 */
bool arch_kprobe_text_reserved(unsigned long addr, const char **refusal);

/**
 * arch_kprobe_trap_make() - get ready to resume from a trap
 * @addr: where it will be; arch_kprobe_insn_check() has found nothing wrong
 *
 * Context: process context, under the core mutex; takes text_mutex.
 * Return: what the other functions want, or an ERR_PTR().
 */
struct arch_kprobe_trap *arch_kprobe_trap_make(unsigned long addr);

/**
 * arch_kprobe_trap_free() - undo arch_kprobe_trap_make()
 * @trap: not armed, and nobody is in its slot; or NULL
 *
 * Context: process context.
 */
void arch_kprobe_trap_free(struct arch_kprobe_trap *trap);

/**
 * arch_kprobe_trap_text() - what a trap hides
 * @trap: the trap
 *
 * Return: the original ARCH_KPROBE_TRAP_SIZE bytes.
 */
const u8 *arch_kprobe_trap_text(const struct arch_kprobe_trap *trap);

/**
 * arch_kprobe_trap_form() - how the instruction under a trap is executed
 * @trap: the trap
 *
 * Return: a word in brackets for debugfs, or NULL if that is of no interest.
 */
const char *arch_kprobe_trap_form(const struct arch_kprobe_trap *trap);

/**
 * arch_kprobe_trap_queue() - put a trap into the text, soon
 * @trap: the trap; of those queued in a row, each at a higher address
 *
 * Context: under the CPU lock and text_mutex.
 * Return: 0, or -EBUSY if the text is not the instruction @trap was made for.
 */
int arch_kprobe_trap_queue(struct arch_kprobe_trap *trap);

/**
 * arch_kprobe_trap_flush() - have the traps that are queued in the text
 *
 * Context: under the CPU lock and text_mutex.
 */
void arch_kprobe_trap_flush(void);

/**
 * arch_kprobe_trap_remove() - put the instruction back
 * @trap: in the text
 *
 * Context: under the CPU lock and text_mutex.
 */
void arch_kprobe_trap_remove(struct arch_kprobe_trap *trap);

/**
 * arch_kprobe_trap_sync() - wait until the traps removed are nowhere
 *
 * No CPU executes them, or is between executing one and the end of its entry.
 *
 * Context: under the CPU lock and text_mutex.
 */
void arch_kprobe_trap_sync(void);

/**
 * arch_kprobe_trap_resume() - go on as if there were no trap
 * @trap: the trap
 * @regs: of the trap
 *
 * Context: any; calls nothing that could be probed.
 */
void arch_kprobe_trap_resume(const struct arch_kprobe_trap *trap, struct pt_regs *regs);

/**
 * arch_kprobe_trap_step() - execute the instruction and come back
 * @trap: the trap
 * @regs: of the trap
 *
 * Context: any; calls nothing that could be probed.
 * Return: true if the instruction has been executed; false if it will be, when
 * the trap is left, and then another comes, see kprobe_slot_trap_origin().
 */
bool arch_kprobe_trap_step(const struct arch_kprobe_trap *trap, struct pt_regs *regs);

/**
 * arch_kprobe_slot_clear() - fill memory of slots with traps
 * @start: the first byte, either not executable yet or one that nobody executes
 * @size: how many
 *
 * Context: process context.
 */
void arch_kprobe_slot_clear(void *start, size_t size);

/* kernel/kprobes/blacklist.c */
int kprobe_blacklist_names(const char *const *names, unsigned int num);

/**
 * arch_kprobe_blacklist() - add what the architecture knows must not be probed
 *
 * Calls kprobe_add_area_blacklist() and kprobe_blacklist_names().
 *
 * Context: once, in an early initcall.
 * Return: 0, or a negative error, on which nothing can be probed at all.
 */
int arch_kprobe_blacklist(void);

#endif /* _LINUX_KPROBE_ARCH_H */
