# SPDX-License-Identifier: GPL-2.0-or-later
"""Probes that are not events: the file of the module kprobes_places."""
import os
import subprocess

FILE = "/sys/kernel/debug/kprobes_places"


def begin():
    """Load the module."""
    subprocess.run(["modprobe", "kprobes_places"], check=True)


def add(place):
    """A probe at SYMBOL+OFFSET or an address, disabled; the errno, or 0."""
    file = os.open(FILE, os.O_WRONLY)
    try:
        os.write(file, place.encode())
    except OSError as error:
        return error.errno
    finally:
        os.close(file)
    return 0


def clear():
    """Remove all probes."""
    os.close(os.open(FILE, os.O_WRONLY | os.O_TRUNC))


def profile():
    """(hits, misses) of each place."""
    with open(FILE, encoding="ascii") as file:
        rows = [line.split() for line in file]
    return [(int(hits), int(missed)) for _, hits, missed in rows]
