# SPDX-License-Identifier: GPL-2.0-or-later
"""A guest that is given something to work on: the image, a folder, the boot."""
import os
import subprocess
import tempfile

from lab import paths

ARCH = os.environ.get("ARCH") or "x86_64"


def setting(name, default):
    """A number or text of the environment."""
    return os.environ.get(name) or default


def image():
    """The kernel, built if need be."""
    if os.environ.get("IMAGE"):
        return os.environ["IMAGE"]
    return subprocess.run([os.path.join(paths.LAB, "build/build"), "--if-needed"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


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
