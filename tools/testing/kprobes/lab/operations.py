# SPDX-License-Identifier: GPL-2.0-or-later
"""What instructions do, as QEMU's log shows their text and the registers before them."""
import re

# Bytes of a cache line
LINE = 64
WORD = (1 << 64) - 1

# x86's text is AT&T's: the operand in memory is SEGMENT:DISPLACEMENT(BASE, INDEX, SCALE)
X86_MEMORY = re.compile(r"(?:%([fg]s):)?(-?0x[0-9a-f]+|-?\d+)?"
                        r"\((?:%(\w+))?(?:, *%(\w+)(?:, *(\d+))?)?\)|%([fg]s):(0x[0-9a-f]+|\d+)")
# Instructions whose operand is no access
X86_NO_ACCESS = ("lea", "nop", "prefetch")
# Intel SDM volume 3, serializing instructions, those of them that a kernel executes
X86_SERIALISING = re.compile(r"iret|cpuid|invlpg|invpcid|lgdt|lidt|lldt|ltr|wrmsr|wbinvd|invd|"
                             r"serialize|mov\w* +%\w+, %(cr[0-7]|db|dr)")
X86_WORDS = {"eax": "rax", "ebx": "rbx", "ecx": "rcx", "edx": "rdx", "esi": "rsi",
             "edi": "rdi", "ebp": "rbp", "esp": "rsp"}

# arm64's: [BASE, INDEX or #OFFSET, EXTENSION]; after `]` comes what changes the base later
ARM64_MEMORY = re.compile(r"\[(\w+)(?:, *(?:#(-?0x[0-9a-f]+|-?\d+)|(\w+)"
                          r"(?:, *(?:lsl|sxtw|uxtw|sxtx)(?: *#(\d+))?)?))?\]")
ARM64_ACCESS = re.compile(r"(ld|st|cas|swp)")
# One of each pair: the store of exclusive pairs
ARM64_EXCLUSIVE = re.compile(r"stl?xr|stl?xp")
# Atomic instructions of FEAT_LSE, (mask, value); QEMU's disassembler may not know them. Arm ARM
# C4.1.66, atomic memory operations, compare and swap, compare and swap pair
ARM64_ATOMIC = ((0x3b200c00, 0x38200000), (0x3fa07c00, 0x08a07c00), (0xbfa07c00, 0x08207c00))
# Arm ARM, context synchronization
ARM64_SERIALISING = re.compile(r"(isb|eret)\b")


def number(text):
    """The value of a number in an instruction's text."""
    return int(text or "0", 0)


def x86_register(name, registers):
    """The value of a register of 64 bits; one of 32 bits is not seen in addresses."""
    return registers[X86_WORDS.get(name, name).upper()] if name else 0


def x86_operand(step, following):
    """The addresses that the operand of an instruction says."""
    match = X86_MEMORY.search(step.text)
    if not match or step.text.startswith(X86_NO_ACCESS):
        return
    segment, offset, base, index, scale, absolute_segment, absolute = match.groups()
    segment = segment or absolute_segment
    address = number(offset or absolute) + (step.registers[segment.upper()] if segment else 0)
    if base == "rip":
        address += following
    else:
        address += x86_register(base, step.registers)
        address += x86_register(index, step.registers) * int(scale or 1)
    yield address & WORD


def x86_accesses(step):
    """The addresses of memory that an instruction reads or writes."""
    yield from x86_operand(step, step.address + len(step.code) // 2)
    stack = step.registers["RSP"]
    if step.text.startswith(("push", "call")):
        yield stack - 8
    elif step.text.startswith(("pop", "ret", "leave")):
        yield stack
    elif step.text.startswith("iret"):
        yield from (stack, stack + 32)


def arm64_register(name, registers):
    """The value of a register by any of its names."""
    if name in ("xzr", "wzr"):
        return 0
    if name == "sp":
        return registers["SP"]
    value = registers[f"X{int(name[1:]):02}"]
    return value & 0xffffffff if name[0] == "w" else value


def arm64_is_atomic(step):
    """Is it an atomic instruction of FEAT_LSE?"""
    return any(int(step.code, 16) & mask == value for mask, value in ARM64_ATOMIC)


def arm64_accesses(step):
    """The addresses of memory that an instruction reads or writes."""
    if arm64_is_atomic(step):
        base = int(step.code, 16) >> 5 & 31
        yield step.registers["SP" if base == 31 else f"X{base:02}"]
        return
    match = ARM64_MEMORY.search(step.text)
    if not match or not ARM64_ACCESS.match(step.text):
        return
    base, offset, index, shift = match.groups()
    address = arm64_register(base, step.registers) + number(offset)
    if index:
        address += arm64_register(index, step.registers) << int(shift or 0)
    yield address & WORD
    if step.text.startswith(("ldp", "stp")):
        yield (address + 8) & WORD


def is_indirect(arch, step, name):
    """Does the instruction call or jump where a register or memory says? Returns do not.

    x86's thunks are entered instead of it: the @name of the function says so.
    """
    if arch == "arm64":
        return step.text.startswith(("blr", "br "))
    return name.startswith("__x86_indirect") or \
        bool(re.match(r"(call|jmp)\w* +\*", step.text))


def is_locked(arch, step):
    """Is it an operation that excludes other CPUs from its memory?"""
    if arch == "arm64":
        return arm64_is_atomic(step) or bool(ARM64_EXCLUSIVE.match(step.text))
    return step.text.startswith("lock") or \
        (step.text.startswith("xchg") and bool(X86_MEMORY.search(step.text)))


def is_serialising(arch, step):
    """Does it wait for all before it, and let nothing after it begin?"""
    return bool((ARM64_SERIALISING if arch == "arm64" else X86_SERIALISING).match(step.text))


def accesses(arch, step):
    """The addresses of memory that an instruction reads or writes."""
    return arm64_accesses(step) if arch == "arm64" else x86_accesses(step)


def lines(addresses):
    """The cache lines that these are in."""
    return {address // LINE for address in addresses}
