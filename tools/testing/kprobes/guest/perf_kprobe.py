# SPDX-License-Identifier: GPL-2.0
"""kprobes of perf's own, by its system call."""
import ctypes
import os
import struct

PMU = "/sys/bus/event_source/devices/kprobe/type"
PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}[os.uname().machine]
LIBC = ctypes.CDLL(None, use_errno=True)


def open_probe(symbol, offset, returns=False):
    """A file that counts hits at @symbol+@offset; or minus the errno."""
    with open(PMU, encoding="utf-8") as file:
        pmu = int(file.read())
    name = ctypes.create_string_buffer(symbol.encode())
    attr = bytearray(128)
    struct.pack_into("<IIQ", attr, 0, pmu, len(attr), int(returns))
    struct.pack_into("<QQ", attr, 56, ctypes.addressof(name), offset)
    buffer = (ctypes.c_char * len(attr)).from_buffer(attr)
    file = LIBC.syscall(PERF_EVENT_OPEN, buffer, -1, 0, -1, 0)
    return file if file >= 0 else -ctypes.get_errno()


def count(file):
    """What the file has counted."""
    return struct.unpack("<Q", os.read(file, 8))[0]
