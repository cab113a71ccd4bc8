# SPDX-License-Identifier: GPL-2.0-or-later
"""What a check found, in the form of a compiler's messages: `path:line: words`."""
import sys


def report(name, found):
    """Print a result line for the check @name and its findings; the exit status."""
    for path, line, words in sorted(found):
        print(f"{path}:{line}: {words}")
    print(f"{'not ok' if found else 'ok'} {name}: {len(found)}")
    sys.stdout.flush()
    return 1 if found else 0
