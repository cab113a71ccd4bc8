// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The symbols of which an index of branch targets is made: those that kallsyms finds by
 * their addresses, in this module and in the image.
 */
#include <kunit/test.h>
#include <linux/kallsyms.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include "../../target_symbols.h"

/* Text of the image that is looked at */
#define TEXT_SIZE	0x10000

/* A part, as compilers name it; and another of a function with two names */
asm(".pushsection .text, \"ax\"\n"
	"symbols_of_this_module:\n\tnop\n\tint3\n"
	"symbols_of_this_module.cold:\n\tnop\n\tint3\n"
	"symbols_one_name:\nsymbols_other_name:\n\tnop\n\tint3\n"
	"symbols_other_name.part:\n\tnop\n\tint3\n"
	".popsection");

static void symbols_expect(struct kunit *test, const struct target_symbols *symbols,
			   unsigned long addr, struct target_symbol *symbol)
{
	unsigned long size, offset;
	char text[KSYM_SYMBOL_LEN], name[KSYM_NAME_LEN];

	kprobe_target_symbol_at(symbols, addr, symbol);
	KUNIT_EXPECT_EQ(test, symbol->addr, addr);
	KUNIT_ASSERT_GT(test, symbol->end, addr);
	sprint_symbol(text, addr);
	if (sscanf(text, "%511[^+]+0x%lx/0x%lx", name, &offset, &size) != 3) {
		KUNIT_EXPECT_EQ_MSG(test, symbol->name_hash, 0, "%s", text);
		return;
	}
	KUNIT_EXPECT_NE_MSG(test, symbol->name_hash, 0, "%s", text);
	KUNIT_EXPECT_EQ_MSG(test, symbol->end, min(addr - offset + size, symbols->limit),
			    "%s", text);
	if (!strchr(name, '.')) {
		KUNIT_EXPECT_EQ_MSG(test, symbol->origin, 0, "%s", text);
		KUNIT_EXPECT_EQ_MSG(test, symbol->name_hash,
				    full_name_hash(NULL, name, strlen(name)), "%s", text);
	}
}

static void symbols_collect_own(struct kunit *test, struct target_symbols *symbols)
{
	if (!IS_MODULE(CONFIG_KPROBES_KUNIT_TEST))
		kunit_skip(test, "not a module");
	*symbols = (struct target_symbols){ .module = KBUILD_MODNAME };
	symbols->start = (unsigned long)THIS_MODULE->mem[MOD_TEXT].base;
	symbols->limit = symbols->start + THIS_MODULE->mem[MOD_TEXT].size;
	KUNIT_ASSERT_EQ(test, kprobe_target_symbols_collect(symbols), 0);
}

/* Each address of the text of this module */
static void symbols_test_module(struct kunit *test)
{
	struct target_symbols symbols;
	struct target_symbol symbol;
	unsigned long addr;

	symbols_collect_own(test, &symbols);
	for (addr = symbols.start; addr < symbols.limit; addr++)
		symbols_expect(test, &symbols, addr, &symbol);
	kprobe_target_symbols_free(&symbols);
}

static void symbols_test_part(struct kunit *test)
{
	struct target_symbols symbols;
	struct target_symbol whole, part;
	unsigned long addr;

	symbols_collect_own(test, &symbols);
	asm ("lea symbols_of_this_module(%%rip), %0" : "=r" (addr));
	symbols_expect(test, &symbols, addr, &whole);
	symbols_expect(test, &symbols, whole.end, &part);
	KUNIT_EXPECT_EQ(test, whole.name_hash, part.name_hash);
	KUNIT_EXPECT_EQ(test, whole.addr, part.origin);
	/* Both names of the next one are known */
	symbols_expect(test, &symbols, part.end, &whole);
	symbols_expect(test, &symbols, whole.end, &part);
	KUNIT_EXPECT_EQ(test, whole.addr, part.origin);
	kprobe_target_symbols_free(&symbols);
}

static void symbols_test_image(struct kunit *test)
{
	struct target_symbols symbols = {
		.start = (unsigned long)sprint_symbol,
		.limit = (unsigned long)sprint_symbol + TEXT_SIZE,
	};
	struct target_symbol symbol = { .end = symbols.start };

	KUNIT_ASSERT_EQ(test, kprobe_target_symbols_collect(&symbols), 0);
	while (symbol.end < symbols.limit)
		symbols_expect(test, &symbols, symbol.end, &symbol);
	kprobe_target_symbols_free(&symbols);
}

static struct kunit_case symbols_cases[] = {
	KUNIT_CASE(symbols_test_module),
	KUNIT_CASE(symbols_test_part),
	KUNIT_CASE(symbols_test_image),
	{}
};

static struct kunit_suite symbols_suite = {
	.name = "kprobes_symbols",
	.test_cases = symbols_cases,
};

kunit_test_suite(symbols_suite);

MODULE_DESCRIPTION("KUnit tests of the symbols of an index of branch targets");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
