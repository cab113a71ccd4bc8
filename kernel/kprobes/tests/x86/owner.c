// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include "owner.h"

static noinline int target_0(int value)
{
	return value + 1;
}

static noinline int target_1(int value)
{
	return value + 2;
}

static noinline int target_2(int value)
{
	return value + 3;
}

static noinline int target_3(int value)
{
	return value + 4;
}

static noinline int ipmodify_detour(int value)
{
	return value + ELSEWHERE;
}

int (*const ipmodify_targets[TARGETS])(int value) = {
	target_0, target_1, target_2, target_3,
};

unsigned int owner_has;

static void notrace ipmodify_go_elsewhere(unsigned long ip, unsigned long parent_ip,
					  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)ipmodify_detour);
}

static struct ftrace_ops ipmodify_owner = {
	.func	= ipmodify_go_elsewhere,
	.flags	= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

static int owner_filter(unsigned int which, bool remove)
{
	int i, ret = 0;

	for (i = 0; i < TARGETS && !ret; i++) {
		if (which & BIT(i))
			ret = ftrace_set_filter_ip(&ipmodify_owner,
						   (unsigned long)ipmodify_targets[i], remove, 0);
	}
	return ret;
}

int owner_take(unsigned int which)
{
	int ret = owner_filter(which, false);

	if (!ret && !owner_has)
		ret = register_ftrace_function(&ipmodify_owner);
	if (ret)
		owner_filter(which, true);
	else
		owner_has |= which;
	return ret;
}

void owner_drop(void)
{
	if (!owner_has)
		return;
	unregister_ftrace_function(&ipmodify_owner);
	owner_filter(owner_has, true);
	owner_has = 0;
}
