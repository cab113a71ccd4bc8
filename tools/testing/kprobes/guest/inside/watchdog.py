# SPDX-License-Identifier: GPL-2.0-or-later
"""Ends the guest when work in it does not end in time, and tells what each process waits for.

The work may wait in the kernel, where no signal ends it, and may hold locks that an orderly
power-off takes. So another process watches it, and the guest is reset.
"""
import os
import re
import signal
import sys
import time

SYSRQ = "/proc/sysrq-trigger"
STATUS = "/lab/run/status"
FUNCTION = re.compile(r"([\w.]+)\+0x")


def read(path):
    """A file of /proc; nothing, if its process has ended."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def waits(pid):
    """What a process does, in a line; None, if it is an idle thread of the kernel."""
    # The name may have spaces; after it are the state and the parent
    name, _, rest = read(f"/proc/{pid}/stat").rpartition(")")
    state, parent = (rest.split() + ["", ""])[:2]
    if not state or ("2" in (pid, parent) and state not in "DR"):
        return None
    stack = " < ".join(FUNCTION.findall(read(f"/proc/{pid}/stack")))
    return f"{pid} {name.partition('(')[2]}, {state}: {stack or 'not in the kernel, or on a CPU'}"


def processes():
    """What all processes do, but for this one."""
    found = (waits(name) for name in os.listdir("/proc")
             if name.isdecimal() and int(name) != os.getpid())
    return [line for line in found if line]


def kernel_tells(commands):
    """What the kernel logs when it is given SysRq @commands."""
    lines = []
    log = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    os.lseek(log, 0, os.SEEK_END)
    for command in commands:
        with open(SYSRQ, "w", encoding="ascii") as file:
            file.write(command)
    try:
        while True:
            lines.append(os.read(log, 8192).decode(errors="replace").partition(";")[2])
    except OSError:
        os.close(log)
    return [line.partition("\n")[0] for line in lines]


def end_guest():
    """Reset the machine at once; its status is a failure."""
    with open(STATUS, "w", encoding="ascii") as file:
        file.write("1\n")
    sys.stdout.flush()
    with open(SYSRQ, "w", encoding="ascii") as file:
        file.write("b")


def tell(name, seconds):
    """Print a result that has failed, and why: blocked tasks, active CPUs, all processes."""
    print(f"not ok {name} # has not ended after {seconds:.0f} s", flush=True)
    for line in kernel_tells("wl") + processes():
        print(f"# {line}", flush=True)


class Watchdog:
    """Watches what is done in its `with` statement, which @name says, for some seconds."""

    def __init__(self, name, seconds):
        self.name = name
        self.seconds = seconds
        self.child = None

    def watch(self, parent):
        """Wait until the time is over, then end the guest; or until the parent has ended."""
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            if os.getppid() != parent:
                return
            time.sleep(0.5)
        try:
            tell(self.name, self.seconds)
        finally:
            end_guest()

    def __enter__(self):
        parent = os.getpid()
        self.child = os.fork()
        if not self.child:
            try:
                self.watch(parent)
            finally:
                os._exit(1)

    def __exit__(self, *_):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
