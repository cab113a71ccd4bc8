# SPDX-License-Identifier: GPL-2.0-or-later
"""What is done to probes at the same time, a process each.

Much of it is refused, as the others are at it too; a racer says whether it was done.
"""
import collections
import os
import random
import time

import perf_kprobe
import tracefs
import workload

EVENTS = 20
# Entries, and offsets that are boundaries in some kernels and refused in others
OFFSETS = (0, 8, 9, 10, 11, 12, 13, 16, 20)
PLACES = [(name, offset) for name in (
    "vfs_read", "vfs_write", "do_sys_openat2", "kernel_clone", "do_exit", "path_openat",
    "kmem_cache_alloc_noprof", "schedule", "try_to_wake_up", "mutex_lock", "handle_mm_fault",
    "trace_printk:trace_printk_irq_work", "load_module") for offset in OFFSETS]


def place(dice):
    """Somewhere, as a line of kprobe_events has it."""
    name, offset = dice.choice(PLACES)
    return f"{name}+{offset}" if offset else name


def define(dice):
    """A new event, or a sibling of an old one."""
    letter = dice.choice("ppr")
    return not tracefs.append("kprobe_events", f"{letter}:race/e{dice.randrange(EVENTS)} "
                                           f"{place(dice)} c=$comm\n")


def delete(dice):
    """One event."""
    return not tracefs.append("kprobe_events", f"-:race/e{dice.randrange(EVENTS)}\n")


def clear(dice):
    """All events, but not too often."""
    time.sleep(dice.random())
    return not tracefs.write("kprobe_events", "")


def enable(_):
    """All at once."""
    return not tracefs.write("events/race/enable", "1")


def disable(_):
    """All at once."""
    return not tracefs.write("events/race/enable", "0")


def one(dice):
    """One event on or off."""
    return not tracefs.write(f"events/race/e{dice.randrange(EVENTS)}/enable",
                             dice.choice("01"))


def look(_):
    """What there is; the trace grows as fast as it is read."""
    for path in ("kprobe_events", "kprobe_profile", "trace", "error_log"):
        tracefs.read(path, 1 << 16)
    with open("/sys/kernel/debug/kprobes/list", encoding="utf-8") as file:
        return file.read() is not None


def instance(dice):
    """The events of an instance."""
    path = f"{tracefs.TRACING}/instances/race"
    try:
        os.mkdir(path)
        tracefs.write("instances/race/events/race/enable", "1")
        time.sleep(dice.random() / 10)
        os.rmdir(path)
    except OSError:
        return False
    return True


def perf(dice):
    """A probe of perf's own."""
    name, offset = dice.choice(PLACES)
    file = perf_kprobe.open_probe(name, offset, returns=dice.random() < 0.3)
    if file < 0:
        return False
    time.sleep(dice.random() / 100)
    perf_kprobe.count(file)
    os.close(file)
    return True


RACERS = (define, delete, clear, enable, disable, one, look, instance, perf)


def work(_):
    """What has to work all the time; what does not."""
    return workload.run(workload.SHARED)


def modules(_):
    """Modules, probed or not; what has failed."""
    return workload.run((workload.try_modules, workload.try_crypto))


def race(racer, seed, until):
    """One racer, until the time is over: 1 if something has failed."""
    dice = random.Random(f"{racer.__name__} {seed}")
    count, failed = collections.Counter(), []
    while time.monotonic() < until:
        count["rounds"] += 1
        if racer in RACERS:
            count["done"] += racer(dice)
        else:
            failed += racer(dice)
    print(f"# {racer.__name__}: {count['rounds']} rounds, {count['done']} done", flush=True)
    if racer in RACERS and not count["done"]:
        failed.append("was refused each time")
    for line in failed[:5]:
        print(f"# FAILED {racer.__name__}: {line}", flush=True)
    return int(bool(failed))


def run(seed, seconds):
    """All racers at once; the names of those that have failed.

    Recording commands is off: it changes a jump label of the scheduler with every
    event that comes or goes.  TCG's CPUs, truly at once, then execute an int3 that is
    no longer there: seldom, but stock dies of one.
    """
    tracefs.write("options/record-cmd", "0")
    until = time.monotonic() + seconds
    children = {}
    for racer in RACERS + (work, modules):
        child = os.fork()
        if not child:
            os._exit(race(racer, seed, until))
        children[child] = racer.__name__
    return [name for child, name in children.items() if os.waitpid(child, 0)[1]]
