# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel's text as it is now, read from /proc/kcore."""
import bisect
import hashlib
import struct

KCORE = "/proc/kcore"
# Places that the kernel changes by itself, found by the host: offset and length
LABELS = "/lab/run/labels"
# Calls by which ftrace reaches its users, and their most bytes. Which function they call
# depends on how many ftrace_ops are registered: those of kprobes stay so after the first probe
DISPATCH = "ftrace_call", "ftrace_regs_call"
CALL = 5
# Text is compared in pieces of this length first: byte by byte it takes a guest long
BLOCK = 4096


def symbols():
    """The functions of the kernel itself: sorted (address, name)."""
    found = []
    with open("/proc/kallsyms", encoding="utf-8") as file:
        for line in file:
            address, kind, name = line.split()[:3]
            # The end is data on arm64
            if (kind in "tT" or name == "_etext") and "[" not in line:
                found.append((int(address, 16), name))
    return sorted(found)


def segments(file):
    """The (address, length, offset) of all that is in the core @file."""
    header = file.read(64)
    offset, = struct.unpack_from("<Q", header, 32)
    size, count = struct.unpack_from("<HH", header, 54)
    for i in range(count):
        file.seek(offset + i * size)
        _, _, at, address, _, length, _, _ = struct.unpack("<IIQQQQQQ", file.read(56))
        yield address, length, at


def labels():
    """The offsets of all bytes that the kernel may change by itself."""
    with open(LABELS, encoding="ascii") as file:
        sites = [tuple(map(int, line.split())) for line in file]
    return {at + i for at, length in sites for i in range(length)}


class Text:
    """A copy of the text, to compare with what it is later."""

    def __init__(self):
        self.symbols = symbols()
        names = {name: address for address, name in self.symbols}
        self.start, self.end = names["_stext"], names["_etext"]
        self.labels = labels() | {names[name] - self.start + i for name in DISPATCH
                                  if name in names for i in range(CALL)}
        self.data = self.read()

    def read(self):
        """The bytes it has now."""
        with open(KCORE, "rb") as file:
            for address, length, at in segments(file):
                if address <= self.start and self.end <= address + length:
                    file.seek(at + self.start - address)
                    return file.read(self.end - self.start)
        raise OSError("the text is not in " + KCORE)

    def hash(self):
        """A name for it."""
        return hashlib.sha256(self.data).hexdigest()[:16]

    def place(self, offset):
        """Byte @offset of it as SYMBOL+OFFSET."""
        address = self.start + offset
        index = bisect.bisect_right(self.symbols, (address, "\x7f")) - 1
        base, name = self.symbols[index]
        return f"{name}+{address - base:#x}"

    def differing(self, now):
        """The offsets of all bytes that differ from those of @now."""
        for start in range(0, len(now), BLOCK):
            old, new = self.data[start:start + BLOCK], now[start:start + BLOCK]
            if old != new:
                yield from (start + i for i, (a, b) in enumerate(zip(old, new)) if a != b)

    def changes(self):
        """Where it is not any more what it was, a line a byte."""
        now = self.read()
        return [f"{self.place(i)}: {self.data[i]:02x} {now[i]:02x}"
                for i in self.differing(now) if i not in self.labels]
