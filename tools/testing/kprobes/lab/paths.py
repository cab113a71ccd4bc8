# SPDX-License-Identifier: GPL-2.0-or-later
"""Where things are: this checkout, its out/ folder, the stock tree."""
import os
import sys

LAB = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
REPO = os.path.realpath(os.path.join(LAB, "../../.."))
OUT = os.path.join(REPO, "out")
SERIES_TREE = os.path.join(OUT, "src/series")


def stock():
    """The stock tree: KSRC of the environment, else what `get` unpacked."""
    tree = os.path.realpath(os.environ.get("KSRC") or
                            os.path.join(OUT, "src/stock"))
    if not os.path.exists(os.path.join(tree, "Kbuild")):
        sys.exit(f"no kernel tree in {tree}: run tools/testing/kprobes/build/get, "
                 "or set KSRC")
    return tree
