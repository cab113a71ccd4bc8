// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses, as x86 has them: where a function's entry is, where an instruction
 * begins, what must not be probed.
 */
#include <linux/array_size.h>
#include <linux/cfi.h>
#include <linux/errno.h>
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
 * With indirect branch tracking a function may begin with an ENDBR, which has to
 * stay. The ftrace site is behind it, and that is where a probe of the function
 * goes, under either address.
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
 * Padding in front of a function may hold what calls through pointers check, or
 * where call accounting goes; it has symbols of its own.
 */
static bool is_preamble(const char *name)
{
	return str_has_prefix(name, "__cfi_") || str_has_prefix(name, "__pfx_");
}

static bool is_static_call(const char *name)
{
	return str_has_prefix(name, STATIC_CALL_TRAMP_PREFIX_STR);
}

/* movl, addl and je, in front of the ud2 they jump over */
#define CFI_MOVL_TO_UD2	12
#define CFI_ADDL_TO_UD2	6

/*
 * A call through a pointer checks what it calls; when it fails, the type it wanted
 * and the pointer are decoded from two of its instructions.
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

/* Ordinary until they take down, or have lost, what a trap needs */
static const char *const ends_traps[] = {
	"machine_kexec",
	"create_image",
};

bool arch_kprobe_text_reserved(unsigned long addr, const char **refusal)
{
	char name[KSYM_NAME_LEN];

	if (lookup_symbol_name(addr, name))
		return false;
	if (is_preamble(name))
		*refusal = "in front of a function";
	else if (is_static_call(name))
		*refusal = "where static calls go, changed with them";
	else if (match_string(ends_traps, ARRAY_SIZE(ends_traps), name) >= 0)
		*refusal = "where the kernel is left for another";
	else if (is_cfi_check(addr))
		*refusal = "checks a call, decoded if that fails";
	else if (is_lock_prefix(addr))
		*refusal = "a lock prefix, changed when CPUs come";
	else
		return false;
	return true;
}

/*
 * Noinstr code returns through these, as everything does, where mitigations ask
 * for it: what comes before the judgement of a trap too.
 */
static const char *const return_thunks[] = {
	"__x86_return_thunk",
	"call_depth_return_thunk",
	"its_return_thunk",
	"retbleed_return_thunk",
	"srso_alias_return_thunk",
	"srso_alias_safe_ret",
	"srso_return_thunk",
	"srso_safe_ret",
	"warn_thunk_thunk",
};

/* Copied, to be run elsewhere: a trap in a copy is nobody's */
static const char *const copied[] = {
	"ftrace_caller",
	"ftrace_caller_op_ptr",
	"ftrace_call",
	"ftrace_regs_caller",
	"ftrace_regs_caller_op_ptr",
	"ftrace_regs_call",
	"ftrace_regs_caller_jmp",
	"relocate_kernel",
	"identity_mapped",
	"virtual_mapped",
	"swap_pages",
	"core_restore_code",
};

/* Run by a CPU that comes, or comes back, and has no table of exceptions yet */
static const char *const before_traps[] = {
	"secondary_startup_64",
	"secondary_startup_64_no_verify",
	"verify_cpu",
	"sev_verify_cbit",
	"early_setup_idt",
	"startup_64_load_idt",
	"setup_ghcb",
	"start_secondary",
	"cr4_init",
	"native_write_cr4",
	"cr4_update_irqsoff",
	"cpu_init_exception_handling",
	"cpu_init_fred_exceptions",
	"cpu_init_fred_rsps",
	"load_current_idt",
	"native_write_cr0",
	"wakeup_long64",
	"do_suspend_lowlevel",
	"swsusp_arch_suspend",
	"restore_registers",
	"restore_processor_state",
	"__restore_processor_state",
};

int arch_kprobe_blacklist(void)
{
	int ret;

	ret = kprobe_add_area_blacklist((unsigned long)__entry_text_start,
					(unsigned long)__entry_text_end);
	ret = ret ?: kprobe_blacklist_names(return_thunks, ARRAY_SIZE(return_thunks));
	ret = ret ?: kprobe_blacklist_names(copied, ARRAY_SIZE(copied));
	ret = ret ?: kprobe_blacklist_names(before_traps, ARRAY_SIZE(before_traps));
	return ret ?: kprobe_add_area_blacklist((unsigned long)__irqentry_text_start,
						(unsigned long)__irqentry_text_end);
}
