# SPDX-License-Identifier: GPL-2.0-or-later
"""Operations on the core itself, each allocation of which the test fail-nth makes fail.

Probes of the modules kprobes_all_text and kprobes_places, which call the core as other
modules do; memory for slots; the table of points; modules that come and go under probes.
"""
import collections
import ctypes
import errno
import gzip
import os
import shutil
import subprocess

import client
import places
import tracefs

# @prepare comes before, @do is made to fail, @undo comes after; @do gives an errno or 0. An
# operation in parts may do some of them when another fails. One that happens once is not
# done again after a failure. @judge takes that error, and whether an allocation has failed;
# it looks at the result, and gives the error that counts.
Operation = collections.namedtuple("Operation", "name prepare do undo parts once judge",
                                   defaults=[False, False, lambda error, _: error])

DEBUG = "/sys/kernel/debug"
BUCKET = f"{DEBUG}/kprobes_all_text"
SYSCALLS = {"x86_64": (313, 176), "aarch64": (273, 106)}
FINIT_MODULE, DELETE_MODULE = SYSCALLS[os.uname().machine]
LIBC = ctypes.CDLL(None, use_errno=True)
FUNCTIONS = ("getppid", "getuid", "getgid", "geteuid", "getegid", "getpid", "gettid", "getpgrp",
             "sched_yield", "sync", "umask", "close", "dup", "dup2", "dup3", "read", "write",
             "openat", "fstat", "lseek", "brk", "mmap", "munmap", "madvise", "ioctl", "fcntl",
             "flock", "fsync", "getcwd", "chdir", "kill", "times", "uname", "getrlimit", "sysinfo",
             "getpgid", "getsid", "setpgid", "pipe2", "nanosleep", "prctl")
# The module that comes and goes, and a function of it
MODULE, PENDING = "kprobes_twins", "kprobes_twins:kprobes_nest"
# Points for which the first table is still large enough, or is not
AROUND = range(28, 34)


def nothing():
    """No preparation."""
    return 0


def addresses():
    """The entries of system calls, and where an instruction needs a slot, if it does."""
    found = client.symbols(rf"__{client.MACHINE}_sys_({'|'.join(FUNCTIONS)})")
    return [found[name] for name in sorted(found)]


def behind():
    """The offset of the first instruction after the ftrace site."""
    with gzip.open("/proc/config.gz", "rt") as file:
        landing = "CONFIG_X86_KERNEL_IBT=y\n" in file
    return tracefs.BEHIND[0] if landing or client.MACHINE == "arm64" else tracefs.BEHIND[-1]


def bucket_errors():
    """The results of all probes of the bucket: errnos, or 0."""
    with open(BUCKET, encoding="ascii") as file:
        return [-int(line.split()[1]) for line in file]


def write(path, text, how=0):
    """Write to a file; the errno, or 0."""
    try:
        file = os.open(path, os.O_WRONLY | how)
    except OSError as error:
        return error.errno
    try:
        os.write(file, text.encode())
    except OSError as error:
        return error.errno
    finally:
        os.close(file)
    return 0


def fill(lines):
    """A function that registers the bucket's probes in a batch."""
    return lambda: write(BUCKET, "".join(f"{line}\n" for line in lines))


def judge_bucket(error, _=False):
    """The first error of a probe; what failed is not there, and all else is.

    The bucket is emptied if anything failed.
    """
    if error:
        return error
    errors = bucket_errors()
    there = len(client.probes())
    if any(errors):
        empty()
    return next(filter(None, errors), 0) if there == errors.count(0) else errno.EPROTO


def full(lines):
    """A function that registers the bucket's probes, all of them."""
    return lambda: judge_bucket(fill(lines)())


def empty():
    """Unregister the bucket's probes in a batch."""
    try:
        os.close(os.open(BUCKET, os.O_WRONLY | os.O_TRUNC))
    except OSError as error:
        return error.errno
    return 0


def place(text):
    """A function that registers a probe."""
    return lambda: write(places.FILE, text)


def forget():
    """Unregister the probes of kprobes_places."""
    places.clear()
    return 0


def switch_all(state):
    """A function that switches all probes off or on."""
    return lambda: write(f"{DEBUG}/kprobes/enabled", state)


def judge_chunk(error, _):
    """A probe that was registered has a slot, which kallsyms shows."""
    with open("/proc/kallsyms", encoding="ascii") as file:
        return error if error or "kprobe_insn_page" in file.read() else errno.EPROTO


def module_path():
    """A copy of the module's file, in memory.

    The file itself is the host's, by 9p, which allocates when the file is opened, read and
    closed. A failure there is none of the loader's, and can come out later: after it the
    module was refused with EINVAL when no allocation failed.
    """
    path = subprocess.run(["modinfo", "-n", MODULE], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    return shutil.copy(path, "/tmp")


def load(path):
    """A function that loads the module by this thread, not by a program."""
    def insert():
        try:
            file = os.open(path, os.O_RDONLY)
        except OSError as error:
            return error.errno
        ret = LIBC.syscall(FINIT_MODULE, file, b"", 0)
        error = ctypes.get_errno() if ret else 0
        os.close(file)
        return error
    return insert


def is_armed():
    """Is the probe in the module there, and on?"""
    lines = [line for line in client.probes() if MODULE in line]
    return bool(lines) and "[DISABLED]" not in lines[0]


def judge_load(error, failed=False):
    """If the module is there, is its probe? If not, does error_log say why, and is it there
    when it is enabled once more? An errno if not.

    Without memory the loader of modules, which is not ours, fails with other errors, too.
    """
    if error:
        return errno.ENOMEM if failed else error
    if is_armed():
        return 0
    if "trace_kprobe: error: " not in tracefs.read("error_log"):
        return errno.EPROTO
    tracefs.write("events/kprobes/nth/enable", "0")
    return tracefs.write("events/kprobes/nth/enable", "1") or (0 if is_armed() else errno.ENODATA)


def unload():
    """Remove the module, if it is there."""
    ret = LIBC.syscall(DELETE_MODULE, MODULE.encode(), os.O_NONBLOCK)
    error = ctypes.get_errno() if ret else 0
    return 0 if error == errno.ENOENT else error


def pend():
    """An enabled event whose module is not loaded."""
    tracefs.write("error_log", "")
    return (tracefs.append("kprobe_events", f"p:nth {PENDING} a=$stack0\n") or
            tracefs.write("events/kprobes/nth/enable", "1"))


def unpend():
    """Without the module and its event."""
    error = unload()
    tracefs.write("events/enable", "0")
    return tracefs.write("kprobe_events", "") or error


def bucket_operations(name, lines):
    """What is done to the probes of a bucket."""
    yield Operation(f"register-{name}", nothing, fill(lines), empty, judge=judge_bucket)
    # The open that removes the probes can still fail after that
    yield Operation(f"unregister-{name}", full(lines), empty, empty, True)
    yield Operation(f"disarm-{name}", full(lines), switch_all("0"),
                    lambda: switch_all("1")() or empty())
    yield Operation(f"arm-{name}", lambda: full(lines)() or switch_all("0")(),
                    switch_all("1"), empty, True)


def core_operations():
    """All of them; those first that need a kernel without any probe so far."""
    function = f"__{client.MACHINE}_sys_getppid"
    entries, offset = addresses(), behind()
    inside = [address + offset for address in entries]
    yield Operation("slot-chunk", nothing, place(f"{function}+{offset}"), forget, once=True,
                    judge=judge_chunk)
    for number in AROUND:
        some = full([f"p {address}" for address in entries[:number]])
        yield Operation(f"table-after-{number}", some, place(f"{function}+{offset}"),
                        lambda: forget() or empty(), once=True)
    for name, lines in (
            ("entry", [f"p {entries[0]}"]), ("inside", [f"p {inside[0]}"]),
            ("post", [f"q {entries[0]}"]), ("post-inside", [f"q {inside[0]}"]),
            ("return", [f"r {entries[0]}"]),
            ("batch", [f"{'pqr'[i % 3]} {address}" for i, address in enumerate(entries[:6])] +
             [f"{'pq'[i % 2]} {address}" for i, address in enumerate(inside[:4])])):
        yield from bucket_operations(name, lines)
    path = module_path()
    yield Operation("module-comes", pend, load(path), unpend, judge=judge_load)
    yield Operation("module-goes", lambda: pend() or judge_load(load(path)()), unload, unpend,
                    True)
