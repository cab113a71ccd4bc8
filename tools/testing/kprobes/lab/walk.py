# SPDX-License-Identifier: GPL-2.0-or-later
"""Walks from the roots of lab/roots.py, and the blacklist that they are checked against."""
import collections
import os
import re
import subprocess

from lab import paths
from lab.roots import ALWAYS, BUG_STOPS, COPIED, ROOTS, AfterCalls, AllNamed, TableOf

# Text where no probe may be, by the symbols around it
RANGES = [("__noinstr_text_start", "__noinstr_text_end"),
          ("__entry_text_start", "__entry_text_end"),
          ("__kprobes_text_start", "__kprobes_text_end"),
          ("__irqentry_text_start", "__irqentry_text_end"),
          ("__thunk_text_start", "__thunk_text_end"),
          ("__hyp_text_start", "__hyp_text_end"),
          ("__hyp_idmap_text_start", "__hyp_idmap_text_end"),
          ("ftrace_caller", "ftrace_stub_direct_tramp")]

# Files with blacklists by name, and folders in which those names must occur
LISTS = {"x86_64": "arch/x86/kernel/kprobes/reserved.c",
         "arm64": "arch/arm64/kernel/probes/reserved.c"}
GENERIC = "kernel/kprobes/blacklist.c"
SOURCES = ("arch", "kernel", "include", "mm", "lib", "drivers/firmware", "drivers/acpi",
           "drivers/cpuidle")

# Findings at which a walk ends: from a function that may be probed it could go on for long
ENOUGH = 20


def listed(arch):
    """The names of the blacklists, each with the file it is in."""
    for path in (LISTS[arch], GENERIC):
        with open(os.path.join(paths.REPO, path), encoding="utf-8") as file:
            text = file.read()
        for names in re.findall(r"^static const char \*const \w+\[\] = \{(.*?)^\};", text,
                                re.M | re.S):
            yield from ((name, path) for name in re.findall(r'"(\w+)"', names))


def relied_on(arch):
    """All names that the check relies on, each with the file that has it."""
    yield from listed(arch)
    for root in ROOTS[arch]:
        for name in root.names():
            yield name, "lab/roots.py"


def unknown(code, names):
    """Those of @names that are neither in this kernel nor in the sources."""
    names = {name for name in names if code.address(name) is None}
    command = ["grep", "-rhowF", "--include=*.[chS]"]
    command += [f"--exclude={os.path.basename(path)}" for path in [GENERIC, *LISTS.values()]]
    command += [word for name in names for word in ("-e", name)]
    found = subprocess.run(command + list(SOURCES), cwd=paths.SERIES_TREE, check=False,
                           stdout=subprocess.PIPE, text=True).stdout if names else ""
    return names - set(found.split())


class Blacklist:
    """The functions that cannot be probed; a mutant lacks the one at @forgotten."""

    def __init__(self, code, arch):
        self.code = code
        self.forgotten = None
        self.names = {name for name, _ in listed(arch)}
        self.ranges = [(code.address(first), code.address(last)) for first, last in RANGES
                       if code.address(first) and code.address(last)]
        self.marked = {code.start(word) for word in
                       code.words("__start_kprobe_blacklist", "__stop_kprobe_blacklist")}
        self.text = code.address("_stext"), code.address("_etext")

    def named(self, address):
        """True if the function at an address is here by its own name or mark alone."""
        start = self.code.start(address)
        return (self.text[0] <= address < self.text[1] and
                not any(first <= start < last for first, last in self.ranges) and
                (start in self.marked or any(name in self.names
                                             for name in self.code.names[start])))

    def holds(self, address):
        """True if no probe may be in the function at an address."""
        if not self.text[0] <= address < self.text[1]:
            return True
        start = self.code.start(address)
        if start == self.forgotten:
            return False
        return (start in self.marked or
                any(first <= start < last for first, last in self.ranges) or
                any(self.refused(name) for name in self.code.names[start]))

    def refused(self, name):
        """True for a listed name, or a part that the compiler split from a listed function."""
        origin, _, suffix = name.partition(".")
        if suffix and self.code.address(origin) and self.holds(self.code.address(origin)):
            return True
        return origin in self.names or name.startswith(("__SCT__", "__cfi_", "__pfx_"))



def copies(code, arch):
    """The addresses of symbols in text that runs as a copy elsewhere."""
    for first, last in COPIED[arch]:
        if code.address(first) is not None:
            area = range(code.address(first), code.address(last) + 1)
            yield from (address for address in code.names if address in area)


def thunks(vmlinux):
    """The names of thunks, by the sections of the object that vmlinux is linked from."""
    table = subprocess.run(["objdump", "-t", f"{vmlinux}.o"], check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    return sorted(re.findall(r" \.text\.\.__x86\.\S+\t\w+ (?:\.hidden )?(\w+)$", table, re.M))


def reached(code, arch):
    """The addresses of functions in the kernel's text that a walk reaches."""
    blacklist, found = Blacklist(code, arch), set()
    for root in ROOTS[arch]:
        walk = Walk(code, blacklist, root)
        walk.run()
        found |= walk.judged
    return {address for address in found if blacklist.text[0] <= address < blacklist.text[1]}


class Walk:
    """A walk from one root: the functions that it reaches, and the findings."""

    def __init__(self, code, blacklist, root):
        self.code, self.blacklist, self.root = code, blacklist, root
        self.cuts = {**ALWAYS, **root.cuts}
        # Each function with its first caller; their addresses: static ones can share a name
        self.functions, self.judged = {}, set()
        self.seen, self.todo, self.findings = set(), collections.deque(), []

    def find(self, function, what):
        """A finding, with the way there."""
        way = []
        while function:
            way.append(function)
            function = self.functions.get(function)
        self.findings.append(f"{what} ({' < '.join(way)})")

    def run(self):
        """Walk, the nearest first; False if this kernel has no such root."""
        if not any([self.start(start, None) for start in self.root.starts]):
            return False
        while self.todo and len(self.findings) < ENOUGH:
            address, caller = self.todo.popleft()
            if address not in self.seen:
                self.seen.add(address)
                self.visit(address, caller)
        return True

    def start(self, start, caller):
        """Queue one start; False if there is none such."""
        if isinstance(start, AfterCalls):
            return self.start_after(start)
        if isinstance(start, (TableOf, AllNamed)):
            return self.start_all(start, caller)
        name, pattern = (start, None) if isinstance(start, str) else start
        address = self.code.address(name)
        if address is None:
            return False
        if not pattern:
            self.enter(address, caller)
            return True
        found = [insn for insn in self.code.insns(self.code.chunk(address)).values()
                 if re.match(pattern, insn.text)]
        if not found:
            self.find(caller, f"{name}: nothing fits {pattern}")
        self.reach(address, caller)
        self.todo += [(edge, name) for insn in found for edge in insn.edges]
        return True

    def start_after(self, start):
        """Queue what follows each call of a function, wherever it is."""
        calls = self.code.calls(start.function)
        for address in calls:
            self.reach(address, None)
            self.todo += [(edge, self.code.name(address))
                          for edge in self.code.at(address).edges]
        return bool(calls)

    def start_all(self, start, caller):
        """Queue all functions that a table points to, or whose names match."""
        found = (self.code.pointers(start.table) if isinstance(start, TableOf) else
                 [self.code.address(name) for name in self.code.image.symbols
                  if re.fullmatch(start.pattern, name)])
        for address in found:
            self.enter(address, caller)
        return bool(found)

    def reach(self, address, caller):
        """Note a function's first caller, and whether it may be probed."""
        start, name = self.code.start(address), self.code.name(address)
        self.functions.setdefault(name, caller)
        if start not in self.judged:
            self.judged.add(start)
            if not self.blacklist.holds(start):
                self.find(name, f"{name} at {start:#x} may be probed")

    def enter(self, address, caller):
        """Queue the target of a branch out of a function."""
        name = self.code.name(address)
        if name.partition(".")[0] in self.cuts:
            return
        if name.startswith(("__SCT__tp_func_", "__traceiter_")):
            self.find(caller, f"{caller}: the tracepoint {name}")
        elif name.startswith("__SCT__"):
            self.find(caller, f"{caller}: the static call {name}")
        else:
            self.todo.append((address, caller))

    def visit(self, address, caller):
        """An instruction: queue what follows it."""
        insn = self.code.at(address)
        if insn is None:
            self.find(caller, f"{caller}: leads to {address:#x}, which is no code")
            return
        name = self.code.name(address)
        self.reach(address, caller)
        if insn.key.startswith("__tracepoint_"):
            self.find(name, f"{name}: the tracepoint {insn.key.removeprefix('__tracepoint_')}")
        if address in self.code.sites and not self.root.traps:
            self.find(name, f"{name}: a site of ftrace")
        for target in insn.calls:
            self.enter(target, name)
        if insn.indirect:
            self.branch(insn, name)
        if not any(name == function and re.match(pattern, insn.text)
                   for function, pattern in (*self.root.stops, *BUG_STOPS)):
            self.follow(insn, name)

    def follow(self, insn, name):
        """Queue the edges of an instruction; but not into a tracepoint."""
        traced = self.code.labels[insn.address][0] if insn.key.startswith("__tracepoint_") else 0
        for edge in insn.edges:
            if edge == traced:
                continue
            if self.code.start(edge) == self.code.start(insn.address):
                self.todo.append((edge, name))
            else:
                self.enter(edge, name)

    def branch(self, insn, name):
        """An indirect branch: to what the root or pv_ops says, or a finding.

        On Xen no root is without traps: the hypervisor has the table of handlers.
        """
        called = self.code.paravirt(insn.pointer, xen=self.root.traps)
        for address in called:
            self.enter(address, name)
        targets = () if called else self.root.indirect.get(name)
        if targets is None:
            self.find(name, f"{name}: an indirect branch at {insn.address:#x}")
        for target in targets or ():
            self.start(target, name)
