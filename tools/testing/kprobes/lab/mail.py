# SPDX-License-Identifier: GPL-2.0-or-later
"""A patch as a mail: who, when, what for, and the diff."""
import re
from dataclasses import dataclass

SEPARATOR = re.compile(r"^From [0-9a-f]{40} .*\n", re.M)
DIFF = re.compile(r"^(diff --git |--- \S|Index: )", re.M)
TAG = re.compile(r"^\[PATCH[^]]*\]\s*")


@dataclass
class Mail:
    """One commit as text; author and date are empty where not given."""
    author: str = ""
    date: str = ""
    subject: str = ""
    body: str = ""
    diff: str = ""

    def message(self, signer):
        """The commit message; signed off by @signer if by nobody yet."""
        text = f"{self.subject}\n\n{self.body}".rstrip()
        if "\nSigned-off-by: " not in text:
            text += f"\n\nSigned-off-by: {signer}"
        return text + "\n"


def split(text):
    """The mails of @text, which may be one mail or a mailbox."""
    parts = [part for part in SEPARATOR.split(text) if part.strip()]
    return [parse(part) for part in parts]


def parse(text):
    """One mail: headers, an empty line, the message, the diff."""
    start = DIFF.search(text)
    head, diff = (text[:start.start()], text[start.start():]) if start else (
        text, "")
    headers, _, body = head.partition("\n\n")
    fields = header_fields(headers)
    return Mail(author=fields.get("from", ""), date=fields.get("date", ""),
                subject=TAG.sub("", fields.get("subject", "")),
                body=message_part(body), diff=strip_signature(diff))


def header_fields(text):
    """Header name (lower case) to value, continuation lines joined."""
    unfolded = re.sub(r"\n[ \t]+", " ", text)
    pairs = (line.partition(":") for line in unfolded.split("\n"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def message_part(text):
    """The message without what follows its `---` line (a diffstat)."""
    return re.split(r"^---\s*$", text, maxsplit=1, flags=re.M)[0].strip()


def strip_signature(diff):
    """The diff without the `-- ` line and version that git puts after it."""
    return re.sub(r"^-- \n[^\n]*\n*\Z", "", diff, flags=re.M)
