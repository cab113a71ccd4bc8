# SPDX-License-Identifier: GPL-2.0-or-later
"""C as text: where its functions begin and end, and the comment above each."""
import os
import re
from dataclasses import dataclass

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)
CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else)\b")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
# The last name before a parameter list, attributes and macros before it left out
NAME = re.compile(r"([A-Za-z_]\w*)\s*\((?!.*\b__attribute__)")


@dataclass
class Function:
    """One function's definition; lines count from 1."""
    name: str
    line: int
    head: str
    body: list
    comment: str

    @property
    def is_inline(self):
        """True where the definition is inline."""
        return re.search(r"\b(__always_)?inline\b|\bnokprobe_inline\b", self.head) is not None


def read(path):
    """The text of the file at @path."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def head_of(lines, brace):
    """The first line of the definition whose body begins on line @brace."""
    first = brace
    if lines[brace] == "{":
        first -= 1
    while first > 0 and (lines[first][:1].isspace() or not NAME.search(lines[first])):
        if not lines[first].strip():
            return None
        first -= 1
    while first > 0 and re.match(r"[A-Za-z_][\w\s*]*$", lines[first - 1]):
        first -= 1
    return first


def comment_above(lines, first):
    """The comment that ends on the line above @first, or an empty string."""
    last = first - 1
    if last < 0 or not lines[last].rstrip().endswith("*/"):
        return ""
    begin = last
    while begin > 0 and "/*" not in lines[begin]:
        begin -= 1
    return "\n".join(lines[begin:last + 1])


def functions(text):
    """Every function that @text defines."""
    lines, start = text.split("\n"), None
    for number, line in enumerate(lines):
        if start is None and (line == "{" or re.match(r"[A-Za-z_].*\)\s*\{$", line)):
            start = number
        elif start is not None and line.startswith("}"):
            first = head_of(lines, start) if line == "}" else None
            if first is not None:
                yield made(lines, first, start, number)
            start = None


def made(lines, first, start, end):
    """The function from line @first to line @end, its body after line @start."""
    head = " ".join(lines[first:start + 1])
    name = NAME.search(head)
    return Function(name[1] if name else "?", first + 1, head, lines[start + 1:end],
                    comment_above(lines, first))


def comments(text):
    """(line, text) of every comment of @text."""
    for match in COMMENT.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[0]


def includes(text):
    """(quote, path) of every #include of @text."""
    return INCLUDE.findall(text)


def sources(repo, stock, *endings):
    """The overlay files with one of @endings, sorted."""
    from lab import overlay
    return sorted(path for path in overlay.candidates(repo, stock)
                  if path.endswith(endings) and os.path.isfile(os.path.join(repo, path)))
