// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hints: what the writer of a refused line can try next.
 *
 * hint_table[] names the refusals that have a hint. Some hints end in a list, such as the
 * names of symbols, which is made when the line is refused.
 */
#include <linux/array_size.h>
#include <linux/cred.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "hint.h"
#include "hint_function.h"
#include "lookup.h"
#include "parse/nearest.h"
#include "probe.h"

#ifdef CONFIG_MODULES
static void hint_module_name(unsigned long address, char *name)
{
	struct module *module;

	guard(preempt)();
	module = __module_address(address);
	strscpy(name, module ? module->name : "", MODULE_NAME_LEN);
}
#else
static void hint_module_name(unsigned long address, char *name)
{
	*name = '\0';
}
#endif

/* SYM of an argument that reads @SYM; nothing if it reads none */
static struct probe_span hint_data(struct probe_span word)
{
	unsigned int at = probe_span_find(word, '@');

	return probe_hint_symbol(probe_span_skip(word, min(at + 1, word.len)), "+-):");
}

/**
 * struct hint_search - a search among the symbols
 * @nearest: what was found
 * @functions: only functions are wanted, where probes are not forbidden
 */
struct hint_search {
	struct probe_nearest	nearest;
	bool			functions;
};

static bool hint_wants(const struct hint_search *search, const char *name,
		       unsigned long address)
{
	if (!search->functions)
		return true;
	return probe_hint_is_function(name, address) && !within_kprobe_blacklist(address);
}

static int hint_see_symbol(void *data, const char *name, unsigned long address)
{
	struct hint_search *search = data;
	unsigned int rank = probe_nearest_rank(&search->nearest, name);
	char module[MODULE_NAME_LEN];

	if (rank > search->nearest.limit || !hint_wants(search, name, address))
		return 0;
	hint_module_name(address, module);
	probe_nearest_add(&search->nearest, *module ? module : NULL, name, rank);
	return 0;
}

/* A symbol that is there was not refused for its name. */
static bool hint_is_known(const struct probe_nearest *nearest, struct probe_span symbol)
{
	unsigned int i;

	for (i = 0; i < nearest->nr; i++)
		if (probe_span_is(symbol, nearest->name[i]))
			return true;
	return false;
}

static char *hint_near_symbol(struct probe_span symbol, bool functions)
{
	struct hint_search *search = kmalloc(sizeof(*search), GFP_KERNEL);
	unsigned int colon = probe_span_find(symbol, ':');
	struct probe_span name = symbol;
	char *list = NULL;

	if (!search)
		return NULL;
	if (colon < symbol.len)
		name = probe_span_skip(symbol, colon + 1);
	probe_nearest_begin(&search->nearest, name);
	search->functions = functions;
	if (name.len) {
		kallsyms_on_each_symbol(hint_see_symbol, search);
		module_kallsyms_on_each_symbol(NULL, hint_see_symbol, search);
	}
	if (!hint_is_known(&search->nearest, symbol))
		list = probe_nearest_list(&search->nearest);
	kfree(search);
	return list;
}

static char *hint_near_function(struct probe_span line, struct probe_span word)
{
	return hint_near_symbol(probe_hint_function(word), true);
}

static char *hint_near_data(struct probe_span line, struct probe_span word)
{
	struct probe_span symbol = hint_data(word);

	return symbol.len ? hint_near_symbol(symbol, false) : NULL;
}

static void hint_see_event(struct probe_nearest *nearest, const struct kprobe_event *event)
{
	unsigned int rank = probe_nearest_rank(nearest, event->call.name);
	char name[2 * PROBE_NAME_LEN];

	if (rank > nearest->limit)
		return;
	snprintf(name, sizeof(name), "%s/%s", event->call.class->system, event->call.name);
	probe_nearest_add(nearest, NULL, name, rank);
}

/* EVENT of [GRP/]EVENT or [GRP.]EVENT */
static struct probe_span hint_event(struct probe_span word)
{
	unsigned int end = probe_span_find(word, '/');

	if (end == word.len)
		end = probe_span_find(word, '.');
	return end == word.len ? word : probe_span_skip(word, end + 1);
}

/* The events of other groups, or with other names, that a deletion may mean */
static char *hint_near_event(struct probe_span line, struct probe_span word)
{
	struct probe_nearest *nearest = kmalloc(sizeof(*nearest), GFP_KERNEL);
	struct dyn_event *devent;
	char *list;

	if (!nearest)
		return NULL;
	probe_nearest_begin(nearest, hint_event(word));
	scoped_guard(mutex, &event_mutex) {
		for_each_dyn_event(devent)
			if (is_kprobe_event(devent))
				hint_see_event(nearest, trace_kprobe_of(devent)->event);
	}
	list = probe_nearest_list(nearest);
	kfree(nearest);
	return list;
}

/* Addresses in a hint */
#define HINT_ADDRESSES	4
#define HINT_SIZE	(HINT_ADDRESSES * (MODULE_NAME_LEN + 24))

/**
 * struct hint_twins - the addresses of a name that is not unique
 * @name: the name
 * @nr: number of addresses
 * @text: the first of them
 */
struct hint_twins {
	const char	*name;
	unsigned int	nr;
	struct seq_buf	text;
};

static int hint_see_twin(void *data, unsigned long address)
{
	struct hint_twins *twins = data;
	char module[MODULE_NAME_LEN];

	if (twins->nr++ >= HINT_ADDRESSES)
		return 0;
	hint_module_name(address, module);
	seq_buf_printf(&twins->text, "%s0x%lx", twins->nr > 1 ? ", " : "", address);
	if (*module)
		seq_buf_printf(&twins->text, " [%s]", module);
	return 0;
}

static int hint_see_name(void *data, const char *name, unsigned long address)
{
	struct hint_twins *twins = data;

	return strcmp(name, twins->name) ? 0 : hint_see_twin(twins, address);
}

static void hint_find_twins(struct hint_twins *twins, char *symbol)
{
	char *colon = strchr(symbol, ':');

	twins->name = colon ? colon + 1 : symbol;
	if (colon)
		*colon = '\0';
	else
		kallsyms_on_each_match_symbol(hint_see_twin, symbol, twins);
	module_kallsyms_on_each_symbol(colon ? symbol : NULL, hint_see_name, twins);
	if (twins->nr > HINT_ADDRESSES)
		seq_buf_puts(&twins->text, ", ...");
}

static char *hint_addresses(struct probe_span line, struct probe_span word)
{
	struct probe_span data = hint_data(word);
	struct hint_twins twins = {};
	char *text, *symbol;

	if (!kallsyms_show_value(current_cred()))
		return NULL;
	symbol = probe_span_dup(data.len ? data : probe_hint_function(word));
	text = symbol ? kmalloc(HINT_SIZE, GFP_KERNEL) : NULL;
	if (text) {
		seq_buf_init(&twins.text, text, HINT_SIZE);
		hint_find_twins(&twins, symbol);
		seq_buf_str(&twins.text);
	}
	kfree(symbol);
	return text;
}

/**
 * struct hint - the hint of a refusal
 * @id: the refusal
 * @text: the hint, or its beginning
 * @list: makes the rest from the line and the word at the caret; no hint is given if it
 *	returns NULL. It may be NULL itself
 */
struct hint {
	enum probe_error_id	id;
	const char		*text;
	char			*(*list)(struct probe_span line, struct probe_span word);
};

#define HINT_ON_NOTRACE	"needs a kernel with CONFIG_KPROBE_EVENTS_ON_NOTRACE=y"

static const struct hint hint_table[] = {
	{ PROBE_ERR_BAD_PROBE_ADDR,	"nearest symbols: ",		hint_near_function },
	{ PROBE_ERR_BAD_MEM_ADDR,	"nearest symbols: ",		hint_near_data },
	{ PROBE_ERR_NON_UNIQ_SYMBOL,	"its addresses: ",		hint_addresses },
	{ PROBE_ERR_BAD_RETPROBE,	"the function's entry: ",	probe_hint_entry },
	{ PROBE_ERR_NOFENTRY_ARGS,	"the function's entry: ",	probe_hint_entry },
	{ PROBE_ERR_NOFENTRY_NAME,	"the function's entry: ",	probe_hint_entry },
	{ PROBE_ERR_NO_BTFARG,		"the parameters: ",		probe_hint_parameters },
	{ PROBE_ERR_ARG_NOT_WORD,	"the parameters by words: ",	probe_hint_words },
	{ PROBE_ERR_NO_SUCH_EVENT,	"nearest events: ",		hint_near_event },
	{ PROBE_ERR_NOTRACE_FUNC,	HINT_ON_NOTRACE },
	{ PROBE_ERR_NO_FTRACE_SITE,	HINT_ON_NOTRACE },
	{ PROBE_ERR_FTRACE_OFF,		"sysctl kernel.ftrace_enabled=1" },
};

static const struct hint *hint_find(const struct probe_error *err)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hint_table); i++)
		if (hint_table[i].id == err->id)
			return &hint_table[i];
	return NULL;
}

/**
 * kprobe_event_fixed_hint() - a hint that is the same for all lines
 * @err: why a line was refused, or a probe that is defined already
 *
 * Context: any.
 * Return: the hint, a constant; or NULL if there is none.
 */
const char *kprobe_event_fixed_hint(const struct probe_error *err)
{
	const struct hint *hint = hint_find(err);

	return hint && !hint->list ? hint->text : NULL;
}

/**
 * kprobe_event_hint() - what the writer of a refused line can try next
 * @text: the line, its words separated by one space
 * @err: why it was refused
 *
 * Context: may sleep; takes event_mutex; walks over all symbols where a symbol is unknown.
 * Return: the hint, to be freed with kfree(); or NULL if there is none.
 */
char *kprobe_event_hint(const char *text, const struct probe_error *err)
{
	const struct hint *hint = hint_find(err);
	struct probe_span line = probe_span_of(text);
	struct probe_span word = probe_span_skip(line, min(err->column, line.len));
	char *list, *whole;

	if (!hint)
		return NULL;
	if (!hint->list)
		return kstrdup(hint->text, GFP_KERNEL);
	list = hint->list(line, probe_span_head(word, probe_span_find(word, ' ')));
	whole = list ? kasprintf(GFP_KERNEL, "%s%s", hint->text, list) : NULL;
	kfree(list);
	return whole;
}
