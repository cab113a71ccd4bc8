# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures that steps measure and `plots` draws: tables in out/bench/."""
import os
import subprocess
import sys

from lab import guest, paths

BENCH = os.path.join(paths.OUT, "bench")


def path(arch, kernel, name):
    """Where a table is."""
    return os.path.join(BENCH, f"{arch}-{kernel}.{name}")


def keep(arch, kernel, name, rows):
    """Write a table."""
    with open(path(arch, kernel, name), "w", encoding="ascii") as file:
        for row in rows:
            print(*row, sep="\t", file=file)


def read(arch, kernel, name):
    """The rows of a table, as text; none if there is no such table."""
    if not os.path.exists(path(arch, kernel, name)):
        return []
    with open(path(arch, kernel, name), encoding="ascii") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def count_in_guest(arch, kernel, name, command):
    """The lines that @command prints in a guest where a nanosecond is an instruction."""
    log = os.path.join(BENCH, f"{arch}-{kernel}-{name}")
    guest.add_calls(arch, log)
    env = dict(os.environ, ARCH=arch, KERNEL=kernel, LOG=log, ICOUNT="1", SMP="1", TIMEOUT="900")
    run = subprocess.run([os.path.join(paths.LAB, "guest/boot"), command], env=env, text=True,
                         stdout=subprocess.PIPE, check=False)
    if run.returncode:
        sys.exit(f"{name}: {arch} {kernel}: status {run.returncode}\n{run.stdout}")
    return run.stdout.splitlines()
