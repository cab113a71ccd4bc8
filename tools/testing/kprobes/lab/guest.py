# SPDX-License-Identifier: GPL-2.0-or-later
"""A guest that is given something to work on: the image, a folder, the boot."""
import os
import platform
import shutil
import subprocess
import tempfile

from lab import paths

ARCH = os.environ.get("ARCH") or "x86_64"


def setting(name, default):
    """A number or text of the environment."""
    return os.environ.get(name) or default


def image(**settings):
    """The kernel, built if need be; @settings go before those of the environment."""
    if os.environ.get("IMAGE"):
        return os.environ["IMAGE"]
    return subprocess.run([os.path.join(paths.LAB, "build/build"), "--if-needed"], check=True,
                          env=dict(os.environ, **settings), stdout=subprocess.PIPE,
                          text=True).stdout.strip()


def folder(name):
    """The folder that the guest has as /lab/run: LOG, or a new one."""
    runs = os.path.join(paths.OUT, "run")
    os.makedirs(runs, exist_ok=True)
    log = os.environ.get("LOG") or tempfile.mkdtemp(prefix=f"{name}.", dir=runs)
    os.makedirs(log, exist_ok=True)
    return log


def boot(command, **settings):
    """Boot, and run @command in the guest; its status."""
    return subprocess.run([os.path.join(paths.LAB, "guest/boot"), command],
                          env=dict(os.environ, **settings), check=False).returncode


def compiler(arch):
    """The compiler for user programs of @arch."""
    if platform.machine().replace("aarch64", "arm64") == arch:
        return "gcc"
    return {"arm64": "aarch64-linux-gnu-gcc", "x86_64": "x86_64-linux-gnu-gcc"}[arch]


def add_calls(arch, log):
    """Put the program that calls getppid() into the folder @log; static: it runs anywhere."""
    program = os.path.join(paths.OUT, arch, "calls")
    subprocess.run([compiler(arch), "-static", "-O2", "-Wall", "-o", program,
                    os.path.join(paths.LAB, "guest/inside/calls.c")], check=True)
    os.makedirs(log, exist_ok=True)
    shutil.copy(program, log)
