/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _LINUX_KPROBE_ARCH_H
#define _LINUX_KPROBE_ARCH_H
/*
 * The contract between the core of kernel probes and an architecture.
 *
 * The core knows no instruction and the architecture knows no client. Addresses,
 * registers and struct kprobe_insn pass between them.
 *
 * To port kernel probes, select ARCH_HAS_KPROBE_POINTS and supply:
 *
 *	<asm/kprobes.h>		kprobe_opcode_t, and the functions that the exception
 *				code of the architecture calls
 *	<asm/kprobe-arch.h>	the constants, types and inline functions below
 *	<asm/probe_insn.h>	struct probe_insn and probe_insn_emulate()
 *	<asm/kretprobe.h>	the inline functions of return probes below
 *	kprobe_insn.c		arch_kprobe_insn_*(): decode an instruction and write
 *				its resume code
 *	patch.c, slots.c	arch_kprobe_patch_*(): change text and slots;
 *				arch_kprobe_slot_memory(), arch_kprobe_trap_text
 *	jump.c and detour.S	arch_kprobe_jump_*(), kprobe_detour: what a jump needs
 *	trap.c			the entry of the trap, which calls kprobe_trap()
 *	reserved.c		arch_kprobe_adjust(), arch_kprobe_text_reserved() and
 *				arch_kprobe_blacklist(): where no probe may be
 *	return.c and return_trampoline.S
 *				__kretprobe_trampoline, arch_kretprobe_caller(),
 *				arch_kretprobe_refused()
 *
 * The Makefile builds the objects that run before a hit is judged without ftrace sites,
 * sanitizers and stack protector. Then:
 *
 *	- Call the function of trap.c at the beginning of the exception's entry, before any
 *	  code that may be probed.
 *	- Mark all code that runs where a CPU can take no trap noinstr or NOKPROBE_SYMBOL().
 *	- Call kprobe_slot_origin() and kretprobe_find_ret_addr() in the unwinder, also
 *	  kprobe_slot_pushed() if it needs the stack pointer; and kprobe_slot_origin() in
 *	  perf_instruction_pointer().
 *	- Give EXECMEM_KPROBES a range within reach of the image, writable at first: the core
 *	  fills slots with traps before set_memory_rox().
 *	- Add the architecture to kernel/kprobes/tests/.
 *
 * <asm/kprobe-arch.h> has these constants and types:
 *
 *	ARCH_KPROBE_TEXT_SIZE	bytes of the longest instruction
 *	ARCH_KPROBE_ALIGNMENT	each instruction's address is a multiple of it
 *	ARCH_KPROBE_BUG_TEXT	the instruction of BUG() and WARN(), an initializer of bytes
 *	ARCH_KPROBE_TRAP_SIZE	bytes of text that a trap replaces
 *	ARCH_KPROBE_TRAP_AHEAD	bytes from a trap to the address that it saves
 *	ARCH_KPROBE_JUMP_SIZE	bytes of text that a jump replaces
 *	ARCH_KPROBE_JUMP_MAP	entries of the map of its detour
 *	ARCH_KPROBE_TRAP_COUNT	what arch_kprobe_trap_enter() adds to the preempt count;
 *				0 if the preempt count does not show a trap
 *	ARCH_KPROBE_FORMS_DIFFER	true if the ways to resume from a trap differ in
 *				cost, so that debugfs shows them
 *	ARCH_KPROBE_SIGNS_CODE	true if code can sign the addresses that it returns to
 *	struct arch_kprobe_trap	state from arch_kprobe_trap_enter() to its exit
 *
 * and these inline functions, which are described at their definitions:
 *
 *	struct arch_kprobe_trap arch_kprobe_trap_enter(struct pt_regs *regs)
 *	void arch_kprobe_trap_exit(struct pt_regs *regs, struct arch_kprobe_trap trap)
 *	void arch_kprobe_trap_divert(struct pt_regs *regs)
 *	bool arch_kprobe_may_resched(void)
 *	bool arch_kprobe_slot_reaches(unsigned long slots, size_t size, unsigned long near)
 *	bool arch_kprobe_detour_ends_at(const void *detour, unsigned long addr)
 *
 * With KPROBES_ON_FTRACE also those of the ftrace method. They call nothing:
 *
 *	struct arch_kprobe_ftrace	registers that the next function replaces
 *	struct pt_regs *arch_kprobe_ftrace_regs(struct ftrace_regs *fregs)
 *	struct arch_kprobe_ftrace arch_kprobe_ftrace_enter(struct pt_regs *regs,
 *							   unsigned long addr)
 *	void arch_kprobe_ftrace_resume(struct pt_regs *regs, struct arch_kprobe_ftrace saved)
 *	void arch_kprobe_ftrace_divert(void)
 *	void arch_kprobe_ftrace_leave(struct pt_regs *regs, struct arch_kprobe_ftrace saved)
 *
 * For the event layer it has the calling convention. Integer and pointer arguments
 * take one register each, the others eight bytes of the stack each:
 *
 *	arch_kprobe_arguments[]		offsets in pt_regs of the argument registers
 *	ARCH_KPROBE_ARGUMENT_STACK	word of the stack at which the first argument
 *					without a register lies, at the entry
 *	ARCH_KPROBE_ARGUMENT_IN_ORDER	true if a value aligned to 16 bytes begins in an
 *					even register, and once an argument did not fit
 *					into registers, no later one is in any
 *	ARCH_KPROBE_ARGUMENT_BY_REFERENCE	structures larger than this are passed by
 *					pointer; U32_MAX if none
 *	ARCH_KPROBE_RETVAL		offset in pt_regs of the return value
 *	ARCH_KPROBE_RETVAL_BY_REFERENCE	for larger return values the first argument points
 *					to the caller's memory; U32_MAX if none does
 *	bool arch_kprobe_preempt_is(unsigned int count)
 *	unsigned long arch_kprobe_irq_flags(const struct pt_regs *regs)
 *	bool arch_kprobe_ftrace_is_shared(const struct pt_regs *regs)
 *	bool arch_kprobe_on_stack(struct pt_regs *regs, unsigned long addr)
 *	bool arch_kprobe_is_kernel(unsigned long addr)
 *	unsigned long arch_kprobe_unsigned(unsigned long addr)
 *	void arch_kprobe_count(local_t __percpu *a, local_t __percpu *b)
 *
 * <asm/ptrace.h> has the names of the registers, see regs_query_register_offset().
 *
 * <asm/kretprobe.h> has the inline functions of return probes, see below.
 */
#include <linux/kprobe-slot.h>
#include <linux/kprobes.h>
#include <linux/types.h>
#include <asm/kprobe-arch.h>

/* An insn: kernel/kprobes/insn.c makes, arms, disarms and frees it */

/* kprobe_insn::step of an insn that has no code that ends in a trap */
#define KPROBE_INSN_NO_STEP	0xff

/**
 * struct kprobe_insn - the instruction at a place, read and decoded once
 * @addr: its address
 * @resume: where a hit goes on: @slot, or copies of several instructions, see window.c
 * @slot: its resume code. An emulated insn has a slot only if emulation can fail;
 *	then the slot holds a copy that faults as the original would
 * @decoded: its description
 * @emulated: probe_insn_emulate() executes it
 * @unframed: unwinders that follow frame records do not find the caller of its function,
 *	whose address is in the link register
 * @step: offset in @slot of resume code that ends in a trap, or KPROBE_INSN_NO_STEP; 0 if there
 *	is no other code, as no branch reaches back
 * @length: its bytes
 * @text: the original bytes
 *
 * A point owns its insn and frees it once no CPU can be in the slot. Members that are [I]
 * are immutable from kprobe_insn_make() on; @resume is changed under the core mutex, and
 * hits read it.
 */
struct kprobe_insn {
	unsigned long		addr;				/* [I] */
	void			*resume;			/* [R] */
	void			*slot;				/* [I] */
	struct probe_insn	decoded;			/* [I] */
	bool			emulated;			/* [I] */
	bool			unframed;			/* [I] */
	u8			step;				/* [I] */
	u8			length;				/* [I] */
	u8			text[ARCH_KPROBE_TEXT_SIZE];	/* [I] */
};

/**
 * arch_kprobe_insn_decode() - read, decode and check the instruction at an address
 * @insn: addr is set; writes decoded, emulated, length and text
 * @start: address of the symbol that contains the instruction
 * @size: bytes of that symbol
 *
 * The function reads text by kprobe_text_read(). It has no side effects.
 *
 * Context: process context, called by kprobe_insn_make(); may take text_mutex.
 * Return: the refusal; its error is 0 if the instruction can be probed, -EILSEQ if
 * none begins at the address, -EINVAL if it is a trap, -EOPNOTSUPP if it can be
 * neither copied nor emulated, -EFAULT if text cannot be read, -EBUSY if a breakpoint
 * of the debugger hides an instruction that must be known, or -ENOMEM.
 */
struct kprobe_refusal arch_kprobe_insn_decode(struct kprobe_insn *insn, unsigned long start,
					      unsigned long size);

/**
 * arch_kprobe_insn_size() - how large a slot does an insn need
 * @insn: a decoded insn
 *
 * Return: bytes; 0 if it needs no slot.
 */
unsigned int arch_kprobe_insn_size(const struct kprobe_insn *insn);

/**
 * arch_kprobe_insn_write() - write resume code
 * @insn: a decoded insn; writes step
 * @code: to and origin are set; the code is added
 *
 * The code that resumes comes first, then the code that ends in a trap. If a branch
 * does not reach back to the text, only the latter is written.
 *
 * Context: process context, called by kprobe_insn_make().
 * Return: 0 or a negative errno.
 */
int arch_kprobe_insn_write(struct kprobe_insn *insn, struct kprobe_code *code);

/* kernel/kprobes/text.c and hit.c */
int kprobe_text_read(unsigned long addr, u8 *buf, size_t len);
bool kprobe_text_has_breakpoint(unsigned long addr);
DECLARE_PER_CPU(unsigned long, kprobe_executed);	/* the ip that a post-handler sees */

/* The trap: kernel/kprobes/trap_entry.c owns the sequence judge, enter, hit, exit, end */
bool kprobe_trap(struct pt_regs *regs, unsigned long addr);

/*
 * The jump: kernel/kprobes/jump.c puts a branch to a detour in the place of an instruction.
 *
 * A detour is code in a slot. It makes room for a pt_regs on the stack, and calls
 * kprobe_detour, which is assembly and common to all. That saves the registers as a trap at
 * the point would have done, sets the state of the processor that an exception would set for
 * its handler, calls kprobe_jump(), and restores what it has changed. If kprobe_jump() has
 * returned true, the detour releases the room and branches to the slot of the insn; or to where
 * the code goes on after an emulated one, if arch_kprobe_detour_ends_at() says so. Else
 * kprobe_detour goes on where the registers say, like the end of an exception does: this
 * happens after all other emulated instructions, and if a handler has changed the instruction
 * pointer.
 */

struct kprobe_point;

/* kernel/kprobes/jump_entry.c */
bool kprobe_jump(struct kprobe_point *point, struct pt_regs *regs);

/**
 * arch_kprobe_jump_size() - may a branch replace an insn
 * @insn: the insn, with its slot. If it is shorter than a branch, the branch would replace
 *	those after it, too
 *
 * Context: any.
 * Return: bytes of its detour; 0 if the insn must keep the trap.
 */
unsigned int arch_kprobe_jump_size(const struct kprobe_insn *insn);

/**
 * arch_kprobe_jump_write() - write a detour
 * @insn: the insn, of which arch_kprobe_jump_size() is not 0
 * @point: the address of its point, which kprobe_detour finds in the detour
 * @code: to and origin are set; the code is added
 *
 * Context: process context.
 * Return: 0; -ERANGE if a branch of the detour is out of reach, or another negative errno
 * if the insn must keep the trap.
 */
int arch_kprobe_jump_write(const struct kprobe_insn *insn, unsigned long point,
			   struct kprobe_code *code);

/**
 * arch_kprobe_jump_text() - write the branch to a detour
 * @buf: receives ARCH_KPROBE_JUMP_SIZE bytes
 * @addr: address of the insn
 * @detour: address of the detour
 *
 * Context: any.
 * Return: 0, or -ERANGE if the detour is out of reach.
 */
int arch_kprobe_jump_text(u8 *buf, unsigned long addr, unsigned long detour);

/* Text and slots */

/* The bytes of a trap */
extern const u8 arch_kprobe_trap_text[ARCH_KPROBE_TRAP_SIZE];

/**
 * arch_kprobe_patch_queue() - change text that CPUs may execute
 * @addr: address; those of one batch should ascend
 * @old: the bytes there
 * @new: the bytes to write
 * @size: bytes of @old and @new
 *
 * The bytes are those of an instruction and of a trap, or those of a trap and of a jump,
 * either way. The text changes at once, or later but not after arch_kprobe_patch_flush().
 * perf is told.
 *
 * Context: under the CPU lock and text_mutex.
 */
void arch_kprobe_patch_queue(unsigned long addr, const u8 *old, const u8 *new, size_t size);

/**
 * arch_kprobe_patch_flush() - finish the changes that have been queued
 *
 * Afterwards each CPU executes the new text. No CPU executes a trap that was
 * removed, or is between executing it and the end of its entry.
 *
 * Context: under the CPU lock and text_mutex.
 */
void arch_kprobe_patch_flush(void);

/**
 * arch_kprobe_patch_publish() - let all CPUs see what was written to unused memory
 *
 * Afterwards text may branch there: no CPU executes older bytes.
 *
 * Context: under the CPU lock and text_mutex.
 */
void arch_kprobe_patch_publish(void);

/**
 * arch_kprobe_patch_unused() - change executable memory that no CPU executes
 * @addr: address, aligned as slots are
 * @code: the bytes to write
 * @size: their number, of whole instructions
 *
 * A CPU that executes the new bytes comes from an exception, which synchronises it, or from
 * arch_kprobe_ftrace_divert(), unless arch_kprobe_patch_publish() has been called since.
 *
 * Context: process context; takes the locks of text patching.
 */
void arch_kprobe_patch_unused(void *addr, const void *code, size_t size);

/**
 * arch_kprobe_slot_memory() - allocate memory for slots
 * @size: bytes, a multiple of the page size
 * @near: the text they are for
 *
 * Context: process context, under the mutex of the slots.
 * Return: writable memory for execmem_free(), for which arch_kprobe_slot_reaches() is true; or NULL
 */
void *arch_kprobe_slot_memory(size_t size, unsigned long near);

/**
 * arch_kprobe_patch_fill() - fill memory with traps
 * @buf: writable memory
 * @size: its bytes, a multiple of ARCH_KPROBE_TRAP_SIZE
 */
void arch_kprobe_patch_fill(void *buf, size_t size);

/* Where no probe may be */

/**
 * arch_kprobe_adjust() - the address that a probe really gets
 * @addr: the address that the client asks for
 * @offset: bytes from the beginning of its function
 * @on_entry: set to whether a function begins there
 *
 * A function may begin with a landing pad, which is part of its entry but cannot be
 * probed. Then all of the entry is one point.
 *
 * Return: the address to probe.
 */
unsigned long arch_kprobe_adjust(unsigned long addr, unsigned long offset, bool *on_entry);

/**
 * arch_kprobe_text_reserved() - does the architecture change an instruction itself
 * @addr: address of the instruction
 * @refusal: set to the reason in words, if it does
 *
 * Context: process context; takes text_mutex.
 * Return: true if so. Then it must not be probed.
 */
bool arch_kprobe_text_reserved(unsigned long addr, const char **refusal);

/**
 * arch_kprobe_blacklist() - add the ranges that the architecture excludes
 *
 * Context: once, in an early initcall. Calls kprobe_add_area_blacklist(), kprobe_blacklist_names().
 * Return: 0, or a negative error. On an error no address can be probed.
 */
int arch_kprobe_blacklist(void);

/*
 * Return probes
 *
 * A call under way is identified by its frame: an address that the architecture
 * chooses, and that is the same at the entry of a function and at its return.
 *
 * __kretprobe_trampoline is assembly. A function with a return probe returns to it.
 * It saves all of pt_regs as an exception at the return address would, closes access
 * to user memory, calls kretprobe_returned() with the registers, restores them, and
 * continues where that function says. While it runs, its address stands in a frame
 * that the unwinder finds, and is_kretprobe_trampoline() recognises it there.
 *
 * <asm/kretprobe.h> has inline functions, which may call nothing that can be probed:
 *
 *	void arch_kretprobe_prepare(struct kretprobe_instance *ri, struct pt_regs *regs)
 *		Set the frame and ret_addr of @ri from the registers at the entry.
 *
 *	void arch_kretprobe_hijack(struct kretprobe_instance *ri, struct pt_regs *regs)
 *		Replace the return address with the trampoline's. @ri is prepared and
 *		is in the list of the task.
 *
 *	unsigned long *arch_kretprobe_returned(struct pt_regs *regs)
 *		Complete the registers that the trampoline saved; return the frame.
 *
 *	void arch_kretprobe_set_caller(struct pt_regs *regs, unsigned long caller)
 *		Make @regs those after the return to @caller, for handlers.
 *
 *	void arch_kretprobe_restore(struct pt_regs *regs, unsigned long *frame,
 *				    unsigned long ret_addr)
 *		Make the trampoline continue at @ret_addr, and put that in the place of
 *		the trampoline's own address in the frame that the unwinder finds.
 *
 *	bool arch_kretprobe_hijacked(unsigned long addr)
 *		Return true if @addr is a trampoline: ours, rethook's, or that of the
 *		graph tracer.
 *
 * <linux/kretprobe.h> declares arch_kretprobe_caller(): rethook calls it, too.
 */

/**
 * arch_kretprobe_refused() - test whether a function must not have a return probe
 * @func: the address of the function
 *
 * Return: true if @func does not return in the task and the frame that it was called in.
 */
bool arch_kretprobe_refused(unsigned long func);

/* kernel/kprobes/retprobe.c, for the event layer */
#ifdef CONFIG_KRETPROBES
unsigned long kretprobe_caller(struct pt_regs *regs);
#else
static inline unsigned long kretprobe_caller(struct pt_regs *regs)
{
	return 0;
}
#endif

/* kernel/kprobes/blacklist.c */
int kprobe_blacklist_names(const char *const *names, unsigned int num);

#endif /* _LINUX_KPROBE_ARCH_H */
