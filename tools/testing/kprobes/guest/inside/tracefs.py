# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of tracefs, as a shell writes them."""
import os
import re

TRACING = "/sys/kernel/tracing"

# Possible offsets of the first instruction after the ftrace site, with and without
# a landing pad before the site
BEHIND = (8, 12, 16) if os.uname().machine == "aarch64" else (9, 5)


def write(path, text, how=os.O_TRUNC):
    """Write @text to a file of tracefs; the errno, or 0."""
    try:
        file = os.open(f"{TRACING}/{path}", os.O_WRONLY | how)
    except OSError as error:
        return error.errno
    try:
        os.write(file, text.encode())
    except OSError as error:
        return error.errno
    finally:
        os.close(file)
    return 0


def append(path, text):
    """Write @text after what there is; the errno, or 0."""
    return write(path, text, os.O_APPEND)


def read(path, limit=-1):
    """What a file of tracefs says, up to a number of characters."""
    with open(f"{TRACING}/{path}", encoding="utf-8", errors="replace") as file:
        return file.read(limit)


def refused(line, word, why):
    """Does the last entry of error_log say @why, of @word in @line?"""
    entry = read("error_log").splitlines()[-3:]
    return (entry[0].endswith(f"trace_kprobe: error: {why}") and
            entry[1] == f"  Command: {line}" and
            entry[2].index("^") == entry[1].index(word, len("  Command: ")))


def foreseen(place):
    """How a check says that the place will be probed."""
    file = os.open(f"{TRACING}/kprobe_events", os.O_RDWR)
    try:
        os.write(file, f"?p {place}\n".encode())
        return re.search(r"^  method: (.*)$", os.read(file, 4096).decode(), re.M)[1]
    except OSError as error:
        return os.strerror(error.errno)
    finally:
        os.close(file)


def records():
    """How many records were written to the buffer since it was emptied."""
    total = 0
    for name in os.listdir(f"{TRACING}/per_cpu"):
        for line in read(f"per_cpu/{name}/stats").splitlines():
            what, _, number = line.partition(": ")
            if what in ("entries", "overrun", "read events"):
                total += int(number)
    return total


def profile():
    """(hits, misses) of each event by its name."""
    rows = [line.split() for line in read("kprobe_profile").splitlines()]
    return {name: (int(hits), int(missed)) for name, hits, missed in rows}
