# SPDX-License-Identifier: GPL-2.0-or-later
"""The series file: which steps lead from the stock tree to ours.

It is a quilt series file whose comments say more.  A step is a run of lines

    #- path         a stock file (or a whole folder) the step retires
    #+ path         an overlay file the step brings in; MAINTAINERS is merged

ended by one line that names the step's commit:

    name.patch      a patch of patches/, or Kconfig.patch at the top: a mail
                    (From, Date, Subject, text, Signed-off-by) and its diff;
                    the diff may be empty.  Kconfig.patch may hold several
                    mails (git format-patch --stdout): each line that names it
                    takes the next
    #= subject      no diff; lines "#| text" before it make the commit's text

Every other comment is for the reader.
"""
import os
import re
from dataclasses import dataclass, field

from lab import mail


class Refused(Exception):
    """The series cannot be applied; the text names the file."""


@dataclass
class Step:
    """One commit of the series."""
    drops: list = field(default_factory=list)
    adds: list = field(default_factory=list)
    text: list = field(default_factory=list)
    name: str = ""
    letter: mail.Mail = None


class PatchFiles:
    """The repository's patches, handed out in the order they are named."""

    def __init__(self, repo):
        self.repo = repo
        self.rest = {}

    def path(self, name):
        top = os.path.join(self.repo, name)
        return top if os.path.exists(top) else os.path.join(
            self.repo, "patches", name)

    def take(self, name):
        """The next mail of the file @name."""
        if name not in self.rest:
            try:
                with open(self.path(name), encoding="utf-8") as file:
                    self.rest[name] = mail.split(file.read())
            except FileNotFoundError:
                raise Refused(f"series: {name}: no such patch") from None
        if not self.rest[name]:
            raise Refused(f"series: {name}: named more often than it has mails")
        return self.rest[name].pop(0)

    def unused(self):
        """What lies in patches/, or at the end of a file, and is not named."""
        folder = os.path.join(self.repo, "patches")
        for name in sorted(os.listdir(folder) if os.path.isdir(folder) else []):
            if name.endswith(".patch") and name not in self.rest:
                yield f"patches/{name}: not named in series"
        if (os.path.exists(os.path.join(self.repo, "Kconfig.patch")) and
                "Kconfig.patch" not in self.rest):
            yield "Kconfig.patch: not named in series"
        for name, mails in self.rest.items():
            if mails:
                yield f"{name}: {len(mails)} of its mails not named in series"


def parse(repo):
    """The steps of the series file of @repo."""
    patches = PatchFiles(repo)
    steps, step = [], Step()
    with open(os.path.join(repo, "series"), encoding="utf-8") as file:
        for line in map(str.strip, file):
            if take_line(step, line, patches):
                steps.append(step)
                step = Step()
    if step.adds or step.drops or step.text:
        raise Refused("series: the last lines end in no patch and no subject")
    problems = list(patches.unused())
    if problems:
        raise Refused("\n".join(problems))
    return steps


def take_line(step, line, patches):
    """Take one @line of the series file in; true if it ends the @step."""
    marked = re.match(r"#([-+|=])(?:\s+(.*))?$", line)
    if marked:
        return take_marked(step, marked.group(1), marked.group(2) or "")
    if not line or line.startswith("#"):
        return False
    step.name = line.split()[0]
    step.letter = patches.take(step.name)
    if not step.letter.subject:
        raise Refused(f"{step.name}: has no Subject")
    if step.text:
        raise Refused(f"{step.name}: has a text of its own, and lines #| before it")
    return True


def take_marked(step, mark, value):
    """One of the four marked comments; true if it ends the step."""
    if mark == "=":
        if not step.text:
            raise Refused(f"series: {value}: no line #| says why")
        step.name = value
        step.letter = mail.Mail(subject=value, body="\n".join(step.text))
        return True
    {"-": step.drops, "+": step.adds, "|": step.text}[mark].append(value)
    return False
