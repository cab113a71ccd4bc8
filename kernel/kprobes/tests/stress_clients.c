// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The clients of the stress. A name is a letter, the number of a function, a dot and the
 * number of a place, as in p3.1:
 *
 *	p	a probe that counts
 *	s	the same: a second client of the place
 *	q	has a post-handler, too
 *	n	its handler calls the next function, where all hits are missed
 *	d	its handler skips the instruction: clients called after it miss the hit
 *	r	a return probe of the function; its place is 0
 *
 * Clients p and s of functions with odd numbers are reentrant.
 */
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "../core.h"
#include "machine.h"
#include "stress.h"

/* Clients that one command may name */
#define STRESS_BATCH	32

static const char stress_kinds[] = "psqndr";
#define STRESS_KINDS	(ARRAY_SIZE(stress_kinds) - 1)

/**
 * struct stress_client - a client
 * @rp: the probe; only its kprobe is used unless it is a return probe
 * @hits: how often it was hit
 * @ends: how often its post-handler or return handler has run
 * @missed: hits that were missed while it was registered before
 * @registered: is it registered?
 * @used: was it ever?
 */
struct stress_client {
	struct kretprobe	rp;
	atomic_long_t		hits;
	atomic_long_t		ends;
	unsigned long		missed;
	bool			registered;
	bool			used;
};

static struct stress_client stress_clients[STRESS_FUNCTIONS][STRESS_PLACES][STRESS_KINDS];
static unsigned long stress_broken;

static struct stress_client *stress_client_of(struct kprobe *p)
{
	return container_of(p, struct stress_client, rp.kp);
}

static unsigned int stress_number(const struct stress_client *client)
{
	return (client - &stress_clients[0][0][0]) / (STRESS_PLACES * STRESS_KINDS);
}

static unsigned int stress_place(const struct stress_client *client)
{
	return (client - &stress_clients[0][0][0]) / STRESS_KINDS % STRESS_PLACES;
}

static char stress_kind(const struct stress_client *client)
{
	return stress_kinds[(client - &stress_clients[0][0][0]) % STRESS_KINDS];
}

static int stress_pre(struct kprobe *p, struct pt_regs *regs)
{
	atomic_long_inc(&stress_client_of(p)->hits);
	return 0;
}

static void stress_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	atomic_long_inc(&stress_client_of(p)->ends);
}

static int stress_nest(struct kprobe *p, struct pt_regs *regs)
{
	unsigned int next = (stress_number(stress_client_of(p)) + 1) % STRESS_FUNCTIONS;
	int i;

	for (i = 0; i < STRESS_THREADS; i++) {
		if (stress_threads[i].task == current)
			stress_call(&stress_threads[i], next);
	}
	return stress_pre(p, regs);
}

static int stress_skip(struct kprobe *p, struct pt_regs *regs)
{
	const struct stress_function *function;

	function = &stress_functions[stress_number(stress_client_of(p))];
	place_set_result(regs, place_result(regs) + function->skip);
	instruction_pointer_set(regs, (unsigned long)function->place[1]);
	stress_pre(p, regs);
	return 1;
}

static int stress_enter(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return stress_pre(&get_kretprobe(ri)->kp, regs);
}

static int stress_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	atomic_long_inc(&stress_client_of(&get_kretprobe(ri)->kp)->ends);
	return 0;
}

static bool stress_is_reentrant(const struct stress_client *client)
{
	char kind = stress_kind(client);

	return (kind == 'p' || kind == 's') && stress_number(client) % 2;
}

/* A probe that is registered again must be initialized completely */
static void stress_prepare(struct stress_client *client, u32 flags)
{
	const struct stress_function *function = &stress_functions[stress_number(client)];
	char kind = stress_kind(client);

	memset(&client->rp, 0, sizeof(client->rp));
	client->rp.kp.flags = stress_is_reentrant(client) ? KPROBE_FLAG_DISABLED : flags;
	if (kind == 'r') {
		client->rp.kp.addr = (kprobe_opcode_t *)function->call;
		client->rp.entry_handler = stress_enter;
		client->rp.handler = stress_return;
		return;
	}
	client->rp.kp.addr = (kprobe_opcode_t *)function->place[stress_place(client)];
	client->rp.kp.pre_handler = kind == 'n' ? stress_nest :
				    kind == 'd' ? stress_skip : stress_pre;
	if (kind == 'q')
		client->rp.kp.post_handler = stress_post;
}

/**
 * struct stress_names - the clients that a command names
 * @num: their number
 * @clients: the clients
 */
struct stress_names {
	unsigned int		num;
	struct stress_client	*clients[STRESS_BATCH];
};

static struct stress_client *stress_find(const char *name)
{
	unsigned int number, place;
	const char *kind;
	char letter;

	if (sscanf(name, "%c%u.%u", &letter, &number, &place) != 3)
		return NULL;
	kind = strchr(stress_kinds, letter);
	if (!letter || !kind || number >= STRESS_FUNCTIONS || place >= STRESS_PLACES)
		return NULL;
	if (letter == 'r' ? place : !stress_functions[number].place[place])
		return NULL;
	return &stress_clients[number][place][kind - stress_kinds];
}

static int stress_parse(struct stress_names *names, char *text)
{
	const char *name;

	names->num = 0;
	while ((name = strsep(&text, " "))) {
		if (names->num == STRESS_BATCH)
			return -E2BIG;
		names->clients[names->num] = stress_find(name);
		if (!names->clients[names->num++])
			return -ENOENT;
	}
	return 0;
}

/* A window that a probe inside breaks */
static bool stress_breaks(const struct stress_client *client)
{
	unsigned int number = stress_number(client);

	return stress_functions[number].inside & BIT(stress_place(client)) &&
	       kprobe_optimized(&stress_clients[number][0][0].rp.kp);
}

/* Is each of the clients as wanted, and none named twice? Then mark it the other way */
static int stress_mark(struct stress_names *names, bool registered)
{
	unsigned int i;

	for (i = 0; i < names->num; i++) {
		if (names->clients[i]->registered == registered)
			break;
		names->clients[i]->registered = registered;
	}
	if (i == names->num)
		return 0;
	while (i--)
		names->clients[i]->registered = !registered;
	return -EINVAL;
}

/* Return probes have a call of their own */
static unsigned int stress_split(struct stress_names *names, struct kprobe **kps,
				 struct kretprobe **rps, unsigned int *returns)
{
	unsigned int i, num = 0;

	*returns = 0;
	for (i = 0; i < names->num; i++) {
		if (stress_kind(names->clients[i]) == 'r')
			rps[(*returns)++] = &names->clients[i]->rp;
		else
			kps[num++] = &names->clients[i]->rp.kp;
	}
	return num;
}

static int stress_register_all(struct stress_names *names)
{
	struct kretprobe *rps[STRESS_BATCH];
	struct kprobe *kps[STRESS_BATCH];
	unsigned int returns, num = stress_split(names, kps, rps, &returns);
	int ret = 0;

	if (num)
		ret = register_kprobes(kps, num);
	if (ret || !returns)
		return ret;
	ret = register_kretprobes(rps, returns);
	if (ret && num)
		unregister_kprobes(kps, num);
	return ret;
}

/* They are registered disabled, and made reentrant before they are enabled */
static int stress_make_reentrant(struct stress_client *client, u32 flags)
{
	struct kprobe *p = &client->rp.kp;

	if (!stress_is_reentrant(client))
		return 0;
	scoped_guard(mutex, &kprobe_mutex)
		p->flags |= KPROBE_FLAG_REENTRANT;
	return flags ? 0 : enable_kprobe(p);
}

static int stress_register(struct stress_names *names, u32 flags)
{
	unsigned int i, breaks = 0;
	int ret = stress_mark(names, true);

	if (ret)
		return ret;
	for (i = 0; i < names->num; i++) {
		stress_prepare(names->clients[i], flags);
		breaks += !flags && stress_breaks(names->clients[i]);
	}
	ret = stress_register_all(names);
	if (ret) {
		stress_mark(names, false);
		return ret;
	}
	for (i = 0; i < names->num && !ret; i++) {
		names->clients[i]->used = true;
		ret = stress_make_reentrant(names->clients[i], flags);
	}
	stress_broken += breaks;
	return ret;
}

static int stress_unregister(struct stress_names *names)
{
	struct kretprobe *rps[STRESS_BATCH];
	struct kprobe *kps[STRESS_BATCH];
	unsigned int i, returns, num = stress_split(names, kps, rps, &returns);
	struct stress_client *client;
	int ret = stress_mark(names, false);

	if (ret)
		return ret;
	if (num)
		unregister_kprobes(kps, num);
	if (returns)
		unregister_kretprobes(rps, returns);
	for (i = 0; i < names->num; i++) {
		client = names->clients[i];
		client->missed += client->rp.kp.nmissed + client->rp.nmissed;
	}
	return 0;
}

static int stress_enable(struct stress_names *names, bool enable)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < names->num && !ret; i++) {
		if (enable)
			ret = enable_kprobe(&names->clients[i]->rp.kp);
		else
			ret = disable_kprobe(&names->clients[i]->rp.kp);
	}
	return ret;
}

/**
 * stress_change() - change clients
 * @verb: what to do, see stress.c
 * @text: names of clients, with spaces between them; is changed
 *
 * Context: process context.
 * Return: 0, or an error of the clients or of the command.
 */
int stress_change(const char *verb, char *text)
{
	struct stress_names names;
	int ret = stress_parse(&names, text);

	if (ret)
		return ret;
	if (!strcmp(verb, "register"))
		return stress_register(&names, 0);
	if (!strcmp(verb, "disabled"))
		return stress_register(&names, KPROBE_FLAG_DISABLED);
	if (!strcmp(verb, "unregister"))
		return stress_unregister(&names);
	if (!strcmp(verb, "enable"))
		return stress_enable(&names, true);
	return strcmp(verb, "disable") ? -EINVAL : stress_enable(&names, false);
}

static void stress_show_client(struct seq_file *seq, const struct stress_client *client)
{
	const struct kprobe *p = &client->rp.kp;
	unsigned long missed = client->missed;
	char text = '-';

	if (client->registered) {
		missed += p->nmissed + client->rp.nmissed;
		text = kprobe_ftrace(p) ? 'f' : stress_text((const u8 *)p->addr);
	}
	seq_printf(seq, "c %c%u.%u %d %ld %ld %lu %c\n", stress_kind(client),
		   stress_number(client), stress_place(client),
		   client->registered && kprobe_optimized(p), atomic_long_read(&client->hits),
		   atomic_long_read(&client->ends), missed, text);
}

/**
 * stress_show_clients() - show all clients that were ever registered
 * @seq: the file
 *
 * Context: under the core mutex: flags and text belong together.
 */
void stress_show_clients(struct seq_file *seq)
{
	struct stress_client *client = &stress_clients[0][0][0];
	unsigned int i;

	lockdep_assert_held(&kprobe_mutex);
	for (i = 0; i < sizeof(stress_clients) / sizeof(*client); i++) {
		if (client[i].used)
			stress_show_client(seq, &client[i]);
	}
}

/**
 * stress_drop_clients() - unregister all clients
 *
 * Context: process context.
 */
void stress_drop_clients(void)
{
	struct stress_client *client = &stress_clients[0][0][0];
	unsigned int i;

	for (i = 0; i < sizeof(stress_clients) / sizeof(*client); i++) {
		struct stress_names names = { .num = 1, .clients = { &client[i] } };

		if (client[i].registered)
			stress_unregister(&names);
	}
}

/**
 * stress_windows_broken() - how many jumps had a probe registered inside
 *
 * Context: process context.
 * Return: their number.
 */
unsigned long stress_windows_broken(void)
{
	return stress_broken;
}
