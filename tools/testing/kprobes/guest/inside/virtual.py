# SPDX-License-Identifier: GPL-2.0-or-later
"""A virtual machine on /dev/kvm, whose guest counts aloud."""
import ctypes
import fcntl
import mmap
import os
import struct

DEVICE = "/dev/kvm"
ARM64 = os.uname().machine == "aarch64"

CREATE_VM, VCPU_MMAP_SIZE, CREATE_VCPU, RUN = 0xae01, 0xae04, 0xae41, 0xae80
SET_MEMORY = 0x4020ae46
SET_REGS, GET_SREGS, SET_SREGS = 0x4090ae82, 0x8138ae83, 0x4138ae84
SET_ONE_REG, VCPU_INIT, PREFERRED_TARGET = 0x4010aeac, 0x4020aeae, 0x8020aeaf

# The address of the guest's one page, and an address without memory
PAGE, NOTHING = 0x10000, 0x9000000

# A floating-point register, an ID register, a hypercall, a translation, a store where
# there is no memory: each leaves the guest in another way
ARM64_CODE = struct.pack("<11I",
                         0xd2a00604,	# mov x4, CPACR_EL1.FPEN
                         0xd5181044,	# msr cpacr_el1, x4
                         0xd5033fdf,	# isb
                         0x9e6703e0,	# 1: fmov d0, xzr
                         0xd5380602,	# mrs x2, id_aa64isar0_el1
                         0x52b08000,	# mov w0, PSCI_VERSION
                         0xd4000002,	# hvc #0
                         0xd5087813,	# at s1e1r, x19
                         0xb9000274,	# str w20, [x19]
                         0x11000694,	# add w20, w20, #1
                         0x17fffff9)	# b 1b
ARM64_REG = 0x6030000000100000
ARM64_PC, ARM64_X19, ARM64_X20 = 64, 38, 40
# struct kvm_vcpu_init: the feature KVM_ARM_VCPU_PSCI_0_2
ARM64_INIT = 4, 1 << 2

X86_CODE = bytes((0x66, 0x31, 0xc0,	# 1: xor %eax, %eax
                  0x0f, 0xa2,		# cpuid
                  0x89, 0xf0,		# mov %si, %ax
                  0xe6, 0x10,		# out %al, $0x10
                  0x46,			# inc %si
                  0xeb, 0xf4))		# jmp 1b
X86_RIP, X86_RFLAGS = 16, 17

# struct kvm_run: the reason of an exit, and where its data is
REASON, MMIO_DATA, IO_OFFSET = 8, 40, 40
EXIT_IO, EXIT_MMIO = 2, 6


def there():
    """Can this machine have a virtual one?"""
    return os.path.exists(DEVICE)


class Machine:
    """A machine with one CPU and one page."""

    def __init__(self):
        self.device = os.open(DEVICE, os.O_RDWR | os.O_CLOEXEC)
        self.vm = fcntl.ioctl(self.device, CREATE_VM, 0)
        self.page = mmap.mmap(-1, mmap.PAGESIZE)
        code = ARM64_CODE if ARM64 else X86_CODE
        self.page[:len(code)] = code
        address = ctypes.addressof(ctypes.c_char.from_buffer(self.page))
        fcntl.ioctl(self.vm, SET_MEMORY,
                    struct.pack("<IIQQQ", 0, 0, PAGE, mmap.PAGESIZE, address))
        self.cpu = fcntl.ioctl(self.vm, CREATE_VCPU, 0)
        self.run = mmap.mmap(self.cpu, fcntl.ioctl(self.device, VCPU_MMAP_SIZE, 0))
        if ARM64:
            self.init_arm64()
        else:
            self.init_x86()

    def init_arm64(self):
        """Begin in the page, with the MMU off."""
        init = bytearray(32)
        fcntl.ioctl(self.vm, PREFERRED_TARGET, init)
        word, bits = ARM64_INIT
        struct.pack_into("<I", init, word, bits)
        fcntl.ioctl(self.cpu, VCPU_INIT, init)
        for register, value in ((ARM64_PC, PAGE), (ARM64_X19, NOTHING), (ARM64_X20, 0)):
            number = ctypes.c_uint64(value)
            fcntl.ioctl(self.cpu, SET_ONE_REG,
                        struct.pack("<QQ", ARM64_REG | register, ctypes.addressof(number)))

    def init_x86(self):
        """Begin in the page, in real mode."""
        sregs = bytearray(0x138)
        fcntl.ioctl(self.cpu, GET_SREGS, sregs)
        # The base and the selector of cs
        struct.pack_into("<Q", sregs, 0, PAGE)
        struct.pack_into("<H", sregs, 12, PAGE >> 4)
        fcntl.ioctl(self.cpu, SET_SREGS, bytes(sregs))
        regs = [0] * 18
        regs[X86_RIP], regs[X86_RFLAGS] = 0, 2
        fcntl.ioctl(self.cpu, SET_REGS, struct.pack("<18Q", *regs))

    def next(self):
        """Let the guest run until it says a number."""
        fcntl.ioctl(self.cpu, RUN, 0)
        reason, = struct.unpack_from("<I", self.run, REASON)
        assert reason == (EXIT_MMIO if ARM64 else EXIT_IO), reason
        at = MMIO_DATA if ARM64 else struct.unpack_from("<Q", self.run, IO_OFFSET)[0]
        return self.run[at]

    def close(self):
        """The machine is gone."""
        self.run.close()
        for file in (self.cpu, self.vm, self.device):
            os.close(file)


def count(number):
    """A new machine counts to @number, from 0; what it said."""
    machine = Machine()
    try:
        return [machine.next() for _ in range(number)]
    finally:
        machine.close()
