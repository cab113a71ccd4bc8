# SPDX-License-Identifier: GPL-2.0-or-later
"""A vmlinux: its symbols, and its tables of addresses in the text."""
import collections
import re
import struct
import subprocess

# Symbols around it, bytes of an entry; each begins with the distance to the address
Table = collections.namedtuple("Table", "name first last size")
EXCEPTIONS = Table("exception table", "__start___ex_table", "__stop___ex_table", 12)
JUMP_LABELS = Table("jump labels", "__start___jump_table", "__stop___jump_table", 16)
STATIC_CALLS = Table("static calls", "__start_static_call_sites",
                     "__stop_static_call_sites", 8)
LOCKS = Table("lock prefixes", "__smp_locks", "__smp_locks_end", 4)
BUGS = Table("bug table", "__start___bug_table", "__stop___bug_table", 12)


def output(*command):
    """What @command prints."""
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


class Image:
    """A vmlinux."""

    def __init__(self, path):
        rows = re.findall(r"^ *\d+ (\S+) +(\w+) +(\w+) +\w+ +(\w+)",
                          output("objdump", "-h", "-w", path), re.M)
        self.sections = {name: (int(address, 16), int(size, 16), int(offset, 16))
                         for name, size, address, offset in rows}
        self.symbols = {line.split()[-1]: int(line.split()[0], 16)
                        for line in output("nm", path).splitlines() if line[0] != " "}
        with open(path, "rb") as file:
            self.data = file.read()

    def read(self, start, stop):
        """The bytes between two addresses."""
        for address, size, offset in self.sections.values():
            if address and address <= start and stop <= address + size:
                return self.data[offset + start - address:offset + stop - address]
        raise ValueError(f"{start:#x} is in no section")

    def addresses(self, table):
        """The addresses a table names, as far as they are in the text."""
        start, text = self.symbols[table.first], self.sections[".text"]
        data = self.read(start, self.symbols[table.last])
        found = {start + at + struct.unpack_from("<i", data, at)[0]
                 for at in range(0, len(data) - table.size + 1, table.size)}
        return sorted(address for address in found if 0 <= address - text[0] < text[1])
