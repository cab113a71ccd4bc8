# SPDX-License-Identifier: GPL-2.0-or-later
"""The text of a kernel or a module, taken apart by objdump."""
import re
import subprocess
import sys

from lab import guest
from lab.vmlinux import JUMP_LABELS, Image

PREFIX = {"x86_64": "", "arm64": "aarch64-linux-gnu-"}
HEAD = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
# The most bytes a jump label has
LABEL = {"x86_64": 5, "arm64": 4}
# A word of data in the text is not an instruction
INSN = re.compile(r"^ *([0-9a-f]+):\t(?!\.)(.*)")


def objdump(path, *options):
    """A process that prints what objdump has to say about @path of ARCH."""
    return subprocess.Popen([f"{PREFIX[guest.ARCH]}objdump", *options, path],
                            stdout=subprocess.PIPE, text=True)


def blocks(path):
    """Each function of the text: (name, address, [(offset, instruction)])."""
    name, insns, start = None, [], 0
    with objdump(path, "-d", "--no-show-raw-insn", "-j", ".text") as dump:
        for line in dump.stdout:
            head = HEAD.match(line)
            if head:
                if name:
                    yield name, start, insns
                name, insns, start = head[1], [], int(line.split()[0], 16)
                continue
            insn = INSN.match(line)
            if insn:
                insns.append((int(insn[1], 16) - start, insn[2]))
    if dump.returncode:
        sys.exit(f"{path}: objdump ends with {dump.returncode}")
    if name:
        yield name, start, insns


def functions(path):
    """Each function of the text: (name, [(offset, instruction)])."""
    for name, _, insns in blocks(path):
        yield name, insns


def write_labels(vmlinux, path):
    """Write to @path where the kernel changes its text itself, offset and length a line."""
    image = Image(vmlinux)
    start = image.symbols["_stext"]
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{address - start} {LABEL[guest.ARCH]}\n"
                        for address in image.addresses(JUMP_LABELS))
