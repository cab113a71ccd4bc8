# SPDX-License-Identifier: GPL-2.0-or-later
"""Work that a kernel is given, and that checks its own results."""
import hashlib
import mmap
import os
import signal
import socket
import subprocess
import time

MODULES = ("trace-events-sample", "trace_custom_sched")
# Each tests itself with known answers when it is loaded
CRYPTO = {"sha256_generic": "sha256-generic", "aes_generic": "aes-generic",
          "crc32c_generic": "crc32c-generic"}


def try_files():
    """What is written is what is read."""
    data = os.urandom(70000)
    path = f"/tmp/torture.{os.getpid()}"
    with open(path, "wb") as file:
        file.write(data)
    os.rename(path, path + ".2")
    with open(path + ".2", "rb") as file:
        assert file.read() == data
    assert os.stat(path + ".2").st_size == len(data)
    os.unlink(path + ".2")
    assert not os.path.exists(path + ".2")


def try_pipes():
    """What goes in at one end comes out at the other."""
    text = "".join(str(i) for i in range(3000))
    result = subprocess.run(["/usr/bin/cat"], input=text, capture_output=True, text=True,
                            check=True)
    assert result.stdout == text


def try_sockets():
    """The same, through the loopback device."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as near:
            far, _ = server.accept()
            with far:
                near.sendall(b"x" * 5000)
                assert far.recv(5000, socket.MSG_WAITALL) == b"x" * 5000


def try_forks():
    """Children end as they are told to."""
    for status in range(5):
        child = os.fork()
        if not child:
            os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == status


def try_signals():
    """Signals arrive, as many as are sent."""
    seen = []
    signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
    for _ in range(10):
        signal.raise_signal(signal.SIGUSR1)
    assert len(seen) == 10
    child = os.fork()
    if not child:
        signal.pause()
    os.kill(child, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def try_maps():
    """Memory holds what it is given, and goes."""
    with mmap.mmap(-1, 1 << 20) as area:
        for page in range(0, len(area), 4096):
            area[page] = page % 251
        assert all(area[page] == page % 251 for page in range(0, len(area), 4096))


def tool(*command):
    """Run a command; its status."""
    return subprocess.run(command, check=False, capture_output=True).returncode


def try_modules():
    """Modules come and go."""
    for name in MODULES:
        assert not tool("modprobe", name), name
        assert not tool("rmmod", name), name


def passed(driver):
    """Does /proc/crypto say that the algorithm has passed its self-test, soon."""
    for _ in range(100):
        with open("/proc/crypto", encoding="utf-8") as file:
            blocks = file.read().split("\n\n")
        if any(f": {driver}\n" in block and ": passed\n" in block for block in blocks):
            return True
        time.sleep(0.1)
    return False


def try_crypto():
    """Algorithms give the answers they are known for."""
    for module, driver in CRYPTO.items():
        assert not tool("modprobe", module), module
        assert passed(driver), driver
        assert not tool("rmmod", module), module
    assert hashlib.sha256(b"abc").hexdigest().startswith("ba7816bf8f01cfea")


EVERYTHING = (try_files, try_pipes, try_sockets, try_forks, try_signals, try_maps,
              try_modules, try_crypto)
# Work that several processes may do at once
SHARED = tuple(work for work in EVERYTHING if work not in (try_modules, try_crypto))


def run(work=EVERYTHING):
    """All of @work, once; what has failed, a line each."""
    failed = []
    for one in work:
        try:
            one()
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            failed.append(f"{one.__name__}: {error!r}")
    return failed
