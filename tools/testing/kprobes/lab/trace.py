# SPDX-License-Identifier: GPL-2.0-or-later
"""The instructions that a guest executes while it calls getppid(), as QEMU writes them down.

QEMU's monitor makes it execute one instruction at a time and log the address of each. With
states, it logs the registers before each instruction as well, and the text of each
instruction when it comes to it first.
"""
import bisect
import collections
import os
import re
import socket
import subprocess
import sys
import time

from lab import guest, paths
from lab.vmlinux import output

# The function, offsets of instructions inside of it: of one shorter than a jump, of one that is
# not; where the kernel's addresses begin; kernel parameters: x86 takes LOCK prefixes away on
# one CPU
Machine = collections.namedtuple("Machine", "function body long kernel append")
MACHINES = {
    "x86_64": Machine("__x64_sys_getppid", 9, 15, 0xffff800000000000, "nokaslr noreplace-smp"),
    "arm64": Machine("__arm64_sys_getppid", 16, 16, 0xffff000000000000, "nokaslr"),
}
# An instruction in QEMU's log: address of the host's code, then the guest's state
EXECUTED = re.compile(r"Trace \d+: 0x[0-9a-f]+ \[[0-9a-f]+/([0-9a-f]+)/")
# Its text, and a register of the guest's state
TEXT = re.compile(r"0x([0-9a-f]+): +((?:[0-9a-f]{2} )+ *|[0-9a-f]{8} +)([a-z.].*)")
REGISTER = re.compile(r"\b([A-Z][A-Z0-9]+) ?=([0-9a-f]{16})\b|"
                      r"^([FG]S) =[0-9a-f]{4} ([0-9a-f]{16})", re.M)
# Bytes of log, some dozens of calls: addresses alone, and with states
ENOUGH = 12 << 20
ENOUGH_STATES = 20 << 20
NOWHERE = "trampoline"

# An executed instruction: its address, its bytes as QEMU shows them, on arm64 as one number;
# its text, {register: value} before it
Step = collections.namedtuple("Step", "address code text registers")


class Monitor:
    """QEMU's monitor, and what it is asked."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)

    def ask(self, *commands):
        """Send commands, one a line."""
        for command in commands:
            self.socket.sendall(command.encode() + b"\n")
            time.sleep(0.2)


class Symbols:
    """The functions of a kernel, by address."""

    def __init__(self, vmlinux):
        rows = [line.split() for line in output("nm", "-n", vmlinux).splitlines()]
        rows = [(int(row[0], 16), row[2]) for row in rows if len(row) == 3 and row[1] in "tTwW"]
        self.starts = [row[0] for row in rows]
        self.names = [row[1] for row in rows]
        self.end = next(int(line.split()[0], 16) for line in
                        output("nm", vmlinux).splitlines() if line.endswith(" _etext"))

    def name(self, address):
        """The function at an address; what ftrace makes at run time is in none."""
        if not self.starts[0] <= address < self.end:
            return NOWHERE
        return self.names[bisect.bisect_right(self.starts, address) - 1]

    def address(self, name):
        """The address of a function."""
        return self.starts[self.names.index(name)]


def symbols(arch, kernel):
    """Those of a kernel of the lab."""
    image = guest.image(ARCH=arch, KERNEL=kernel)
    return Symbols(os.path.join(os.path.dirname(image), "vmlinux"))


def wait_until_spinning(run, what):
    """Read the output of a guest until it says so."""
    for line in run.stdout:
        if line == "spinning\n":
            time.sleep(2)
            return
    sys.exit(f"{what}: the guest does not begin")


def wait_until_written(run, trace, enough):
    """Wait until a log has @enough bytes."""
    while os.path.getsize(trace) < enough:
        if run.poll() is not None:
            sys.exit(f"{trace}: the guest ended too early")
        time.sleep(0.2)


def record(arch, kernel, log, arguments="", states=False):
    """Boot, let the guest spin, and log its instructions; the path of QEMU's log.

    The @arguments are those of guest/inside/profile.
    """
    guest.add_calls(arch, log)
    trace, monitor = os.path.join(log, "trace"), os.path.join(log, "monitor")
    for stale in (trace, monitor):
        if os.path.exists(stale):
            os.remove(stale)
    # By the host's clock, timer interrupts would come faster than the log is written
    env = dict(os.environ, ARCH=arch, KERNEL=kernel, LOG=log, SMP="1", TIMEOUT="300",
               APPEND=MACHINES[arch].append, MONITOR=monitor, ICOUNT="1")
    command = [os.path.join(paths.LAB, "guest/boot"), f"/lab/tools/profile {arguments}".strip()]
    with (open(os.path.join(log, "boot"), "w", encoding="utf-8") as errors,
          subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=errors,
                           text=True) as run):
        wait_until_spinning(run, f"{arch} {kernel} {arguments}")
        qemu = Monitor(monitor)
        qemu.ask("stop", f"logfile {trace}",
                 f"log exec,nochain{',in_asm,cpu' if states else ''}", "singlestep on", "cont")
        wait_until_written(run, trace, ENOUGH_STATES if states else ENOUGH)
        qemu.ask("stop", "log none", "quit")
    return trace


def addresses(trace):
    """The address of each instruction of a log."""
    with open(trace, encoding="ascii", errors="replace") as file:
        return [int(match[1], 16) for match in map(EXECUTED.match, file) if match]


def read_registers(state):
    """{name: value} of a state as QEMU shows it; GS and FS are their bases."""
    return {match[1] or match[3]: int(match[2] or match[4], 16)
            for match in REGISTER.finditer(state)}


def parsed(call, texts):
    """A call whose states are read, as a list of Step."""
    return [Step(address, *texts.get(address, ("", "")), read_registers("".join(state)))
            for address, state in call]


def read_states(trace):
    """A log with states: [(address, state)], and {address: (code, text)}."""
    executed, texts = [], {}
    with open(trace, encoding="ascii", errors="replace") as file:
        for line in file:
            if match := EXECUTED.match(line):
                executed.append((int(match[1], 16), []))
            elif match := TEXT.match(line):
                texts[int(match[1], 16)] = match[2].replace(" ", ""), match[3].strip()
            elif executed:
                executed[-1][1].append(line)
    return executed, texts


def calls(executed, start, machine, key=lambda item: item):
    """What was @executed, cut where the system call begins; the kernel's part of each call.

    The @key of an item is its address.
    """
    found, seen = [], None
    for item in executed:
        if key(item) == start:
            if seen:
                found.append(seen)
            seen = []
        if seen is not None and key(item) >= machine.kernel:
            seen.append(item)
    return found


def typical(found):
    """The shortest call: no interrupt is in it, and its record did not begin a page."""
    if not found:
        sys.exit("the log holds no whole call")
    return min(found, key=len)
