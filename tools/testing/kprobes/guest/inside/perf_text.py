# SPDX-License-Identifier: GPL-2.0-or-later
"""What perf is told of kernel text that comes and changes: the ring buffer of a file."""
import mmap
import os
import struct

import perf_kprobe

# The name of memory that probes add, in kallsyms and for perf
SLOTS = "kprobe_insn_page"

PERF_TYPE_SOFTWARE = 1
PERF_COUNT_SW_DUMMY = 9
# Bits of perf_event_attr
KSYMBOL, TEXT_POKE = 1 << 29, 1 << 33
PERF_RECORD_KSYMBOL = 17
PERF_RECORD_TEXT_POKE = 20

# A page that tells of the buffer, data_head at this offset, then the buffer itself
DATA_HEAD = 1024
DATA_PAGES = 256


def records(pages, seen):
    """(kind, body, end) of each record in a buffer after the first @seen bytes."""
    head, = struct.unpack_from("Q", pages, DATA_HEAD)
    while seen < head:
        at = mmap.PAGESIZE + seen
        kind, _, size = struct.unpack_from("=IHH", pages, at)
        seen += size
        yield kind, pages[at + 8:at + size], seen


class Ring:
    """What CPU 0 has done since.  Nothing is taken out, so the buffer never begins anew."""

    def __init__(self):
        self.file = perf_kprobe.open_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY,
                                           flags=KSYMBOL | TEXT_POKE)
        self.pages = mmap.mmap(self.file, (1 + DATA_PAGES) * mmap.PAGESIZE)
        self.seen = 0
        self.slots = []  # memory for slots: (address, bytes)
        self.pokes = []  # (address, old text, new text)

    def read(self):
        """Add what is new to the lists."""
        for kind, body, self.seen in records(self.pages, self.seen):
            self.add(kind, body)

    def add(self, kind, body):
        """Add one record, if it is of those that are looked for."""
        if kind == PERF_RECORD_KSYMBOL:
            address, length = struct.unpack_from("=QI", body)
            if body[16:].rstrip(b"\0") == SLOTS.encode():
                self.slots.append((address, length))
        elif kind == PERF_RECORD_TEXT_POKE:
            address, old, new = struct.unpack_from("=QHH", body)
            self.pokes.append((address, body[12:12 + old], body[12 + old:12 + old + new]))

    def close(self):
        """Hear of nothing any more."""
        self.pages.close()
        os.close(self.file)


def addresses(name):
    """All that kallsyms has of a name."""
    with open("/proc/kallsyms", encoding="utf-8") as file:
        rows = [line.split() for line in file]
    return [int(row[0], 16) for row in rows if row[2] == name]


def within(address, slots):
    """Is it in one of the (address, bytes)?"""
    return any(start <= address < start + length for start, length in slots)
