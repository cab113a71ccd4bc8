# SPDX-License-Identifier: GPL-2.0-or-later
"""The machine code of a vmlinux as a graph of instructions.

objdump runs once, and a function's listing is parsed when a walk first reaches it.  The
edges of an instruction lead to its successor, the target of its jump, the target of a
jump label, and the replacements of alternatives.  A call has its target and, as an
edge, the instruction that it returns to.
"""
import bisect
import collections
import functools
import re
import struct
from dataclasses import dataclass, field

from lab.vmlinux import Image, output


# A switch is at most so many instructions before its branch
SWITCH_INSNS = 8


@dataclass(frozen=True)
class Isa:
    """How objdump prints what changes the flow of control."""
    prefix: str
    # A call or jump to an address; group 1 is the mnemonic, 2 the address
    direct: re.Pattern
    call: re.Pattern
    # A jump that is always taken
    always: re.Pattern
    indirect: re.Pattern
    # Control does not come back from here
    end: re.Pattern
    # An indirect branch that reads its target from a fixed address, groups 1 or 2
    pointer: re.Pattern
    # Instructions that end in an indirect branch, if it is a switch's
    switch: re.Pattern
    # Size of struct alt_instr
    alternative: int


X86_64 = Isa(
    prefix="",
    direct=re.compile(r"(?:(?:cs|ds|bnd|notrack|repz?|data16|rex\.W) )*"
                      r"(call|j\w+)(?:,p[tn])?\s+([0-9a-f]+) <"),
    call=re.compile(r"(?:\w+ )*call"),
    always=re.compile(r"(?:\w+ )*jmp"),
    indirect=re.compile(r"(?:\w+ )*(?:call|jmp)\s+(?:\*|[0-9a-f]+ <__x86_indirect_)"),
    end=re.compile(r"(?:\w+ )*(?:ret|iret|sysret|ud[012]|int3|eret[su])"),
    pointer=re.compile(r"(?:\w+ )*(?:call|jmp)\s+\*"
                       r"(?:0x([0-9a-f]{16})$|0x\w+\(%rip\)\s+# ([0-9a-f]+))"),
    switch=re.compile(r"(?!)"),
    alternative=14)

ARM64 = Isa(
    prefix="aarch64-linux-gnu-",
    direct=re.compile(r"(bl?|bc?\.\w+|cbn?z|tbn?z)\s+(?:.*, )?([0-9a-f]+) <"),
    call=re.compile(r"blr?(?:a[ab]z?)?\s"),
    always=re.compile(r"br?(?:a[ab]z?)?\s"),
    indirect=re.compile(r"bl?r(?:a[ab]z?)?\s"),
    end=re.compile(r"(?:ret(?:a[ab])?|eret(?:a[ab])?|brk|udf|\.inst)\b"),
    pointer=re.compile(r"(?!)"),
    # By gcc, by clang
    switch=re.compile(r"add\s+x\d+, x\d+, w\d+, sxt[bh] #2\nbr\s.*$|"
                      r"adr\s+(x\d+), (?s:.*)\nldrsw\s(?s:.*)\nadd\s+\1, \1, x\d+\n"
                      r"(?s:.*\n)?br\s+\1$"),
    alternative=12)

ISAS = {"x86_64": X86_64, "arm64": ARM64}


@dataclass
class Insn:
    """An instruction: its text, and the addresses it can lead to."""
    address: int
    text: str
    edges: list = field(default_factory=list)
    calls: list = field(default_factory=list)
    indirect: bool = False
    # Where an indirect branch reads its target; 0 if nobody knows
    pointer: int = 0
    # The symbol that holds the key of the jump label here
    key: str = ""


class Code:
    """The text of a vmlinux."""

    def __init__(self, path, arch):
        self.isa = ISAS[arch]
        self.image = Image(path)
        self.path = path
        # The symbols at an address; the end of the function at an address
        self.names, self.ends = {}, {}
        self.read_symbols()
        self.starts, self.sized = sorted(self.names), sorted(self.ends)
        self.listing = output(self.isa.prefix + "objdump", "-d", "-w",
                              "--no-show-raw-insn", path)
        self.chunks = {int(match[1], 16): match.end() for match in
                       re.finditer(r"^([0-9a-f]{16}) <[^\n]*>:\n", self.listing, re.M)}
        self.chunk_starts = sorted(self.chunks)
        self.labels = dict(self.jump_labels())
        self.sites = set(self.words("__start_mcount_loc", "__stop_mcount_loc"))
        # Replacements of alternatives by the original's address, and by their own
        self.replaced, self.replacements = {}, {}
        # Addresses in originals that become NOPs, or what a function makes of them
        self.blanked = set()
        self.read_alternatives()
        self.replacement_starts = sorted(self.replacements)

    @functools.cached_property
    def relocated(self):
        """Words that relocation writes into data, by address."""
        rows = re.findall(r"^([0-9a-f]+) .*_RELATIVE +(-?[0-9a-f]+)$",
                          output(self.isa.prefix + "readelf", "-r", "-W", self.path), re.M)
        return {int(at, 16): int(word, 16) % 2 ** 64 for at, word in rows}

    def read_symbols(self):
        """Read the symbols from nm."""
        for line in output(self.isa.prefix + "nm", "-S", self.path).splitlines():
            *numbers, kind, name = line.split()
            if kind in "UwaN" or name.startswith("$"):
                continue
            address = int(numbers[0], 16)
            names = self.names.setdefault(address, [])
            # A name with a size is a function's own, and not a mark of the linker's
            names.insert(0 if len(numbers) > 1 else len(names), name)
            if len(numbers) > 1:
                self.ends[address] = address + int(numbers[1], 16)

    def address(self, name):
        """The address of a symbol; None if there is none."""
        return self.image.symbols.get(name)

    def calls(self, name):
        """The addresses of the calls of a function in the kernel's text."""
        found = re.findall(rf"^([0-9a-f]+):\s+(\S.*) <{name}>$", self.listing, re.M)
        return [int(at, 16) for at, text in found if self.isa.call.match(text)]

    def start(self, address):
        """The start of the symbol around an address, or around what it replaces."""
        at = bisect.bisect_right(self.replacement_starts, address) - 1
        if at >= 0:
            end, old, _ = self.replacements[self.replacement_starts[at]]
            if address < end:
                address = old
        return self.starts[bisect.bisect_right(self.starts, address) - 1]

    def name(self, address):
        """The name of that symbol."""
        return self.names[self.start(address)][0]

    def table(self, first, last, size, form):
        """The entries between two symbols, each with its address."""
        yield from self.entries(self.address(first), self.address(last), size, form)

    def entries(self, start, end, size, form):
        """The entries between two addresses, each with its address."""
        data = self.image.read(start, end)
        for at in range(0, len(data) - size + 1, size):
            yield start + at, struct.unpack_from(form, data, at)

    def words(self, first, last):
        """The addresses that stand between two symbols."""
        for at, (word,) in self.table(first, last, 8, "<Q"):
            yield self.relocated.get(at, word)

    def pointers(self, table):
        """The addresses in an array that has a symbol; none if there is no such symbol."""
        first = self.address(table)
        if first is None:
            return set()
        return {self.relocated.get(at, word) for at, (word,) in
                self.entries(first, self.ends[first], 8, "<Q")} - {0}

    def paravirt(self, pointer, xen):
        """The targets of calls through a word of pv_ops; with @xen, those of its guests, too."""
        first = self.address("pv_ops")
        if not first or not first <= pointer < self.ends[first]:
            return set()
        found = {self.word(pointer)} | (self.stored.get(pointer, set()) if xen else set())
        for name in ("xen_cpu_ops", "xen_irq_ops", "xen_mmu_ops"):
            if xen and self.address(name):
                found.add(self.word(self.address(name) + pointer - first))
        return found - {0}

    def word(self, address):
        """The word in data at an address."""
        (_, (word,)), = self.entries(address, address + 8, 8, "<Q")
        return self.relocated.get(address, word)

    @functools.cached_property
    def stored(self):
        """The functions that code of x86 stores in pv_ops, by where."""
        pattern = r"movq\s+\$0x([0-9a-f]+),.*# ([0-9a-f]+) <pv_ops[+>]"
        found = {}
        for function, pointer in re.findall(pattern, self.listing):
            found.setdefault(int(pointer, 16), set()).add(int(function, 16))
        return found

    def jump_labels(self):
        """The (target, name of the key) of the jump label at an address."""
        for at, (code, target, key) in self.table("__start___jump_table",
                                                  "__stop___jump_table", 16, "<iiq"):
            yield at + code, (at + 4 + target, (at + 8 + key) & ~3)

    def read_alternatives(self):
        """Read the alternatives: end of the replacement, the original, its successor."""
        size = self.isa.alternative
        for at, row in self.table("__alt_instructions", "__alt_instructions_end", size,
                                  f"<ii{size - 10}sBB"):
            old, new, old_len, new_len = at + row[0], at + 4 + row[1], row[3], row[4]
            if new_len:
                self.replaced.setdefault(old, []).append(new)
                self.replacements[new] = new + new_len, old, old + old_len
            else:
                self.blanked.update(range(old, old + old_len))

    @functools.cache
    def insns(self, chunk):
        """The instructions of a chunk of the listing, by address."""
        found, before, recent = {}, None, collections.deque(maxlen=SWITCH_INSNS)
        for address, text in self.lines(chunk):
            insn = found[address] = Insn(address, text)
            recent.append(text)
            if before:
                self.connect(before, address)
            self.look(insn, recent)
            before = insn
        following = self.following(chunk)
        if before and following:
            self.connect(before, following)
        return found

    def following(self, chunk):
        """The next chunk if it belongs to the same function; else None."""
        index = bisect.bisect_right(self.chunk_starts, chunk)
        outer = self.sized[bisect.bisect_right(self.sized, chunk) - 1]
        if index == len(self.chunk_starts) or self.chunk_starts[index] >= self.ends[outer]:
            return None
        return self.chunk_starts[index]

    def lines(self, chunk):
        """The (address, text) of the instructions of a chunk."""
        begin = self.chunks[chunk]
        for line in self.listing[begin:self.listing.find("\n\n", begin)].splitlines():
            address, colon, text = line.partition(":")
            if colon:
                yield int(address, 16), text.strip()

    def connect(self, insn, successor):
        """Add the edge to the next instruction, if there is one."""
        isa = self.isa
        leaves = isa.end.match(insn.text) or (isa.always.match(insn.text) and
                                              not isa.call.match(insn.text))
        if leaves and insn.address not in self.blanked:
            return
        at = bisect.bisect_right(self.replacement_starts, insn.address) - 1
        if at >= 0:
            end, _, resumed = self.replacements[self.replacement_starts[at]]
            if insn.address < end <= successor:
                successor = resumed
        insn.edges.append(successor)

    def look(self, insn, recent):
        """Add the targets of an instruction; those of a switch are the whole function."""
        isa = self.isa
        direct = isa.direct.match(insn.text)
        if isa.indirect.match(insn.text):
            if isa.switch.search("\n".join(recent)):
                insn.edges += [at for at, _ in self.lines(self.chunk(insn.address))]
            else:
                insn.indirect = True
                read = isa.pointer.match(insn.text)
                insn.pointer = int(read[1] or read[2], 16) if read else 0
        elif direct:
            where = insn.calls if isa.call.match(insn.text) else insn.edges
            where.append(int(direct[2], 16))
        insn.edges += self.replaced.get(insn.address, [])
        if insn.address in self.labels:
            target, key = self.labels[insn.address]
            insn.edges.append(target)
            insn.key = self.name(key)

    def chunk(self, address):
        """The chunk that an address is in."""
        return self.chunk_starts[bisect.bisect_right(self.chunk_starts, address) - 1]

    def at(self, address):
        """The instruction at an address; None where there is no code."""
        return self.insns(self.chunk(address)).get(address)
