// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stats file of an event in one instance: its hits, its misses by their reasons, and
 * what became of its records there. A written 0 makes the counts begin anew in this
 * instance; kprobe_profile and other instances do not change.
 */
#include <linux/minmax.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "../trace.h"
#include "counter.h"
#include "probe.h"
#include "stats.h"
#include "tally.h"

/* Room for all lines, with numbers of any length */
#define STATS_SIZE	1024

static void stats_put(struct seq_buf *buf, const char *name, unsigned long count)
{
	seq_buf_printf(buf, "%-24s %15lu\n", name, count);
}

/* Nothing counts hits while ftrace is off; the probes that miss them can be counted. */
static unsigned long stats_waiting_probes(const struct kprobe_event *event)
{
	const struct trace_kprobe *probe;
	unsigned long nr = 0;

	if (!event->sinks)
		return 0;
	list_for_each_entry(probe, &event->probes, sibling)
		nr += trace_kprobe_is_live(probe) && kprobe_arming_error(&probe->rp.kp);
	return nr;
}

static void stats_print(struct seq_buf *buf, const struct kprobe_event *event,
			const unsigned long *counts)
{
	unsigned long missed = 0;
	unsigned int i;

	for (i = COUNT_NESTED; i < COUNT_OF_EVENT; i++)
		missed += counts[i];
	stats_put(buf, "hits:", counts[COUNT_HITS]);
	stats_put(buf, "missed:", missed);
	stats_put(buf, "  nested:", counts[COUNT_NESTED]);
	stats_put(buf, "  no_instance:", counts[COUNT_NO_INSTANCE]);
	stats_put(buf, "  rcu_not_watching:", counts[COUNT_UNWATCHED]);
	stats_put(buf, "  unregistering:", counts[COUNT_RETIRING]);
	stats_put(buf, "  diverted:", counts[COUNT_DIVERTED]);
	stats_put(buf, "  lost:", counts[COUNT_LOST]);
	stats_put(buf, "probes_without_ftrace:", stats_waiting_probes(event));
	stats_put(buf, "recorded:", counts[COUNT_RECORDED]);
	stats_put(buf, "filtered:", counts[COUNT_FILTERED]);
	stats_put(buf, "tracing_off:", counts[COUNT_OFF]);
	stats_put(buf, "no_buffer:", counts[COUNT_NO_BUFFER]);
}

/* What was counted since the event was defined; nothing of an instance without @tally */
static void stats_count(const struct kprobe_event *event, const struct event_tally *tally,
			unsigned long *counts)
{
	const struct trace_kprobe *probe;

	memset(counts, 0, COUNT_ALL * sizeof(*counts));
	if (event->past)
		memcpy(counts, event->past, COUNT_OF_EVENT * sizeof(*counts));
	list_for_each_entry(probe, &event->probes, sibling)
		trace_kprobe_add_counts(probe, counts);
	if (!tally)
		return;
	counts[COUNT_RECORDED] = event_counter_sum(tally->recorded);
	counts[COUNT_FILTERED] = event_counter_sum(tally->filtered);
	counts[COUNT_OFF] = atomic_long_read(&tally->off);
	counts[COUNT_NO_BUFFER] = atomic_long_read(&tally->no_buffer);
}

static int stats_show(struct file *opened, struct seq_buf *buf)
{
	unsigned long counts[COUNT_ALL];
	struct trace_event_file *file;
	struct kprobe_event *event;
	struct event_tally *tally;
	unsigned int i;

	guard(mutex)(&event_mutex);
	file = event_file_file(opened);
	if (!file)
		return -ENODEV;
	event = kprobe_event_of(file->event_call);
	tally = event_tally_find(&event->tallies, file);
	stats_count(event, tally, counts);
	/* A miss is counted as nested until its reason is counted, too */
	for (i = 0; tally && i < COUNT_ALL; i++)
		counts[i] -= min(counts[i], tally->since[i]);
	stats_print(buf, event, counts);
	return 0;
}

static ssize_t stats_read(struct file *opened, char __user *to, size_t len, loff_t *pos)
{
	char *text __free(kfree) = kmalloc(STATS_SIZE, GFP_KERNEL);
	struct seq_buf buf;
	int ret;

	if (!text)
		return -ENOMEM;
	seq_buf_init(&buf, text, STATS_SIZE);
	ret = stats_show(opened, &buf);
	if (ret)
		return ret;
	return simple_read_from_buffer(to, len, pos, text, seq_buf_used(&buf));
}

static int stats_begin_anew(struct file *opened)
{
	struct trace_event_file *file;
	struct kprobe_event *event;
	struct event_tally *tally;

	guard(mutex)(&event_mutex);
	file = event_file_file(opened);
	if (!file)
		return -ENODEV;
	event = kprobe_event_of(file->event_call);
	tally = event_tally_get(&event->tallies, file);
	if (!tally)
		return -ENOMEM;
	stats_count(event, tally, tally->since);
	return 0;
}

static ssize_t stats_write(struct file *opened, const char __user *from, size_t len,
			   loff_t *pos)
{
	unsigned long value;
	int ret = kstrtoul_from_user(from, len, 10, &value);

	if (!ret && value)
		ret = -EINVAL;
	if (!ret)
		ret = stats_begin_anew(opened);
	return ret ?: len;
}

const struct file_operations kprobe_event_stats_fops = {
	.open		= tracing_open_file_tr,
	.read		= stats_read,
	.write		= stats_write,
	.release	= tracing_release_file_tr,
	.llseek		= default_llseek,
};
