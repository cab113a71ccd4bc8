# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of clients share: results, programs, events, known work."""
import collections
import os
import re
import signal
import subprocess
import time

import tracefs

LIST = "/sys/kernel/debug/kprobes/list"
FILES = ("/etc/hosts", "/etc/passwd")
NO_FILE = "/etc/no-such-file"
MACHINE = {"x86_64": "x64", "aarch64": "arm64"}[os.uname().machine]
GETPPID = f"__{MACHINE}_sys_getppid"
GETPGID = f"__{MACHINE}_sys_getpgid"
CALLS = 77
# A program that calls getppid() so often, and opens files
CALLER = ["python3", "-c", f"import os; [os.getppid() for _ in range({CALLS})]"]
OPENER = ["cat", *FILES, NO_FILE]


def result(name, good, seen=""):
    """A result line; what was seen follows if it is not what was wanted."""
    print(f"{'ok' if good else 'not ok'} {name}", flush=True)
    if not good:
        print("\n".join(f"  {line}" for line in str(seen).splitlines()[-15:]), flush=True)


def run(*command, seconds=100, **options):
    """What @command prints, errors too, or what it had printed after @seconds."""
    try:
        return subprocess.run(command, text=True, stdout=subprocess.PIPE, errors="replace",
                              stderr=subprocess.STDOUT, timeout=seconds, check=False,
                              **options).stdout
    except subprocess.TimeoutExpired as late:
        return f"{(late.stdout or b'').decode(errors='replace')}\nstopped after {seconds} s"


def status(*command):
    """The exit status of @command, which is to say nothing."""
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode


class Started:
    """A program that runs beside us, as a job of a shell does; its output is a file."""

    def __init__(self, *command):
        self.path = f"/tmp/started.{time.monotonic_ns()}"
        with open(self.path, "wb") as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT,
                                            start_new_session=True)

    def output(self):
        """What it has printed so far."""
        with open(self.path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_for(self, condition, seconds=100):
        """Wait until @condition, called with the output, is true, or the program ends."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if condition(self.output()):
                return True
            time.sleep(0.2)
        return condition(self.output())

    def interrupt(self, seconds=100):
        """Interrupt it as Ctrl-c does; all that it has printed."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
        return self.end(seconds)

    def end(self, seconds=100):
        """Let it end by itself; all that it has printed."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            return f"{self.output()}\nstopped after {seconds} s"
        return self.output()


def define(*lines):
    """Define events; true if all are taken."""
    return not any(tracefs.append("kprobe_events", f"{line}\n") for line in lines)


def clear():
    """Delete all events; true if none is in use."""
    return tracefs.write("kprobe_events", "\n") == 0 and not tracefs.read("kprobe_events")


def probes():
    """The lines of all probes there are, as debugfs lists them."""
    with open(LIST, encoding="ascii") as file:
        return file.read().splitlines()


def symbols(pattern):
    """Functions whose names fit, by /proc/kallsyms: {name: address}; no name of several."""
    found = re.compile(rf"^([0-9a-f]+) [tT] ({pattern})$")
    with open("/proc/kallsyms", encoding="ascii") as file:
        rows = [found.match(line.strip()) for line in file]
    found = [(row[2], int(row[1], 16)) for row in rows if row]
    times = collections.Counter(name for name, _ in found)
    return {name: address for name, address in found if times[name] == 1}


def opened(text):
    """The names of the files of FILES and NO_FILE in @text, in their order."""
    return [name for name in re.findall(r'"(/[^"]*)"', text) if name in OPENER]
