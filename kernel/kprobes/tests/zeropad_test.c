// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The path walk reads names a word at a time and may read beyond the end of a page.
 * An exception handler decodes the instruction and replaces the bytes that could not
 * be read by zeroes. The functions that do this are called with names that end where
 * mapped memory ends, with a probe at each of their instructions in turn.
 */
#include <kunit/test.h>
#include <linux/dcache.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/stringhash.h>
#include <linux/vmalloc.h>

static char *zeropad_page;
static unsigned int zeropad_hits;

static int zeropad_count_pre(struct kprobe *p, struct pt_regs *regs)
{
	zeropad_hits++;
	return 0;
}

/* Place @text so that memory after it cannot be read. */
static const char *at_the_end(const char *text, size_t len)
{
	char *to = zeropad_page + PAGE_SIZE - len;

	memcpy(to, text, len);
	return to;
}

/* fs/namei.c */
static unsigned long hash_of_name(void)
{
	return full_name_hash(NULL, at_the_end("lost+found+abc", 14), 14);
}

/* fs/namei.c */
static unsigned long hash_of_string(void)
{
	return hashlen_string(NULL, at_the_end("lost+found+", 12));
}

/*
 * fs/dcache.c; the root directory of a booted kernel has an entry "proc". Lookup
 * functions may have the comparison inlined, so it is called directly.
 */
static unsigned long compare_names(void)
{
	struct qstr name = QSTR_INIT(at_the_end("proc", 4), 4), proc = QSTR_INIT("proc", 4);
	struct dentry *found;
	bool same = false;
	struct path root;

	if (kern_path("/", 0, &root))
		return 0;
	found = d_hash_and_lookup(root.dentry, &proc);
	if (!IS_ERR_OR_NULL(found)) {
		same = d_same_name(found, root.dentry, &name);
		dput(found);
	}
	path_put(&root);
	return same;
}

static const struct reader {
	const char	*symbol;
	unsigned long	(*read)(void);
} readers[] = {
	{ "full_name_hash", hash_of_name },
	{ "hashlen_string", hash_of_string },
	{ "d_same_name", compare_names },
};

static unsigned long size_of(const char *symbol)
{
	struct kprobe p = { .symbol_name = symbol };
	char text[KSYM_SYMBOL_LEN];
	unsigned long size;

	if (register_kprobe(&p))
		return 0;
	sprint_symbol(text, (unsigned long)p.addr);
	unregister_kprobe(&p);
	return sscanf(strchrnul(text, '/'), "/%lx", &size) == 1 ? size : 0;
}

/* Returns 1 if the instruction is refused because it may fault, otherwise 0. */
static unsigned int zeropad_check_at(struct kunit *test, const struct reader *reader,
				     unsigned long offset, unsigned long expected)
{
	struct kprobe p = {
		.symbol_name = reader->symbol,
		.offset = offset,
		.pre_handler = zeropad_count_pre,
	};
	int ret = register_kprobe(&p);

	if (ret)
		return ret == -EOPNOTSUPP;
	KUNIT_EXPECT_EQ_MSG(test, reader->read(), expected, "%s+%#lx", reader->symbol, offset);
	unregister_kprobe(&p);
	return 0;
}

static void check_reader(struct kunit *test, const struct reader *reader)
{
	unsigned long expected = reader->read(), size = size_of(reader->symbol), offset;
	unsigned int refused = 0;

	KUNIT_ASSERT_NE_MSG(test, expected, 0, "%s", reader->symbol);
	KUNIT_ASSERT_NE_MSG(test, size, 0, "%s", reader->symbol);
	zeropad_hits = 0;
	for (offset = 0; offset < size; offset++)
		refused += zeropad_check_at(test, reader, offset, expected);
	KUNIT_EXPECT_GT_MSG(test, refused, 0, "%s", reader->symbol);
	KUNIT_EXPECT_GT_MSG(test, zeropad_hits, 0, "%s", reader->symbol);
	KUNIT_EXPECT_EQ_MSG(test, reader->read(), expected, "%s", reader->symbol);
	kunit_info(test, "%s: %u hits, %u refused", reader->symbol, zeropad_hits, refused);
}

static void test_name_hash(struct kunit *test)
{
	check_reader(test, &readers[0]);
}

static void test_string_hash(struct kunit *test)
{
	check_reader(test, &readers[1]);
}

static void test_lookup(struct kunit *test)
{
	check_reader(test, &readers[2]);
}

/* The page after a vmalloc area is not mapped. */
static int zeropad_suite_init(struct kunit_suite *suite)
{
	zeropad_page = vzalloc(PAGE_SIZE);
	return zeropad_page ? 0 : -ENOMEM;
}

static void zeropad_suite_exit(struct kunit_suite *suite)
{
	vfree(zeropad_page);
}

static struct kunit_case zeropad_cases[] = {
	KUNIT_CASE_SLOW(test_name_hash),
	KUNIT_CASE_SLOW(test_string_hash),
	KUNIT_CASE_SLOW(test_lookup),
	{}
};

static struct kunit_suite zeropad_suite = {
	.name = "kprobes_zeropad",
	.suite_init = zeropad_suite_init,
	.suite_exit = zeropad_suite_exit,
	.test_cases = zeropad_cases,
};

kunit_test_suite(zeropad_suite);

MODULE_DESCRIPTION("KUnit test of probes where words are read over the end of memory");
MODULE_LICENSE("GPL");
