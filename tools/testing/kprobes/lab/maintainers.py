# SPDX-License-Identifier: GPL-2.0-or-later
"""MAINTAINERS: our entries take the place of the tree's, or join them in order."""
import re


def title(paragraph):
    """The title of a paragraph that is an entry, else an empty string."""
    found = re.match(r"([^\n\t]+)\n[A-Z]:\t", paragraph)
    return found.group(1) if found else ""


def merge(theirs, ours):
    """@theirs with each entry of @ours in the place its title gives it."""
    parts = theirs.rstrip("\n").split("\n\n")
    for entry in ours.strip("\n").split("\n\n"):
        if title(entry):
            put(parts, entry)
    return "\n\n".join(parts) + "\n"


def put(parts, entry):
    """Let @entry replace its namesake, or stand before the first later title."""
    titles = [title(part) for part in parts]
    name = title(entry)
    if name in titles:
        parts[titles.index(name)] = entry
        return
    later = (i for i, other in enumerate(titles) if other > name)
    parts.insert(next(later, len(parts)), entry)
