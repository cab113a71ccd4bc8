# SPDX-License-Identifier: GPL-2.0-or-later
"""What the lab's Python tools share: the series, the tree, mail headers."""
