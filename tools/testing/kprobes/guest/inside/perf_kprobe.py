# SPDX-License-Identifier: GPL-2.0-or-later
"""kprobes of perf's own, what else it counts, and programs on both."""
import ctypes
import fcntl
import os
import struct

import bpf

PMU = "/sys/bus/event_source/devices/kprobe/type"
PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}[os.uname().machine]
LIBC = ctypes.CDLL(None, use_errno=True)
PERF_TYPE_TRACEPOINT = 2
PERF_EVENT_IOC_DISABLE = 0x2401
PERF_EVENT_IOC_SET_FILTER = 0x40082406
PERF_EVENT_IOC_SET_BPF = 0x40042408


def number_in(path):
    """The number a file holds."""
    with open(path, encoding="utf-8") as file:
        return int(file.read())


def open_event(kind, config, config1=0, config2=0, flags=0, period=0, bp_type=0,
               task=-1, cpu=0):
    """A file that counts an event on CPU 0, with a sample every @period; or minus the errno."""
    attr = bytearray(128)
    struct.pack_into("<IIQQ", attr, 0, kind, len(attr), config, period)
    struct.pack_into("<Q", attr, 40, flags)
    struct.pack_into("<I", attr, 52, bp_type)
    struct.pack_into("<QQ", attr, 56, config1, config2)
    buffer = (ctypes.c_char * len(attr)).from_buffer(attr)
    file = LIBC.syscall(PERF_EVENT_OPEN, buffer, task, cpu, -1, 0)
    return file if file >= 0 else -ctypes.get_errno()


def open_probe(symbol, offset, returns=False):
    """One that counts hits at @symbol+@offset, by a probe of its own."""
    name = ctypes.create_string_buffer(symbol.encode())
    return open_event(number_in(PMU), int(returns), ctypes.addressof(name), offset)


def open_address(address, returns=False):
    """One that counts hits at an address."""
    return open_event(number_in(PMU), int(returns), 0, address)


def open_tracepoint(event, period=0):
    """One that counts records of a trace event: GROUP/NAME."""
    path = f"/sys/kernel/tracing/events/{event}/id"
    return open_event(PERF_TYPE_TRACEPOINT, number_in(path), period=period)


def disable(file):
    """Let the file count no more."""
    fcntl.ioctl(file, PERF_EVENT_IOC_DISABLE, 0)


def set_filter(file, text):
    """Let the file count only records that match."""
    fcntl.ioctl(file, PERF_EVENT_IOC_SET_FILTER, text.encode() + b"\0")


def count(file):
    """What the file has counted."""
    return struct.unpack("<Q", os.read(file, 8))[0]


def attach(file, program):
    """Run a program, which is a file, at each hit that @file counts."""
    fcntl.ioctl(file, PERF_EVENT_IOC_SET_BPF, program)


def attach_override(file):
    """Make the functions whose entries @file counts return -1 at once."""
    program = bpf.load(bpf.OVERRIDE)
    attach(file, program)
    os.close(program)
