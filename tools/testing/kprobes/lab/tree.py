# SPDX-License-Identifier: GPL-2.0-or-later
"""A kernel tree as the series changes it, held in memory: only what differs."""
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass

from lab import maintainers
from lab.overlay import MERGED
from lab.series import Refused

TOUCHED = re.compile(r"^(?:---|\+\+\+) (?:[^/\s]+/)?([^\t\n]+)", re.M)
CREATES = re.compile(r"^--- /dev/null\n\+\+\+ [^/\s]+/([^\t\n]+)", re.M)


@dataclass(frozen=True)
class File:
    """What a file is: its bytes and whether it is executable."""
    data: bytes
    executable: bool = False


def read(path):
    """The file at @path."""
    with open(path, "rb") as file:
        return File(file.read(), os.access(path, os.X_OK))


class Tree:
    """The stock tree seen through the steps taken so far.

    changed maps a path to its File, or to None where it is retired.
    """

    def __init__(self, stock, repo):
        self.stock, self.repo = stock, repo
        self.changed = {}
        self.added = set()

    def get(self, path):
        """The File at @path now, or None."""
        if path in self.changed:
            return self.changed[path]
        full = os.path.join(self.stock, path)
        return read(full) if os.path.isfile(full) else None

    def take(self, step):
        """Take one step; the paths it touched."""
        touched = []
        for path in step.drops:
            touched += self.drop(path)
        for path in step.adds:
            touched.append(self.add(path))
        if step.letter.diff:
            touched += self.patch(step.name, step.letter.diff)
        return touched

    def drop(self, path):
        """Retire the stock file @path, or all files of the folder @path."""
        paths = self.below(path.rstrip("/"))
        if not paths:
            raise Refused(f"{path}: retired in series, but the tree has no such "
                          "file")
        for each in paths:
            self.changed[each] = None
        return paths

    def below(self, path):
        """@path if it is a file of the tree, else the stock files below it."""
        if self.get(path):
            return [path]
        found = []
        for folder, _, names in os.walk(os.path.join(self.stock, path)):
            here = os.path.relpath(folder, self.stock)
            found += [os.path.join(here, name) for name in names]
        return sorted(each for each in found if self.get(each))

    def add(self, path):
        """Bring the overlay file @path in."""
        source = os.path.join(self.repo, path)
        if not os.path.isfile(source):
            raise Refused(f"{path}: named in series, but not in the repository")
        if path in self.added:
            raise Refused(f"{path}: brought in twice in series")
        if path in MERGED:
            self.added.add(path)
            self.changed[path] = self.merged(read(source))
            return path
        if self.get(path):
            raise Refused(f"{path}: would overwrite a stock file that no #- "
                          "line retires")
        self.added.add(path)
        self.changed[path] = read(source)
        return path

    def merged(self, ours):
        """The tree's MAINTAINERS with the entries of @ours."""
        theirs = self.get("MAINTAINERS").data.decode()
        return File(maintainers.merge(theirs, ours.data.decode()).encode())

    def patch(self, name, diff):
        """Apply @diff to stock files; @name is what a refusal calls it."""
        paths = sorted(set(TOUCHED.findall(diff)) - {"dev/null", "null"})
        for path in paths:
            if path in self.added:
                raise Refused(f"{name}: {path} is an overlay file: edit it there")
        for path in CREATES.findall(diff):
            raise Refused(f"{name}: makes {path}: a new file belongs to the overlay")
        with tempfile.TemporaryDirectory() as scratch:
            self.spread(name, paths, scratch)
            run_patch(name, diff, scratch)
            for path in paths:
                self.changed[path] = gather(os.path.join(scratch, path))
        return paths

    def spread(self, name, paths, scratch):
        """Write the files a patch wants into the folder it will run in."""
        for path in paths:
            file = self.get(path)
            if not file:
                raise Refused(f"{name}: {path}: the tree has no such file")
            write(os.path.join(scratch, path), file)


def gather(path):
    """The file a patch left at @path, None where it removed it."""
    return read(path) if os.path.exists(path) else None


def run_patch(name, diff, folder):
    """Run patch(1) on the files in @folder: offsets are fine, fuzz is not."""
    done = subprocess.run(
        ["patch", "-p1", "-F0", "-f", "-E", "--no-backup-if-mismatch", "-r", "-"],
        input=diff.encode(), cwd=folder, capture_output=True, check=False)
    if done.returncode:
        raise Refused(f"{name}: does not apply:\n{done.stdout.decode().rstrip()}")


def write(path, file):
    """Put @file at @path in one move, so that no reader sees half of it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    fresh = f"{path}.lab-{os.getpid()}"
    with open(fresh, "wb") as out:
        out.write(file.data)
    os.chmod(fresh, 0o755 if file.executable else 0o644)
    os.rename(fresh, path)
