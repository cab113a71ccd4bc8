# SPDX-License-Identifier: GPL-2.0-or-later
"""All that users see of dynamic events and kprobes, and how to be rid of it."""
import os
import re
import subprocess

import fuzz_ops
import tracefs

FILES = ("kprobe_events", "dynamic_events", "set_event")
# Groups of the kernel itself, before anything is defined
GROUPS = f"{tracefs.TRACING}/events"
OF_EVENT = ("enable", "filter", "trigger")
# Parts of a trigger or an enable file that hits change
CHANGING = re.compile(r":count=\d+|\d\*| \[active\]| \[paused\]|:unlimited")
# A trap becomes a jump some time after its definition
LATER = "[OPTIMIZED]"


def read(path):
    """A file of tracefs, or why it cannot be read."""
    try:
        return tracefs.read(path)
    except OSError as error:
        return os.strerror(error.errno)


def listed(path):
    """The folders in a folder of tracefs, if there is one."""
    try:
        with os.scandir(f"{tracefs.TRACING}/{path}") as entries:
            return sorted(entry.name for entry in entries if entry.is_dir())
    except OSError:
        return []


def points():
    """The lines of all probes."""
    with open(f"{fuzz_ops.DEBUG}/list", encoding="utf-8") as file:
        return file.read().splitlines()


class State:
    """What there is, beside what there was at the beginning."""

    def __init__(self):
        self.groups = set(listed("events"))
        with open("/proc/modules", encoding="ascii") as file:
            self.modules = {line.split()[0] for line in file}

    def roots(self):
        """The folders that have events, each with a slash."""
        return ["", *(f"instances/{name}/" for name in listed("instances"))]

    def events(self):
        """The folders of all events that are not the kernel's."""
        groups = [name for name in listed("events") if name not in self.groups]
        names = [f"{group}/{name}" for group in groups for name in listed(f"events/{group}")]
        return [f"{root}events/{name}" for root in self.roots() for name in names]

    def dump(self):
        """All of it: {what: text}."""
        found = {name: read(name) for name in FILES}
        # Which events are on is told by their own files
        found.pop("set_event")
        found["list"] = "\n".join(sorted(line.replace(LATER, "") for line in points()))
        for path in self.events():
            for name in OF_EVENT:
                found[f"{path}/{name}"] = CHANGING.sub("", read(f"{path}/{name}"))
        found["profile"] = " ".join(sorted(line.split()[0] for line in
                                           read("kprobe_profile").splitlines()))
        return found

    def clear(self):
        """Delete all of it; what cannot be."""
        fuzz_ops.write_file(f"{fuzz_ops.DEBUG}/enabled", "1")
        fuzz_ops.write_file(fuzz_ops.FTRACE, "1")
        fuzz_ops.write_file(fuzz_ops.CPU, "1")
        tracefs.write("current_tracer", "nop")
        for path in self.events():
            fuzz_ops.caught(fuzz_ops.clear_triggers, f"{path}/trigger")
        tracefs.write("set_event", "")
        for name in listed("instances"):
            fuzz_ops.caught(os.rmdir, f"{tracefs.TRACING}/instances/{name}")
        wrong = [f"{name}: {os.strerror(error)}" for name in ("dynamic_events", "kprobe_events")
                 for error in [tracefs.write(name, "")] if error]
        return wrong + self.unload() + self.left()

    def unload(self):
        """Remove the modules; those that stay."""
        with open("/proc/modules", encoding="ascii") as file:
            names = [line.split()[0] for line in file]
        return [f"rmmod {name}" for name in names if name not in self.modules and
                subprocess.run(["rmmod", name], check=False, capture_output=True).returncode]

    def left(self):
        """What is there still, but should not be."""
        return ([f"left in {name}: {read(name)[:300]}" for name in FILES if read(name)] +
                [f"left in list: {line}" for line in points()] +
                [f"left: {path}" for path in self.events()] +
                [f"left: {root}" for root in self.roots() if root])


def differences(before, after):
    """What differs between two dumps, a line each."""
    return [f"{name}: {before.get(name)!r} -> {after.get(name)!r}"
            for name in sorted(before.keys() | after.keys())
            if before.get(name) != after.get(name)]
