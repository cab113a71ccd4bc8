// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reserved addresses on x86: where a function's entry is, what other code patches or
 * decodes in the text, and what must not be probed. Code that runs without an IDT is
 * not listed here: it is marked where it is written.
 */
#include <linux/array_size.h>
#include <linux/cfi.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/mutex.h>
#include <linux/static_call_types.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/alternative.h>
#include <asm/ibt.h>
#include <asm/sections.h>

#define ENDBR_SIZE	4

static bool begins_with_endbr(unsigned long func)
{
	u32 insn;

	return !get_kernel_nofault(insn, (u32 *)func) && is_endbr(insn);
}

/*
 * With indirect branch tracking a function may begin with an ENDBR, which has to stay.
 * The ftrace site follows it. A probe of either address goes to the ftrace site.
 */
unsigned long arch_kprobe_adjust(unsigned long addr, unsigned long offset, bool *on_entry)
{
	unsigned long func = addr - offset;

	*on_entry = !offset;
	if ((offset && offset != ENDBR_SIZE) || !begins_with_endbr(func))
		return addr;
	*on_entry = true;
	return func + ENDBR_SIZE;
}

/*
 * The padding before a function may hold a type hash or call accounting code. It has
 * symbols of its own.
 */
static bool is_preamble(const char *name)
{
	return str_has_prefix(name, "__cfi_") || str_has_prefix(name, "__pfx_");
}

static bool is_static_call(const char *name)
{
	return str_has_prefix(name, STATIC_CALL_TRAMP_PREFIX_STR);
}

/* Distance from the movl and from the addl of a kCFI check to its ud2 */
#define CFI_MOVL_TO_UD2	12
#define CFI_ADDL_TO_UD2	6

/*
 * An indirect call checks the type of its target. If the check fails, the trap handler
 * decodes the type and the pointer from these two instructions.
 */
static bool is_cfi_check(unsigned long addr)
{
	return is_cfi_trap(addr + CFI_MOVL_TO_UD2) || is_cfi_trap(addr + CFI_ADDL_TO_UD2);
}

static bool is_lock_prefix(unsigned long addr)
{
	guard(mutex)(&text_mutex);
	return alternatives_text_reserved((void *)addr, (void *)addr + 1);
}

bool arch_kprobe_text_reserved(unsigned long addr, const char **refusal)
{
	char name[KSYM_NAME_LEN];

	if (lookup_symbol_name(addr, name))
		return false;
	if (is_preamble(name))
		*refusal = "before the first instruction of a function";
	else if (is_static_call(name))
		*refusal = "the trampoline of a static call";
	else if (is_cfi_check(addr))
		*refusal = "part of a kCFI check, decoded if the check fails";
	else if (is_lock_prefix(addr))
		*refusal = "a lock prefix, patched when CPUs go online";
	else
		return false;
	return true;
}

/*
 * With some mitigations every function returns through a thunk, noinstr functions
 * included. These thunks are outside of the section of thunks.
 */
static const char *const return_thunks[] = {
	"srso_alias_return_thunk",
	"srso_alias_safe_ret",
	"warn_thunk_thunk",
};

#ifdef CONFIG_DYNAMIC_FTRACE
/*
 * ftrace copies ftrace_caller() and ftrace_regs_caller() into its trampolines. No point
 * would be found for a trap that is copied along.
 */
static int reserve_ftrace_callers(void)
{
	return kprobe_add_area_blacklist((unsigned long)ftrace_caller,
					 (unsigned long)ftrace_stub_direct_tramp);
}
#else
static int reserve_ftrace_callers(void)
{
	return 0;
}
#endif

int arch_kprobe_blacklist(void)
{
	int ret;

	ret = kprobe_add_area_blacklist((unsigned long)__entry_text_start,
					(unsigned long)__entry_text_end);
	ret = ret ?: kprobe_add_area_blacklist((unsigned long)__irqentry_text_start,
					       (unsigned long)__irqentry_text_end);
	ret = ret ?: kprobe_add_area_blacklist((unsigned long)__thunk_text_start,
					       (unsigned long)__thunk_text_end);
	ret = ret ?: kprobe_blacklist_names(return_thunks, ARRAY_SIZE(return_thunks));
	return ret ?: reserve_ftrace_callers();
}
