# SPDX-License-Identifier: GPL-2.0-or-later
"""System calls of BPF: programs, maps, links to perf events, and what they tell."""
import collections
import ctypes
import os
import struct

BPF = {"x86_64": 321, "aarch64": 280}[os.uname().machine]
LIBC = ctypes.CDLL(None, use_errno=True)
MAP_CREATE, MAP_LOOKUP_ELEM, PROG_LOAD, GET_INFO, TASK_FD_QUERY, LINK_CREATE = \
    0, 1, 5, 15, 20, 28
PROG_TYPE_KPROBE = 2
MAP_TYPE_ARRAY = 2
ATTACH_PERF_EVENT = 41

# Helpers that a program calls with its context alone
GET_FUNC_IP, GET_ATTACH_COOKIE = 173, 174

# Instructions: (code, registers, offset, immediate)
# r2 = -1; bpf_override_return(r1, r2); return 0
OVERRIDE = ((0xb7, 2, 0, -1), (0x85, 0, 0, 58), (0xb7, 0, 0, 0), (0x95, 0, 0, 0))
# return 1: the record is wanted
WANT = ((0xb7, 0, 0, 1), (0x95, 0, 0, 0))
OVERRIDE_AND_WANT = OVERRIDE[:2] + WANT
# bpf_probe_read_user_str(r10 - 8, 8, an address of the user); return 0
USER_STRING = ((0xbf, 0xa1, 0, 0), (0x07, 1, 0, -8), (0xb7, 2, 0, 8), (0xb7, 3, 0, 0x400000),
               (0x85, 0, 0, 114), (0xb7, 0, 0, 0), (0x95, 0, 0, 0))
# 3000 times bpf_ktime_get_ns(); return 0
SLOW = ((0x85, 0, 0, 5),) * 3000 + ((0xb7, 0, 0, 0), (0x95, 0, 0, 0))

# The probe of a link, and the probe of a task's file, as the kernel tells them
LinkInfo = collections.namedtuple("LinkInfo", "type name offset addr missed cookie")
TaskInfo = collections.namedtuple("TaskInfo", "type name offset addr")


def call(command, attr):
    """The system call: its result, or minus the errno."""
    ret = LIBC.syscall(BPF, command, attr, len(attr))
    return ret if ret >= 0 else -ctypes.get_errno()


def load(program):
    """A file that holds a program of kprobes."""
    code = ctypes.create_string_buffer(
        b"".join(struct.pack("<BBhi", *insn) for insn in program))
    license_text = ctypes.create_string_buffer(b"GPL")
    attr = ctypes.create_string_buffer(
        struct.pack("<IIQQ", PROG_TYPE_KPROBE, len(program),
                    ctypes.addressof(code), ctypes.addressof(license_text)), 128)
    file = call(PROG_LOAD, attr)
    if file < 0:
        raise OSError(-file, "BPF_PROG_LOAD")
    return file


def keep(helper, store):
    """A program that keeps in map @store what a helper gives."""
    return ((0x85, 0, 0, helper),
            (0x7b, 0x0a, -8, 0),                # *(u64 *)(r10 - 8) = r0
            (0x62, 0x0a, -12, 0),               # *(u32 *)(r10 - 12) = 0
            (0x18, 0x11, 0, store), (0, 0, 0, 0),
            (0xbf, 0xa2, 0, 0), (0x07, 2, 0, -12),
            (0xbf, 0xa3, 0, 0), (0x07, 3, 0, -8),
            (0xb7, 4, 0, 0),
            (0x85, 0, 0, 2),                    # bpf_map_update_elem(r1, r2, r3, r4)
            (0xb7, 0, 0, 0), (0x95, 0, 0, 0))


def tally(store):
    """A program that counts in map @store."""
    return ((0x62, 0x0a, -4, 0),                # *(u32 *)(r10 - 4) = 0
            (0xbf, 0xa2, 0, 0), (0x07, 2, 0, -4),
            (0x18, 0x11, 0, store), (0, 0, 0, 0),
            (0x85, 0, 0, 1),                    # bpf_map_lookup_elem(r1, r2)
            (0x15, 0, 2, 0),                    # if r0 == 0, skip two
            (0xb7, 1, 0, 1), (0xdb, 0x10, 0, 0),    # *(u64 *)r0 += 1
            (0xb7, 0, 0, 1), (0x95, 0, 0, 0))


def new_map():
    """A file that holds a map of one word."""
    return call(MAP_CREATE, ctypes.create_string_buffer(
        struct.pack("<IIII", MAP_TYPE_ARRAY, 4, 8, 1), 128))


def word_of(store):
    """The word of a map."""
    key, value = ctypes.c_uint32(0), ctypes.c_uint64(0)
    call(MAP_LOOKUP_ELEM, ctypes.create_string_buffer(
        struct.pack("<IIQQQ", store, 0, ctypes.addressof(key), ctypes.addressof(value), 0), 128))
    return value.value


def link(program, event, cookie=0):
    """A file that ties a program to a perf event; or minus the errno."""
    return call(LINK_CREATE, ctypes.create_string_buffer(
        struct.pack("<IIIIQ", program, event, ATTACH_PERF_EVENT, 0, cookie), 128))


def link_info(file):
    """What a link to a kprobe says."""
    name = ctypes.create_string_buffer(128)
    info = ctypes.create_string_buffer(128)
    struct.pack_into("<QI", info, 24, ctypes.addressof(name), len(name))
    ret = call(GET_INFO, ctypes.create_string_buffer(
        struct.pack("<IIQ", file, len(info), ctypes.addressof(info)), 128))
    if ret < 0:
        raise OSError(-ret, "BPF_OBJ_GET_INFO_BY_FD")
    kind, = struct.unpack_from("<I", info, 16)
    offset, addr, missed, cookie = struct.unpack_from("<IQQQ", info, 36)
    return LinkInfo(kind, name.value.decode(), offset, addr, missed, cookie)


def task_info(event):
    """What a perf event of this task with a program probes."""
    name = ctypes.create_string_buffer(128)
    attr = ctypes.create_string_buffer(
        struct.pack("<IIIIQ", os.getpid(), event, 0, len(name), ctypes.addressof(name)), 128)
    ret = call(TASK_FD_QUERY, attr)
    if ret < 0:
        raise OSError(-ret, "BPF_TASK_FD_QUERY")
    kind, offset, addr = struct.unpack_from("<IQQ", attr, 28)
    return TaskInfo(kind, name.value.decode(), offset, addr)
