# SPDX-License-Identifier: GPL-2.0-or-later
"""The overlay: those files of the repository that belong to the kernel tree."""
import os

LAB = "tools/testing/kprobes"
MERGED = ("MAINTAINERS",)
LEFTOVERS = ("~", ".o", ".cmd", ".pyc", ".rej", ".orig", ".swp")


def candidates(repo, stock):
    """Paths of all overlay files: what lies in folders the tree has at its top.

    MAINTAINERS is one of them, though only merged into the tree's own.
    """
    paths = {name for name in MERGED if os.path.exists(os.path.join(repo, name))}
    for top in sorted(os.listdir(repo)):
        if (os.path.isdir(os.path.join(repo, top)) and not top.startswith(".")
                and os.path.isdir(os.path.join(stock, top))):
            paths.update(walk(repo, top))
    return paths


def walk(repo, top):
    """Files below @top, the lab itself and leftovers of editors left out."""
    for folder, below, names in os.walk(os.path.join(repo, top)):
        here = os.path.relpath(folder, repo)
        below[:] = [name for name in below if name != "__pycache__" and
                    os.path.join(here, name) != LAB]
        for name in names:
            if not name.startswith(".") and not name.endswith(LEFTOVERS):
                yield os.path.join(here, name)
