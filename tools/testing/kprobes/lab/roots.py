# SPDX-License-Identifier: GPL-2.0-or-later
"""The roots of the callgraph: where code begins that must not be probed or run a hook.

A stop is an instruction after which that code ends, because a trap can be taken or the
context has its mark.  A cut is a function that the walk does not enter, with the reason.
"""
import itertools
from dataclasses import dataclass, field

DEATH = "the machine goes down"
OTHER = "another exception than a BRK"
BUG = "a bug has happened, and is reported"
BOOT = "at boot alone, before there are probes"


@dataclass(frozen=True)
class TableOf:
    """The functions that a table in the kernel's data points to."""
    table: str


@dataclass(frozen=True)
class AllNamed:
    """The functions whose whole name matches a pattern."""
    pattern: str


@dataclass(frozen=True)
class AfterCalls:
    """After each call of a function."""
    function: str


@dataclass(frozen=True)
class Root:
    """Code that must not be probed, and must not call what may be probed."""
    name: str
    # A symbol; (symbol, pattern): after each instruction that matches the pattern; TableOf,
    # AllNamed or AfterCalls
    starts: tuple
    cuts: dict = field(default_factory=dict)
    # (symbol, pattern): the walk does not continue after an instruction that matches
    stops: tuple = ()
    # The targets of a function's indirect branches, in the form of starts
    indirect: dict = field(default_factory=dict)
    # Can a trap be taken here at all?  If not, a site of ftrace is a finding, too: while
    # it is patched it holds a trap
    traps: bool = True

    def names(self):
        """The functions that this root names."""
        for start in (*self.starts, *itertools.chain(*self.indirect.values())):
            if isinstance(start, TableOf):
                yield start.table
            elif isinstance(start, AfterCalls):
                yield start.function
            elif not isinstance(start, AllNamed):
                yield start if isinstance(start, str) else start[0]
        yield from (*self.cuts, *self.indirect, *(name for name, _ in self.stops))


# In every root: calls that follow a bug, and two that need no walk
ALWAYS = {
    "__stack_chk_fail": "the stack is overwritten, " + DEATH,
    "__ubsan_handle_out_of_bounds": BUG,
    "__ubsan_handle_shift_out_of_bounds": BUG,
    "__ubsan_handle_load_invalid_value": BUG,
    "__warn_printk": BUG,
    "kasan_report": BUG,
    **{f"__asan_report_{what}{size}_noabort": BUG
       for what in ("load", "store") for size in ("1", "2", "4", "8", "16", "_n")},
    "debug_locks_off": BUG,
    "__printk_ratelimit": BUG,
    "panic": DEATH,
    "__warn_thunk": "a return was not patched: " + BUG,
    "__fentry__": "the walk looks at sites of ftrace itself",
    "__SCT__xen_hypercall": "updated when Xen is found at boot, and never again",
}

# A report of a bug follows these
BUG_STOPS = (("check_preemption_disabled", r"(call|bl)\s.*<__printk_ratelimit>"),)

SCHEDULES = {
    "preempt_schedule_notrace": "the scheduler disables preemption first, so a hit in it "
                                "does not call it again",
    "preempt_schedule_notrace_thunk": "as preempt_schedule_notrace",
}

X86_TRAP = Root("trap", ("asm_exc_int3", AllNamed("xen_asm_exc_int3")), cuts={
    "irqentry_nmi_enter": "after the judgement: the context has its mark",
    "irqentry_nmi_exit": "as irqentry_nmi_enter, the context still has its mark",
    "kprobe_trap_hit": "after the judgement",
    "irqentry_enter_from_user_mode": "an int3 of user space, which has no kernel probe",
    "irqentry_exit_to_user_mode": "as irqentry_enter_from_user_mode",
    "do_int3": "kprobe_int3() has returned that it is not a probe's",
    "do_int3_user": "an int3 of user space",
    "do_trap": "an int3 of user space",
    "cond_local_irq_enable": "an int3 of user space",
    "cond_local_irq_disable": "an int3 of user space",
    "notify_die": "as do_int3",
    "kgdb_ll_trap": "as do_int3",
    "die": DEATH,
    "fixup_bad_iret": "an iret to user space has failed",
})

# After these an exception finds its handler
X86_READY = (
    ("start_secondary", r"call .*<cpu_init_exception_handling>"),
    ("cpu_init_exception_handling", r"call .*<cpu_init_fred_exceptions>"),
    ("cpu_init_fred_exceptions", r"call .*<cr4_update_irqsoff>"),
    ("restore_exception_handling", r"call .*<cpu_init_fred_exceptions>"),
    ("restore_processor_state", r"call .*<restore_exception_handling>"),
    ("__restore_processor_state", r"call .*<restore_exception_handling>"),
    ("create_image", r"call .*<restore_processor_state>"),
)

# A #VC is no root: those of "CPU up" and "resume" come after early_setup_int3(), which makes
# int3 work in their handler; the handlers without it are called at boot alone.
X86_ROOTS = (
    X86_TRAP,
    Root("CPU up", ("secondary_startup_64", "soft_restart_cpu"), traps=False, stops=X86_READY,
         indirect={"common_startup_64": ("start_secondary",),
                   "soft_restart_cpu": ("start_secondary",)},
         cuts={"sev_es_negotiate_protocol": BOOT, "sev_es_terminate": DEATH,
               "cpu_init_fred_rsps": "FRED is on: at boot since long, else by the call before"}),
    Root("resume", ("wakeup_long64",), traps=False, stops=X86_READY,
         indirect={"wakeup_long64": (("do_suspend_lowlevel",
                                      r"call .*<x86_acpi_enter_sleep_state>"),)}),
    Root("image restored", ("restore_registers", "core_restore_code",
                            ("create_image", r"call .*<swsusp_arch_suspend>")),
         traps=False, stops=X86_READY, indirect={"core_restore_code": ("restore_registers",)},
         cuts={"swsusp_save": "called when the image is made, not when it is restored"}),
    Root("kexec", (("machine_kexec", r"mov .*,%gs$"),), traps=False, stops=X86_READY),
    # Its page table has nothing but this page of the kernel
    Root("reset vector", ("asm_acpi_mp_play_dead",), traps=False,
         indirect={"asm_acpi_mp_play_dead": ()}),
    # From there on it changes cpus_stop_mask alone; firmware stops CPUs of encrypted guests
    Root("CPU stopped", (("stop_this_cpu", r"wbinvd"),), traps=False,
         indirect={"stop_this_cpu": ()}),
    # Until the stop one more #VE is a #DF
    Root("#VE", ("exc_virtualization_exception",),
         stops=(("tdx_get_ve_info", r"call .*<__tdcall_ret>"),
                ("exc_virtualization_exception", r"call .*<tdx_get_ve_info>"))),
    Root("CPU dead", ("cpuhp_ap_report_dead", "hlt_play_dead",
                      AfterCalls("cpuhp_ap_report_dead"), AfterCalls("play_dead_common")),
         indirect={"cpuidle_play_dead": ("acpi_idle_play_dead",), "asm_acpi_mp_play_dead": ()},
         cuts={"soft_restart_cpu": "where the root of a CPU that comes up begins",
               "tboot_shutdown": "firmware, with page tables of its own",
               "xen_cpu_bringup_again": "Xen has kept the state of the CPU: it takes traps"}),
)

ARM64_TRAP = Root("trap", ("el1h_64_sync",), cuts={
    "arm64_enter_el1_dbg": "after the judgement: the context has its mark",
    "arm64_exit_el1_dbg": "as arm64_enter_el1_dbg, the context still has its mark",
    "ct_nmi_enter": "part of arm64_enter_el1_dbg",
    "ct_nmi_exit": "part of arm64_exit_el1_dbg",
    "lockdep_hardirqs_off": "part of arm64_enter_el1_dbg",
    "lockdep_hardirqs_on": "part of arm64_exit_el1_dbg",
    "lockdep_hardirqs_on_prepare": "part of arm64_exit_el1_dbg",
    "trace_hardirqs_off_finish": "part of arm64_enter_el1_dbg",
    "trace_hardirqs_on_prepare": "part of arm64_exit_el1_dbg",
    "kprobe_trap_hit": "after the judgement",
    "debug_exception_enter": "kprobe_brk() has returned that it is not a probe's",
    "debug_exception_exit": "as debug_exception_enter",
    "do_el1_brk64": "as debug_exception_enter",
    "el1_abort": OTHER,
    "el1_pc": OTHER,
    "el1_undef": OTHER,
    "el1_bti": OTHER,
    "el1_breakpt": OTHER,
    "el1_softstp": OTHER,
    "el1_watchpt": OTHER,
    "el1_fpac": OTHER,
    "__panic_unhandled": DEATH,
})

# A guest's registers are loaded, and so are the vectors that catch what the guest does: a
# BRK of the kernel's own is a panic there
WORLD_SWITCH = Root(
    "world switch",
    (("__activate_traps", r"msr\s+vbar_el1"), ("__kvm_vcpu_run_vhe", r"bl\s.*<__activate_traps>"),
     ("__kvm_vcpu_run_vhe", r"bl\s.*<__guest_enter>"), "__kvm_hyp_vector",
     ("__kvm_hyp_vector", r"b\s")),
    traps=False,
    stops=(("__kvm_vcpu_run_vhe", r"bl\s.*<__deactivate_traps>"),
           ("__deactivate_traps", r"msr\s+vbar_el1")),
    indirect={"__kvm_vcpu_run_vhe": (TableOf("hyp_exit_handlers"),),
              "vcpu_write_sys_reg": (AllNamed(r"translate_\w+_el2_to_\w+_el1"),),
              "__vgic_v3_perform_cpuif_access": (AllNamed(r"__vgic_v3_(read|write)_\w+"),)},
    cuts={"hyp_panic": DEATH,
          **dict.fromkeys(("__schedule", "preempt_schedule_common"),
                          "interrupts are masked, so preempt_schedule() returns")})

# Calls of firmware
PSCI_CALLS = ("__invoke_psci_fn_hvc", "__invoke_psci_fn_smc")
PSCI_SUSPENDS = ("psci_0_1_cpu_suspend", "psci_0_2_cpu_suspend")
PSCI_OFFS = ("psci_0_1_cpu_off", "psci_0_2_cpu_off")

ARM64_ROOTS = (
    ARM64_TRAP,
    Root("CPU up", ("secondary_entry", "secondary_holding_pen"), traps=False,
         indirect={"secondary_startup": ("__secondary_switched",), "init_el2": ()},
         cuts={"secondary_start_kernel": "VBAR_EL1, current and the per-CPU offset are set"}),
    WORLD_SWITCH,
    Root("resume", ("cpu_resume",), traps=False,
         indirect={"cpu_resume": ("_cpu_resume",), "init_el2": ()},
         stops=(("_cpu_resume", r"bl\s.*<cpu_do_resume>"),)),
    Root("kexec", ("cpu_soft_restart", "arm64_relocate_new_kernel"), traps=False,
         indirect={"cpu_soft_restart": (), "arm64_relocate_new_kernel": (),
                   "__relocate_new_kernel_start": ()}),
    Root("image restored", ("swsusp_arch_suspend_exit",), traps=False),
    Root("asleep", (("cpu_suspend", r"bl\s.*<ct_(cpu)?idle_enter>"),
                    ("psci_cpu_suspend_enter", r"bl\s.*<ct_(cpu)?idle_enter>")),
         stops=(("cpu_suspend", r"bl\s.*<ct_(cpu)?idle_exit>"),
                ("psci_cpu_suspend_enter", r"bl\s.*<ct_(cpu)?idle_exit>")),
         indirect={"cpu_suspend": ("psci_suspend_finisher", "psci_system_suspend"),
                   **{name: PSCI_SUSPENDS for name in ("psci_suspend_finisher",
                                                       "psci_cpu_suspend_enter")},
                   **{name: PSCI_CALLS for name in PSCI_SUSPENDS + ("psci_system_suspend",)}}),
    Root("CPU dead", ("cpuhp_ap_report_dead", AfterCalls("cpuhp_ap_report_dead")),
         indirect={"cpu_die": ("cpu_psci_cpu_die",),
                   "cpu_psci_cpu_die": PSCI_OFFS,
                   **{name: PSCI_CALLS for name in PSCI_OFFS + ("__psci_cpu_off",)}}),
)

# The code of a hit before its context has a mark, and after it has lost it.  Indirect
# branches there call handlers, while the mark is set.
RESCHEDULES = {
    "preempt_schedule_irq": "interrupts are off, and a hit in it does not reschedule",
    "preempt_model_full": "as preempt_schedule_irq",
    "trace_hardirqs_off": "as preempt_schedule_irq",
    "trace_hardirqs_on": "as preempt_schedule_irq",
}

HITS = (
    Root("return", ("__kretprobe_trampoline",),
         indirect={name: () for name in ("kretprobe_returned", "kretprobe_return_unwatched",
                                         "kretprobe_return_all")},
         cuts={"irq_work_queue": "once per pool of instances, when no call uses it any more",
               **RESCHEDULES}),
    Root("jump", ("kprobe_detour",),
         indirect={name: () for name in ("kprobe_jump", "kprobe_jump_unwatched",
                                         "kprobe_hit_clients")},
         cuts=RESCHEDULES),
    Root("ftrace", ("ftrace_handler",), cuts=SCHEDULES,
         indirect={name: () for name in ("ftrace_handler", "kprobe_hit_clients",
                                         "kprobe_hit_post")}),
)

ROOTS = {"x86_64": X86_ROOTS + HITS, "arm64": ARM64_ROOTS + HITS}

# Text that runs as a copy elsewhere: all symbols from the first to the last
COPIED = {
    "x86_64": (("ftrace_caller", "ftrace_caller_end"),
               ("ftrace_regs_caller", "ftrace_regs_caller_end"),
               ("relocate_kernel", "swap_pages"),
               ("core_restore_code", "core_restore_code")),
    "arm64": (),
}
