// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reserved addresses on arm64: where a function's entry is, what other code patches or
 * reads in the text, and what must not be probed. Code that runs without vectors is not
 * listed here: it is marked where it is written.
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
 * A function may begin with a landing pad, BTI or PACIASP. A BRK is a valid landing pad,
 * and the copy of the pad in the slot sees BTYPE as the call has left it. So an entry
 * stays at the function's symbol.
 */
unsigned long arch_kprobe_adjust(unsigned long addr, unsigned long offset, bool *on_entry)
{
	*on_entry = !offset;
	return addr;
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS
/* ftrace keeps a pointer to its ops in a literal before the function */
#define FTRACE_LITERAL	sizeof(u64)

/* Distance from the literal to the ftrace site: the literal, a landing pad, mov x9, x30 */
#define FTRACE_REACH	(FTRACE_LITERAL + 2 * AARCH64_INSN_SIZE)

static bool is_ftrace_literal(unsigned long addr)
{
	unsigned long site;

	site = ftrace_location_range(addr + AARCH64_INSN_SIZE, addr + FTRACE_REACH);
	return site && ALIGN_DOWN(site - 3 * AARCH64_INSN_SIZE, FTRACE_LITERAL) ==
		       ALIGN_DOWN(addr, FTRACE_LITERAL);
}
#else
static bool is_ftrace_literal(unsigned long addr)
{
	return false;
}
#endif

/* An indirect call checks the type hash that stands before the function */
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
		*refusal = "patched by ftrace";
	else if (is_ftrace_literal(addr) || is_cfi_type(addr))
		*refusal = "before the first instruction of a function";
	else
		return false;
	return true;
}

/*
 * Entry and exit code, and code that runs at another exception level, where a BRK would
 * not reach the kernel's vectors. Code that runs from the identity map, or is copied
 * before it runs, is not part of the kernel's text.
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

/* Entry and exit call these, which close and open user memory on processors without PAN */
static const char *const user_access[] = {
	"__swpan_entry_el1",
	"__swpan_entry_el0",
	"__swpan_exit_el1",
	"__swpan_exit_el0",
	"post_ttbr_update_workaround",
};

/* The judgement of a trap calls this inline; clang makes copies of it in ordinary text */
static const char *const judgement_inlines[] = {
	"__kern_my_cpu_offset",
};

/*
 * The code between a traced function and the tracers. ftrace patches calls in it without
 * looking at what they were, and its link register is not a function's.
 */
static const char *const ftrace_glue[] = {
	"ftrace_caller",
	"ftrace_call",
	"ftrace_graph_call",
	"ftrace_stub_direct_tramp",
	"return_to_handler",
};

/* The kernel goes on here after a fault in firmware; the link register has a stack pointer */
static const char *const not_called[] = {
	"__efi_rt_asm_recover",
};

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
/* kallsyms ends ftrace_caller() at a label inside it: all of it is one area */
static int reserve_ftrace_caller(void)
{
	return kprobe_add_area_blacklist((unsigned long)ftrace_caller,
					 (unsigned long)ftrace_stub_direct_tramp);
}
#else
static int reserve_ftrace_caller(void)
{
	return 0;
}
#endif

int arch_kprobe_blacklist(void)
{
	int i, ret;

	ret = kprobe_blacklist_names(user_access, ARRAY_SIZE(user_access));
	ret = ret ?: kprobe_blacklist_names(judgement_inlines, ARRAY_SIZE(judgement_inlines));
	ret = ret ?: kprobe_blacklist_names(ftrace_glue, ARRAY_SIZE(ftrace_glue));
	ret = ret ?: kprobe_blacklist_names(not_called, ARRAY_SIZE(not_called));
	ret = ret ?: reserve_ftrace_caller();
	for (i = 0; !ret && i < ARRAY_SIZE(sections); i++)
		ret = kprobe_add_area_blacklist((unsigned long)sections[i].start,
						(unsigned long)sections[i].end);
	return ret;
}
