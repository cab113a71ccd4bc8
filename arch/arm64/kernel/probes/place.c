// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses, as arm64 has them: where a function's entry is, what others change
 * in the text or look at there, what must not be probed.
 */
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <asm/insn.h>
#include <asm/sections.h>

/*
 * A function may begin with a landing pad, BTI or PACIASP. A BRK passes for one, and
 * the pad that is copied to the slot finds BTYPE as the call has left it. So there is
 * no need to go behind it, and an entry is where its symbol is.
 */
unsigned long arch_kprobe_adjust(unsigned long addr, unsigned long offset, bool *on_entry)
{
	*on_entry = !offset;
	return addr;
}

/* The words in front of a function in which ftrace keeps who traces it */
#define FTRACE_LITERAL	sizeof(u64)

/* From there to the ftrace site: the literal, a landing pad, mov x9, x30 */
#define FTRACE_REACH	(FTRACE_LITERAL + 2 * AARCH64_INSN_SIZE)

static bool is_ftrace_literal(unsigned long addr)
{
	unsigned long site;

	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS))
		return false;
	site = ftrace_location_range(addr + AARCH64_INSN_SIZE, addr + FTRACE_REACH);
	return site && ALIGN_DOWN(site - 3 * AARCH64_INSN_SIZE, FTRACE_LITERAL) ==
		       ALIGN_DOWN(addr, FTRACE_LITERAL);
}

/* What calls through pointers check stands in front of the function */
static bool is_cfi_type(unsigned long addr)
{
	unsigned long offset;

	return IS_ENABLED(CONFIG_CFI_CLANG) &&
	       kallsyms_lookup_size_offset(addr + AARCH64_INSN_SIZE, NULL, &offset) &&
	       !offset;
}

bool arch_kprobe_text_reserved(unsigned long addr, const char **refusal)
{
	if (ftrace_text_reserved((void *)addr, (void *)addr))
		*refusal = "an ftrace site";
	else if (is_ftrace_literal(addr) || is_cfi_type(addr))
		*refusal = "in front of a function";
	else
		return false;
	return true;
}

/*
 * Entry and exit, and what runs at another exception level: a BRK there would not
 * come here. What runs on an identity map or is copied elsewhere first is not part
 * of the kernel's text.
 */
static const struct {
	const char	*start;
	const char	*end;
} sections[] = {
	{ __entry_text_start,		__entry_text_end },
	{ __irqentry_text_start,	__irqentry_text_end },
	{ __hyp_text_start,		__hyp_text_end },
	{ __hyp_idmap_text_start,	__hyp_idmap_text_end },
};

/* Of entry and exit, too, but elsewhere: they close user memory, and open it, without PAN */
static const char *const user_access[] = {
	"__swpan_entry_el1",
	"__swpan_entry_el0",
	"__swpan_exit_el1",
	"__swpan_exit_el0",
};

/* The per-CPU offset, which the judgement needs: inline, but for the copies of clang */
static const char *const copied_inlines[] = {
	"__kern_my_cpu_offset",
};

/* Run by a CPU that comes, or comes back, and has no vectors of exceptions yet */
static const char *const before_traps[] = {
	"__secondary_switched",
	"set_cpu_boot_mode_flag",
	"finalise_el2",
	"_cpu_resume",
	"cpu_do_resume",
};

/* Run on a CPU's way to sleep: RCU does not watch, what a hit looks at could be freed */
static const char *const without_rcu[] = {
	"cpu_suspend",
	"__cpu_suspend_enter",
	"cpu_do_suspend",
	"psci_system_suspend",
	"psci_cpu_suspend_enter",
	"psci_0_1_cpu_suspend",
	"psci_0_2_cpu_suspend",
	"__invoke_psci_fn_hvc",
	"__invoke_psci_fn_smc",
	"__arm_smccc_hvc",
	"__arm_smccc_smc",
	"kasan_unpoison_task_stack_below",
	"post_ttbr_update_workaround",
};

/*
 * Between ftrace and who it traces. It writes to its calls and does not look at what
 * is there; and the link register is not what it is in functions.
 */
static const char *const ftrace_glue[] = {
	"ftrace_caller",
	"ftrace_call",
	"ftrace_graph_call",
	"ftrace_stub_direct_tramp",
	"return_to_handler",
};

int arch_kprobe_blacklist(void)
{
	int i, ret;

	ret = kprobe_blacklist_names(user_access, ARRAY_SIZE(user_access));
	ret = ret ?: kprobe_blacklist_names(copied_inlines, ARRAY_SIZE(copied_inlines));
	ret = ret ?: kprobe_blacklist_names(before_traps, ARRAY_SIZE(before_traps));
	ret = ret ?: kprobe_blacklist_names(without_rcu, ARRAY_SIZE(without_rcu));
	ret = ret ?: kprobe_blacklist_names(ftrace_glue, ARRAY_SIZE(ftrace_glue));
	for (i = 0; !ret && i < ARRAY_SIZE(sections); i++)
		ret = kprobe_add_area_blacklist((unsigned long)sections[i].start,
						(unsigned long)sections[i].end);
	return ret;
}
