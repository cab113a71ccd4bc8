# SPDX-License-Identifier: GPL-2.0-or-later
"""kprobes of perf's own, what else it counts, and programs on both: system calls."""
import ctypes
import fcntl
import os
import struct

PMU = "/sys/bus/event_source/devices/kprobe/type"
PERF_EVENT_OPEN, BPF = {"x86_64": (298, 321), "aarch64": (241, 280)}[os.uname().machine]
LIBC = ctypes.CDLL(None, use_errno=True)
PERF_TYPE_TRACEPOINT = 2
PERF_EVENT_IOC_DISABLE = 0x2401
PERF_EVENT_IOC_SET_FILTER = 0x40082406
PERF_EVENT_IOC_SET_BPF = 0x40042408
BPF_PROG_LOAD = 5
BPF_PROG_TYPE_KPROBE = 2

# r2 = -1; bpf_override_return(r1, r2); return 0: (code, registers, offset, immediate)
OVERRIDE = ((0xb7, 2, 0, -1), (0x85, 0, 0, 58), (0xb7, 0, 0, 0), (0x95, 0, 0, 0))

# return 1: the record is wanted
WANT = ((0xb7, 0, 0, 1), (0x95, 0, 0, 0))


def number_in(path):
    """The number a file holds."""
    with open(path, encoding="utf-8") as file:
        return int(file.read())


def open_event(kind, config, config1=0, config2=0, flags=0, period=0):
    """A file that counts an event on CPU 0, with a sample every @period; or minus the errno."""
    attr = bytearray(128)
    struct.pack_into("<IIQQ", attr, 0, kind, len(attr), config, period)
    struct.pack_into("<Q", attr, 40, flags)
    struct.pack_into("<QQ", attr, 56, config1, config2)
    buffer = (ctypes.c_char * len(attr)).from_buffer(attr)
    file = LIBC.syscall(PERF_EVENT_OPEN, buffer, -1, 0, -1, 0)
    return file if file >= 0 else -ctypes.get_errno()


def open_probe(symbol, offset, returns=False):
    """One that counts hits at @symbol+@offset, by a probe of its own."""
    name = ctypes.create_string_buffer(symbol.encode())
    return open_event(number_in(PMU), int(returns), ctypes.addressof(name), offset)


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


def load(program):
    """A file that holds a program, which is instructions as in OVERRIDE."""
    code = ctypes.create_string_buffer(
        b"".join(struct.pack("<BBhi", *insn) for insn in program))
    license_text = ctypes.create_string_buffer(b"GPL")
    attr = ctypes.create_string_buffer(
        struct.pack("<IIQQ", BPF_PROG_TYPE_KPROBE, len(program),
                    ctypes.addressof(code), ctypes.addressof(license_text)), 128)
    file = LIBC.syscall(BPF, BPF_PROG_LOAD, attr, len(attr))
    if file < 0:
        raise OSError(ctypes.get_errno(), "BPF_PROG_LOAD")
    return file


def attach(file, program):
    """Run a program, which is a file, at each hit that @file counts."""
    fcntl.ioctl(file, PERF_EVENT_IOC_SET_BPF, program)


def attach_override(file):
    """Make the functions whose entries @file counts return -1 at once."""
    program = load(OVERRIDE)
    attach(file, program)
    os.close(program)
