# SPDX-License-Identifier: GPL-2.0-or-later
"""Random operations on tracefs, perf and modules, which the fuzzer does.

An operation is chosen by dice alone, not by what there is: it can be done again without
those before it.
"""
import collections
import errno
import fcntl
import mmap
import os
import subprocess

import bpf
import fuzz_lines as lines
import perf_kprobe
import tracefs

DEBUG = "/sys/kernel/debug/kprobes"
FTRACE = "/proc/sys/kernel/ftrace_enabled"
CPU = "/sys/devices/system/cpu/cpu1/online"
PLACES = "/sys/kernel/debug/kprobes_places"
MODULES = ("trace-events-sample", "kprobes_twins", "kprobes_places", "trace_custom_sched")
PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_RESET = 0x2400, 0x2403
# At most this many perf events a process
MOST = 12
READ = ("kprobe_events", "kprobe_profile", "dynamic_events", "uprobe_events", "trace", "error_log",
        "set_event", "available_events", "enabled_functions", "touched_functions", "README",
        "saved_cmdlines", "snapshot", "uprobe_profile", "synthetic_events")
READ_OF_EVENT = ("enable", "format", "filter", "trigger", "id", "hist", "stats", "hist_debug")

# @text tells the operation, @run does it and returns an errno or 0. error_log has to explain
# @line if that is refused. A failure of a @whole operation leaves everything as it was
Operation = collections.namedtuple("Operation", "text run line whole", defaults=[None, True])


class Hands:
    """What a process holds: perf events, their buffers, programs."""

    def __init__(self):
        self.files = []
        self.program = bpf.load(bpf.WANT)

    def keep(self, file, pages):
        """Hold a perf event and its buffer, and let the oldest go if there are too many."""
        self.files.append((file, None))
        if len(self.files) > MOST:
            self.drop(0)
        if pages:
            self.files[-1] = file, mmap.mmap(file, pages * mmap.PAGESIZE)

    def drop(self, number):
        """Let a perf event go."""
        if self.files:
            file, buffer = self.files.pop(number % len(self.files))
            if buffer:
                buffer.close()
            os.close(file)

    def clear(self):
        """Let all go."""
        while self.files:
            self.drop(0)


def caught(func, *args):
    """Call @func; the errno that it raises or returns, or 0."""
    try:
        return func(*args) or 0
    except OSError as error:
        return error.errno


def write_file(path, text):
    """Write to a file that is not of tracefs; the errno, or 0."""
    def write():
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    return caught(write)


def written(file, text, **how):
    """An operation that appends to a file of tracefs."""
    return Operation(f"{file} << {text!r}", lambda: tracefs.append(file, text), **how)


def truncated(file, text, **how):
    """An operation that writes to a file of tracefs from its beginning."""
    return Operation(f"{file} < {text!r}", lambda: tracefs.write(file, text), **how)


def define(dice, _):
    """One definition, in either file."""
    line = lines.definition(dice)
    if dice.random() < 0.2:
        return written("dynamic_events", f"{line}\n")
    return written("kprobe_events", f"{line}\n", line=line, whole="\n" not in line)


def define_many(dice, _):
    """Some definitions and deletions in one write."""
    text = "".join(f"{dice.choice((lines.definition, lines.definition, lines.deletion))(dice)}\n"
                   for _ in range(dice.randint(2, 6)))
    return written("kprobe_events", text, whole=False)


def define_other(dice, _):
    """A dynamic event of another kind."""
    return written("dynamic_events", f"{lines.other(dice)}\n", whole=False)


def delete(dice, _):
    """One deletion, in either file."""
    line = lines.deletion(dice)
    # Others may be deleted before the one that is in use
    whole = line.startswith("-:") and line.find("/") not in (-1, len(line) - 1)
    file = dice.choice(("kprobe_events", "kprobe_events", "dynamic_events"))
    return written(file, f"{line}\n", line=line if file == "kprobe_events" else None, whole=whole)


def delete_all(dice, _):
    """All events of a kind, unless one is in use."""
    return truncated(dice.choice(("kprobe_events", "kprobe_events", "dynamic_events",
                                  "uprobe_events")), "")


def check(dice, _):
    """A definition that is checked, and its finding."""
    line = lines.definition(dice)

    def run():
        file = os.open(f"{tracefs.TRACING}/kprobe_events", os.O_RDWR)
        try:
            os.write(file, f"?{line}\n".encode())
            os.read(file, 4096)
            os.lseek(file, 0, os.SEEK_SET)
            os.read(file, 4096)
        finally:
            os.close(file)
    return Operation(f"check {line!r}", lambda: caught(run))


def enable(dice, _):
    """An event, on or off."""
    return truncated(f"{lines.path(dice)}/enable", dice.choice("0111"))


def enable_group(dice, _):
    """A group, on or off, as far as it can be."""
    where = os.path.dirname(lines.path(dice))
    return truncated(f"{where}/enable", dice.choice("01"), whole=False)


def select(dice, _):
    """Events by set_event."""
    if dice.random() < 0.1:
        return truncated("set_event", "", whole=False)
    return written("set_event", f"{lines.selection(dice)}\n", whole=False)


def filter_event(dice, _):
    """A filter; one that is wrong takes the place of the old one."""
    text = lines.condition(dice) if dice.random() < 0.8 else "0"
    where = lines.path(dice)
    if dice.random() < 0.2:
        where = os.path.dirname(where)
    return truncated(f"{where}/filter", text, whole=False)


def trigger(dice, _):
    """A trigger comes or goes."""
    return written(f"{lines.path(dice)}/trigger", lines.trigger(dice))


def untrigger(dice, _):
    """All triggers of an event go."""
    where = f"{lines.path(dice)}/trigger"
    return Operation(f"clear {where}", lambda: caught(clear_triggers, where), whole=False)


def clear_triggers(where):
    """Remove the triggers of a file, as it lists them."""
    for line in tracefs.read(where).splitlines():
        if not line.startswith("#"):
            tracefs.append(where, f"!{line.removesuffix(' [active]').removesuffix(' [paused]')}")


def instance(dice, _):
    """An instance comes or goes."""
    name = f"instances/{dice.choice(lines.INSTANCES)}"
    func = dice.choice((os.mkdir, os.rmdir))
    return Operation(f"{func.__name__} {name}",
                     lambda: caught(func, f"{tracefs.TRACING}/{name}"), whole=func is os.mkdir)


def reset_stats(dice, _):
    """The counts of an event begin anew."""
    return truncated(f"{lines.path(dice)}/stats", dice.choice(("0", "0", "1", "x")))


def hold(hands, opened, dice):
    """An operation that opens a perf event and uses it."""
    pages, enables, program = dice.choice((0, 1, 9)), dice.random() < 0.8, dice.random() < 0.2
    text = lines.condition(dice) if dice.random() < 0.2 else None

    def run():
        file = opened()
        if file < 0:
            return -file
        hands.keep(file, pages)
        if text:
            caught(perf_kprobe.set_filter, file, text)
        if program:
            caught(perf_kprobe.attach, file, hands.program)
        if enables:
            fcntl.ioctl(file, PERF_EVENT_IOC_ENABLE, 0)
        return 0
    return lambda: caught(run), f"{pages} pages, filter {text!r}, program {program}"


def perf_probe(dice, hands):
    """A probe of perf's own."""
    name, _, offset = lines.place(dice).partition("+")
    offset = int(offset) if offset.isdecimal() and len(offset) < 6 else 0
    returns = dice.random() < 0.4
    run, text = hold(hands, lambda: perf_kprobe.open_probe(name, offset, returns), dice)
    return Operation(f"perf probe {name!r}+{offset} returns {returns}: {text}", run)


def perf_event(dice, hands):
    """A perf event of a kprobe event."""
    name, period = lines.event(dice), dice.choice((0, 1, 1000))
    run, text = hold(hands, lambda: perf_kprobe.open_tracepoint(name, period), dice)
    return Operation(f"perf event {name} period {period}: {text}", run)


def perf_use(dice, hands):
    """Something is done to a perf event that is held."""
    code = dice.choice((PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_RESET,
                        perf_kprobe.PERF_EVENT_IOC_DISABLE))
    number = dice.randrange(MOST)

    def run():
        if hands.files:
            file = hands.files[number % len(hands.files)][0]
            fcntl.ioctl(file, code, 0)
            perf_kprobe.count(file)
    return Operation(f"perf ioctl {code:#x} of {number}", lambda: caught(run), whole=False)


def perf_close(dice, hands):
    """A perf event goes, or all."""
    number = dice.randrange(MOST)
    if dice.random() < 0.2:
        return Operation("perf close all", lambda: caught(hands.clear), whole=False)
    return Operation(f"perf close {number}", lambda: caught(hands.drop, number), whole=False)


def read_file(path):
    """Read a file of tracefs without waiting; its beginning."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        for _ in range(8):
            if not os.read(file, 1 << 14):
                break
    finally:
        os.close(file)


def look(dice, _):
    """A file is read."""
    name = dice.choice((*READ, f"{lines.path(dice)}/{dice.choice(READ_OF_EVENT)}",
                        f"{lines.path(dice)}/{dice.choice(READ_OF_EVENT)}",
                        f"instances/{lines.INSTANCES[0]}/trace", "trace_pipe",
                        f"instances/{lines.INSTANCES[0]}/trace_pipe",
                        "per_cpu/cpu0/trace_pipe_raw", "per_cpu/cpu1/stats",
                        f"{DEBUG}/list", f"{DEBUG}/blacklist", f"{DEBUG}/enabled"))
    return Operation(f"read {name}",
                     lambda: caught(read_file, os.path.join(tracefs.TRACING, name)))


def set_buffer(dice, _):
    """What all buffers have: their size, records, clock, the tracer."""
    name, text = dice.choice((
        ("trace", ""), ("tracing_on", "1"), ("tracing_on", "0"), ("buffer_size_kb", "64"),
        ("buffer_size_kb", "1408"), ("options/stacktrace", "1"), ("options/stacktrace", "0"),
        ("options/overwrite", "0"), ("options/overwrite", "1"), ("snapshot", "1"),
        ("snapshot", "0"), ("trace_clock", "mono"), ("trace_clock", "local"), ("error_log", ""),
        ("set_event_pid", "1"), ("set_event_pid", ""), ("tracing_cpumask", "1"),
        ("tracing_cpumask", "ff"), ("set_ftrace_filter", "vfs_* ksys_* kfree"),
        ("current_tracer", "function"), ("current_tracer", "function_graph"),
        ("current_tracer", "nop"), ("set_ftrace_filter", "vfs_read")))
    return truncated(name, text, whole=False)


def disarm(dice, _):
    """All probes of the kernel are switched off, and soon on."""
    state = dice.choice("0111")
    return Operation(f"kprobes/enabled < {state}",
                     lambda: write_file(f"{DEBUG}/enabled", state), whole=False)


def switch_ftrace(dice, _):
    """The function tracer is switched off, and soon on."""
    state = dice.choice("0111")
    return Operation(f"ftrace_enabled < {state}", lambda: write_file(FTRACE, state))


def module(dice, _):
    """A module comes or goes."""
    command = [dice.choice(("modprobe", "rmmod")), dice.choice(MODULES)]
    return Operation(" ".join(command),
                     lambda: errno.EBUSY if subprocess.run(command, check=False,
                                                           capture_output=True).returncode else 0,
                     whole=False)


def client(dice, _):
    """A kprobe of a module, if that is loaded."""
    if dice.random() < 0.3:
        return Operation("clear kprobes_places", lambda: caught(
            lambda: os.close(os.open(PLACES, os.O_WRONLY | os.O_TRUNC))))
    name = lines.place(dice)
    return Operation(f"kprobes_places << {name!r}", lambda: add_client(name))


def add_client(name):
    """Register a kprobe by kprobes_places."""
    def add():
        file = os.open(PLACES, os.O_WRONLY)
        try:
            os.write(file, name.encode())
        finally:
            os.close(file)
    return caught(add)


def hotplug(dice, _):
    """A CPU goes or comes."""
    state = dice.choice("01")
    return Operation(f"cpu1 < {state}", lambda: write_file(CPU, state))


WEIGHTS = {
    define: 30, define_many: 4, define_other: 4, delete: 10, delete_all: 1, check: 3,
    enable: 16, enable_group: 4, select: 4, filter_event: 6, trigger: 10, untrigger: 2,
    instance: 2, reset_stats: 1, perf_probe: 6, perf_event: 6, perf_use: 4, perf_close: 4,
    look: 10, set_buffer: 3, disarm: 1, switch_ftrace: 1, module: 1, client: 3, hotplug: 0.3,
}


def choose(dice, hands):
    """An operation."""
    kind, = dice.choices(list(WEIGHTS), list(WEIGHTS.values()))
    return kind(dice, hands)
