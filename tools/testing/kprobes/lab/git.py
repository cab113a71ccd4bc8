# SPDX-License-Identifier: GPL-2.0-or-later
"""A git repository of the stock tree, to make commits in without a work tree."""
import glob
import os
import shutil
import subprocess

IDENTITY = "kprobes lab <lab@localhost>"


class Git:
    """The repository at @folder; its index lies beside it."""

    def __init__(self, folder, lock=None):
        """@lock, a file, stays open as long as a command runs."""
        self.folder = folder
        self.lock = [lock.fileno()] if lock else []
        self.index = "index"

    def run(self, *args, stdin=None, env=None, worktree=None):
        """Run one git command; what it printed, stripped."""
        variables = {"GIT_DIR": self.folder,
                     "GIT_INDEX_FILE": os.path.join(self.folder, self.index)}
        if worktree:
            variables["GIT_WORK_TREE"] = worktree
        done = subprocess.run(
            ["git", "-c", "core.autocrlf=false", "-c", "core.fileMode=true",
             "-c", "gc.auto=0", "-c", "core.compression=1", *args],
            input=stdin, stdout=subprocess.PIPE, check=True, cwd=worktree,
            pass_fds=self.lock,
            env={**os.environ, **variables, **(env or {})})
        return done.stdout.decode().strip()

    def create(self):
        """An empty repository, unless there is one."""
        if not os.path.isdir(os.path.join(self.folder, "objects")):
            os.makedirs(self.folder, exist_ok=True)
            self.run("init", "-q", "--bare", "-b", "main", self.folder)

    def clean(self):
        """Remove what commands that were killed left here; nobody else may be at work."""
        shutil.rmtree(os.path.join(self.folder, "rebase-apply"), ignore_errors=True)
        for lock in glob.glob(os.path.join(glob.escape(self.folder), "**/*.lock"),
                              recursive=True):
            os.remove(lock)

    def tree_of(self, folder, index):
        """The tree object of all files in @folder; @index keeps its state.

        checkpatch.pl leaves a cache at the top of the tree it runs in; that is
        no file of the tree.
        """
        self.index = index
        self.run("rm", "-q", "--cached", "--ignore-unmatch", ".checkpatch-*",
                 worktree=folder)
        self.run("add", "-A", "-f", ".", ":!.checkpatch-*", worktree=folder)
        tree = self.run("write-tree")
        self.index = "index"
        return tree

    def blob(self, data):
        """Store @data; its object."""
        return self.run("hash-object", "-w", "--stdin", "--no-filters",
                        stdin=data)

    def update(self, changes):
        """Bring (path, data or None, executable) triples into the index."""
        lines = []
        for path, data, executable in changes:
            if data is None:
                lines.append(f"0 {'0' * 40}\t{path}")
            else:
                mode = "100755" if executable else "100644"
                lines.append(f"{mode} {self.blob(data)}\t{path}")
        self.run("update-index", "--index-info",
                 stdin=("\n".join(lines) + "\n").encode())

    def commit(self, tree, parents, message, author):
        """A commit of @tree by @author, (name, address, date)."""
        name, address, date = author
        env = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
               for what, value in (("NAME", name), ("EMAIL", address),
                                   ("DATE", date))}
        args = [arg for parent in parents for arg in ("-p", parent)]
        return self.run("commit-tree", tree, *args, stdin=message.encode(),
                        env=env)
