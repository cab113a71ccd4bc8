// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is ftrace off? It can be switched off by a sysctl, and it is dead after a failure of its
 * own. The ftrace method (ftrace.c) can arm no point then.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include "ftrace.h"

/* [A] set once, by kprobe_ftrace_kill(); tests take it back */
VISIBLE_IF_KUNIT bool kprobe_ftrace_is_dead;
EXPORT_SYMBOL_IF_KUNIT(kprobe_ftrace_is_dead);

/**
 * kprobe_ftrace_kill() - record that ftrace will change no site any more
 *
 * Armed points stay armed as far as ftrace still calls its ops. Arming other points is
 * refused. Disarming does not change text.
 *
 * Context: any; ftrace also calls it on the way to a panic.
 */
void kprobe_ftrace_kill(void)
{
	WRITE_ONCE(kprobe_ftrace_is_dead, true);
}

/**
 * kprobe_ftrace_dead_error() - is ftrace dead?
 *
 * Context: any.
 * Return: 0, or -ENODEV if it is.
 */
int kprobe_ftrace_dead_error(void)
{
	return READ_ONCE(kprobe_ftrace_is_dead) ? -ENODEV : 0;
}

/**
 * kprobe_ftrace_error() - would ftrace refuse to change sites?
 *
 * Context: any.
 * Return: 0; -ENODEV if it is dead, -EAGAIN if it is switched off, which ftrace itself
 * would not report.
 */
int kprobe_ftrace_error(void)
{
	return kprobe_ftrace_dead_error() ?: READ_ONCE(ftrace_enabled) ? 0 : -EAGAIN;
}

/**
 * kprobe_arming_error() - would ftrace refuse to arm a client?
 * @p: a registered kprobe
 *
 * Hits of a client that is enabled are neither handled nor counted meanwhile.
 *
 * Context: any.
 * Return: 0; -EAGAIN if ftrace is switched off, -ENODEV if it is dead, which is for good.
 */
int kprobe_arming_error(const struct kprobe *p)
{
	return kprobe_ftrace(p) ? kprobe_ftrace_error() : 0;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_arming_error);
