# SPDX-License-Identifier: GPL-2.0-or-later
"""Random lines of tracefs: definitions, deletions, filters, triggers. Most of them are right."""
import os
import string

import grammar
import tracefs

GROUPS = ("fuzz", "fuzz", "kprobes")
EVENTS = ("e0", "e1", "e2", "e3")
# Most of their probes are return probes
RETURNS = EVENTS[-1]
# Events of other kinds take these names, and now and then those of kprobe events
OTHERS = [f"o{number}" for number in range(3)]
# Offsets of uprobe events in a program; each has an event of its own, named after it
USER = "/usr/bin/cat"
USER_OFFSETS = (0, 0x1000, 0x3000, 0x3004)
OF_USER = [f"u_{kind}{offset:x}" for kind in "pr" for offset in USER_OFFSETS]
INSTANCES = ("fuzz_a", "fuzz_b")
ARM64 = os.uname().machine == "aarch64"
SYSCALL = f"__{'arm64' if ARM64 else 'x64'}_sys_"

# Functions that the workload calls, and that nobody calls; functions of modules
FUNCTIONS = ("vfs_read", "vfs_write", "do_sys_openat2", "kernel_clone", "do_exit", "schedule",
             "path_openat", "try_to_wake_up", "mutex_lock", "handle_mm_fault", "kfree",
             "kmem_cache_alloc_noprof", "ksys_read", "vfs_open", "filp_close",
             f"{SYSCALL}getppid", f"{SYSCALL}getuid", f"{SYSCALL}close",
             "rb_insert_color", "load_module", "event_trace_add_tracer")
OF_MODULES = ("trace_events_sample:simple_thread", "trace_events_sample:do_simple_thread_func",
              "kprobes_twins:kprobes_twin", "kprobes_twins:kprobes_nest",
              "kprobes_twins:kprobes_see", "trace_events_sample:foo_bar_reg",
              "kprobes_module_places:module_places_label", "no_module:no_function")
# Mostly the first instruction after the ftrace site
OFFSETS = tracefs.BEHIND * 4 + (0, 4, 10, 11, 12, 13, 16, 20, 24, 28, 32)
REGISTERS = (("x0", "x1", "x19", "sp", "pc", "lr") if ARM64 else
             ("di", "si", "ax", "sp", "ip", "r12"))
SYMBOLS = ("jiffies", "init_task", "jiffies+4", "system_state", "linux_banner")
KEEP = ("file->f_mode", "file->f_inode->i_ino", "count", "file", "$arg*",
        "file->f_path.dentry->d_name.name:string", "$arg1->f_mode")
PLAIN = ("u8", "u16", "u32", "u64", "s8", "s32", "s64", "x8", "x64", "char", "symbol", "symstr",
         "b4@4/8", "b1@63/64", "b12@3/32")
MEMORY = PLAIN + ("string", "ustring", "u8[4]", "u64[16]", "char[8]", "string[2]", "ustring[3]",
                  "symbol[2]", "symstr[2]", "%pd", "%pD", "b2@1/8[4]")


def event(dice):
    """GROUP/EVENT."""
    return f"{dice.choice(GROUPS)}/{dice.choice(EVENTS)}"


def path(dice):
    """The folder of an event, or of a group, in an instance or not."""
    where = dice.choice([""] * 6 + [f"instances/{name}/" for name in INSTANCES])
    what = event(dice) if dice.random() < 0.85 else f"fuzz_o/{dice.choice((*OTHERS, *OF_USER))}"
    return f"{where}events/{what}"


def place(dice):
    """Where a probe is."""
    if dice.random() < 0.05:
        return dice.choice(grammar.PLACES)
    name = dice.choice(OF_MODULES if dice.random() < 0.15 else FUNCTIONS)
    return name + (f"+{dice.choice(OFFSETS)}" if dice.random() < 0.25 else "")


def offset(dice):
    """The +OFFS or -OFFS of a dereference."""
    user = "u" if dice.random() < 0.2 else ""
    return f"{dice.choice('+++-')}{user}{dice.choice((0, 0, 4, 8, 16, 0x18, 56, 4096, 1 << 40))}"


def word(dice, returns):
    """A value of one word."""
    kinds = (f"%{dice.choice(REGISTERS)}", f"$stack{dice.choice(('', 0, 1, 5, 100))}",
             f"@{dice.choice(SYMBOLS)}", f"\\{dice.choice((0, 1, -1, 16, 1 << 63))}",
             f"$arg{dice.randint(1, 8)}", f"$arg{dice.randint(1, 3)}", "$caller",
             "$retval" if returns else "$arg2")
    return dice.choice(kinds)


def value(dice, returns):
    """FETCH and TYPE."""
    depth = dice.choice((0, 0, 0, 0, 1, 1, 1, 2, 3, 14))
    text = word(dice, returns)
    for _ in range(depth):
        text = f"{offset(dice)}({text})"
    kind = dice.choice(MEMORY if depth else PLAIN) if dice.random() < 0.6 else ""
    return text + (f":{kind}" if kind else "")


def argument(dice, number, returns):
    """NAME=VALUE, or a VALUE whose name follows from it."""
    chance = dice.random()
    if chance < 0.04:
        return dice.choice(grammar.ARGS)
    if chance < 0.08:
        return f"a{number}={dice.choice(grammar.VALUES)}"
    if chance < 0.12:
        return f"a{number}={dice.choice(grammar.TYPED)}:{dice.choice(grammar.TYPES)}"
    if chance < 0.2:
        return f"a{number}=$comm"
    keep = "^" if returns and dice.random() < 0.3 else ""
    return dice.choice((f"a{number}={keep}", keep)) + value(dice, returns)


def head(dice):
    """The letter and the name."""
    if dice.random() < 0.05:
        return dice.choice(grammar.HEADS)
    name = event(dice) if dice.random() < 0.9 else dice.choice(EVENTS)
    letter = "pr"[name.endswith(RETURNS) != (dice.random() < 0.1)]
    if letter == "r" and dice.random() < 0.3:
        letter = f"r{dice.choice((1, 2, 64, 4096))}"
    return f"{letter}:{name}" if dice.random() < 0.97 else letter


def spoil(dice, line):
    """A character of the line is lost, doubled or another one."""
    at = dice.randrange(len(line) + 1)
    how = dice.choice(("", line[at:at + 1] * 2, dice.choice(string.printable), "é", "\0"))
    return line[:at] + how + line[at + 1:]


def definition(dice):
    """One line that defines or checks."""
    first = head(dice)
    returns = first.startswith("r")
    words = [first, place(dice)]
    if dice.random() < 0.2:
        words[1] = "vfs_read" + ("%return" if dice.random() < 0.1 else "")
        words += dice.sample(KEEP, dice.randint(1, 3))
    # Few shapes, so that probes can join
    elif dice.random() < 0.3:
        words.append(f"a=$arg{dice.choice((1, 1, 1, 2))}")
    else:
        words += [argument(dice, i, returns) for i in range(dice.choice((0, 0, 1, 1, 2, 5)))]
    line = ("?" if dice.random() < 0.1 else "") + " ".join(words)
    return spoil(dice, line) if dice.random() < 0.1 else line


def deletion(dice):
    """One line that deletes."""
    chance = dice.random()
    if chance < 0.6:
        line = f"-:{event(dice)}"
    elif chance < 0.7:
        line = f"-:{dice.choice(EVENTS)}"
    elif chance < 0.75:
        line = f"-:{dice.choice(GROUPS)}/"
    elif chance < 0.9:
        line = f"-:{event(dice)} {place(dice)}"
    else:
        line = dice.choice(grammar.SECOND)
    return spoil(dice, line) if dice.random() < 0.05 else line


def other(dice):
    """One line for dynamic_events that is not of kprobe events: all other kinds."""
    name = dice.choice((f"fuzz_o/{dice.choice(OTHERS)}", event(dice)))
    # Two faults of uprobe events that are not ours. One that perf has open fails with EINTR
    # when tracefs enables it: it gets no name that perf opens. A probe that is deleted while
    # its event is enabled is freed, but not unregistered, if the event has another one: each
    # has an event of its own
    kind, at = dice.choice("pr"), dice.choice(USER_OFFSETS)
    return dice.choice((
        f"{kind}:fuzz_o/u_{kind}{at:x} {USER}:{at:#x}", f"-:fuzz_o/{dice.choice(OF_USER)}",
        f"f:{name} {dice.choice(FUNCTIONS)} {dice.choice(('a=$arg1', '$arg*', ''))}",
        f"f:{name} {dice.choice(FUNCTIONS)}%return $retval",
        f"e:{name} {event(dice).replace('/', '.')} "
        f"{dice.choice(('a=$a', 'a=$a1:u64', '', 'c=$comm'))}",
        f"s:{name} u64 a; int b",
        f"t:{name} sched_switch",
        f"-:{name}", f"-:fuzz_o/{dice.choice(OTHERS)}", "-:fuzz_o/"))


def condition(dice):
    """A filter."""
    name = dice.choice(("a", "a1", "a0", "arg1", "count", "common_pid", "__probe_ip",
                        "__probe_fault", "comm", "nosuch", "a0_1"))
    compared = f"{dice.choice(('==', '!=', '<', '>=', '&'))} {dice.choice((0, 1, -1, 4096))}"
    text = dice.choice((f"{name} {compared}", f'{name} ~ "*a*"', f'{name} == "x"',
                        f"{name} == {name}", f'{name}.ustring ~ "a"',
                        f"{name}.function == vfs_read", "(", "common_pid"))
    if dice.random() < 0.3:
        text += f" {dice.choice(('&&', '||'))} common_pid != 0"
    return text


def histogram(dice):
    """A hist trigger: it counts by a few keys."""
    key = dice.choice(("a", "a1", "a0", "arg1", "common_pid", "common_stacktrace", "nosuch",
                       "__probe_ip.sym", "common_cpu", "a.log2", "a1.hex", "count.buckets=16"))
    more = dice.choice(("", "", ":vals=a", ":size=256", ":sort=hitcount", ":pause", ":clear",
                        ":cont", ":name=fuzz", ":ts0=common_timestamp.usecs", ":x=a",
                        ":onmax(a).snapshot()", ":onchange(a).save(a)"))
    return f"hist:keys={key}{more}"


def trigger(dice):
    """A trigger, to be set or with a ! to be removed."""
    count = f":{dice.choice((1, 5))}" if dice.random() < 0.3 else ""
    switched = event(dice).replace("/", ":")
    text = dice.choice((f"stacktrace{count}", f"traceoff{count}", f"traceon{count}",
                        f"snapshot{count}", f"enable_event:{switched}{count}",
                        f"disable_event:{switched}{count}",
                        histogram(dice), histogram(dice), "stacktrace:x", "nosuch"))
    if dice.random() < 0.2:
        text += f" if {condition(dice)}"
    return ("!" if dice.random() < 0.35 else "") + text


def selection(dice):
    """A line of set_event."""
    sign = "!" if dice.random() < 0.4 else ""
    return sign + dice.choice((event(dice).replace("/", ":"), f"{dice.choice(GROUPS)}:*",
                               dice.choice(EVENTS), "*:nosuch",
                               f":mod:{dice.choice(('nosuch', 'kernel'))}"))
