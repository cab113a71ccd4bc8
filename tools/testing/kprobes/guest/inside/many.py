# SPDX-License-Identifier: GPL-2.0-or-later
"""Thousands of kprobe events: functions to put them on, and lines that define them."""
import collections
import os
import time

from tracefs import BEHIND, TRACING, read

# Lines to define one probe, the first that is taken
KINDS = {
    "entry": ["p:many/e{0} {1}"],
    "inside": [f"p:many/e{{0}} {{1}}+{offset}" for offset in BEHIND],
    "return": ["r:many/e{0} {1}"],
}


def write(path, text, how=os.O_TRUNC):
    """Write @text to a file of tracefs; milliseconds from open to close."""
    start = time.monotonic()
    file = os.open(f"{TRACING}/{path}", os.O_WRONLY | how)
    try:
        done = 0
        while done < len(text):
            done += os.write(file, text[done:].encode())
    finally:
        os.close(file)
    return (time.monotonic() - start) * 1000


def functions():
    """Names that are one function each, in an order that is all over the kernel."""
    lines = [line.split() for line in read("available_filter_functions").splitlines()]
    times = collections.Counter(line[0] for line in lines)
    names = [line[0] for line in lines
             if len(line) == 1 and "." not in line[0] and times[line[0]] == 1]
    return [name for first in (0, 3, 5, 1, 4, 2, 6) for name in names[first::7]]


def define(kind, names, number):
    """Define events; functions and lines of the first @number that can be probed."""
    good, lines = [], []
    for name in names:
        for form in KINDS[kind]:
            line = form.format(len(lines), name) + "\n"
            try:
                write("kprobe_events", line, os.O_APPEND)
            except OSError:
                continue
            good.append(name)
            lines.append(line)
            break
        if len(lines) == number:
            break
    return good, lines
