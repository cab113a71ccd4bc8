# SPDX-License-Identifier: GPL-2.0-or-later
"""Thousands of lines for kprobe_events: each part in all its forms, right and wrong.

A definition is one line, or several in one: first probes, which are good, and one that
joins their event or deletes it.
"""
import itertools

import tracefs


def listed(text):
    """The parts of @text, which semicolons and line ends separate; they can have blanks."""
    return [part.strip() for part in text.strip().replace(" ;\n", " ; ").split(" ; ")]


# Names shorter and longer than the limit, which is 63 characters
LONG = ["n" * number for number in (62, 63, 64, 65, 200)]

HEADS = r"""
    p r p: r: p:a r:a p:g/a p:g/ p:/a p:-g/a p:g/-a p:a-b p:a.b p:a/b/c p:1a p:1/a p:a1
    p:g.h/a p:a: p::a p:: p:_ p:é/a p:é r:é p0 p1 p1:a p-1 r0 r1 r01 r0x10 r4096 r4097
    r4294967295 r4294967296 r99999999999999999999 r-1 r+1 rx r1x r1:a r:1 P:a q:a : - + =
    p:a+b p:$a
""".split()
HEADS += ["p: a", "r 1", "p:a ", "", *(f"p:{name}" for name in LONG),
          *(f"p:{name}/a" for name in LONG)]

PLACES = r"""
    vfs_read vfs_read+0 vfs_read+0x0 vfs_read-0 vfs_read+1 vfs_read+010 vfs_read+99999
    vfs_read+0xfffffff vfs_read-1 vfs_read-8 vfs_read+ vfs_read- vfs_read+-1 vfs_read++4
    vfs_read+x vfs_read+4x vfs_read+0+4 vfs_read%return vfs_read+0%return vfs_read%
    vfs_read%re vfs_read%returns vfs_read%foo 0 1 -1 0x0 0x1000 -0x1000
    0xffffffffffffffff @vfs_read no_such no_such+4 no_such-4 no_such%return nomod:vfs_read
    vmlinux:vfs_read :vfs_read vfs_read: :: : vfs_read:vfs_read jiffies init_task _text
    _stext _etext _sinittext do_syscall_64 schedule name_show name_show+4 name_show%return
    show vfs_read,vfs_write +4 -4 4 vfs_read+18446744073709551615
    vfs_read+18446744073709551616 vfs_read+0x7fffffffffffffff vfs_read-9223372036854775808
    vfs_read-18446744073709551615 VFS_READ vfs_* é kernel_clone do_exit snprintf memcpy
    _printk do_one_initcall sched_clock preempt_count_add this_cpu_ptr (vfs_read)
""".split()
PLACES += ["vfs_read vfs_write", "", *("n" * number for number in (127, 128, 600))]

VALUES = r"""
    $stack $stack0 $stack1 $stack127 $stack4096 $stackx $stack-1 $stack0x1 $stack01 $stack1x
    $retval $retvalx $comm $COMM $commx $arg1 $arg2 $arg3 $arg4 $arg5 $arg7 $arg0 $arg-1
    $arg01 $arg0x1 $arg128 $arg129 $arg9999999999 $arg $argx $arg1x $args $ $$ $nosuch $ret
    $st %ax %di %rdi %al %ip %flags %cs %foo % %% %AX %di+4 %sp %x0 %pc %pstate @ @0 @1 @x
    @jiffies @jiffies+8 @jiffies-8 @jiffies+ @jiffies+x @jiffies++8 @nosuch @nosuch+8
    @0xffff @-1 @18446744073709551615 @18446744073709551616 @+0 @+1 @+0x10 @+x @+-1 @-8
    @/etc @jiffies:u8 +0($arg1) -8(%sp) -8($stack) +8($stack) +0x8($arg1) +010($arg1)
    +0(+8($arg1)) +8(-8(+0($arg1))) +u0($arg1) -u8($arg1) +u0(+0($arg1)) +0(+u0($arg1))
    +u($arg1) +U0($arg1) +0 +0( +0) +0() +0($arg1 +0($arg1)) +0($arg1)x +($arg1) 0($arg1)
    8($arg1) +x($arg1) ++0($arg1) +-8($arg1) --8($arg1) -+8($arg1)
    +9223372036854775807($arg1) +9223372036854775808($arg1) -9223372036854775808($arg1)
    -9223372036854775809($arg1) +18446744073709551615($arg1) +18446744073709551616($arg1)
    +0(@jiffies) +0(%di) +0($comm) +0($retval) +0($stack) +0(\1) +0(\"abc") +0(12) +0(file)
    +0(nosuch) +0($nosuch) +0(%foo) +0(@nosuch) +0(+x($arg1)) +0($arg1)($arg2) +0($arg1:u8)
    \1 \-1 \+1 \++1 \+-1 \0x10 \010 \x \1x \ \"abc" \"" \" \"abc \"abc"x \abc \'a'
    \18446744073709551615 \18446744073709551616 \-9223372036854775808 \-9223372036854775809
    \1.5 \1:u8 file buf count pos nosuch FILE file->f_inode file->f_inode->i_ino
    file->f_mode file->f_path.dentry file->f_path->dentry file.f_mode file-> file. file->.x
    file->->x file->nosuch file->f_inode->nosuch file->f_path file->f_path.nosuch
    file->f_mode.x file->f_mode->x count->x count.x nosuch->x ->x .x *pos &pos pos->x
    $arg1->f_mode $arg1->f_inode->i_ino $arg3->x $retval->x $retval.x $retval->f_mode
    $stack->x $comm->x file->f_op->read file->f_op->nosuch file->f_inode->i_sb->s_id
    file->f_inode->i_sb->s_uuid file->f_inode->i_sb->s_dev file->f_path.dentry->d_name.name
    file->f_path.dentry->d_name.len file->f_path.dentry->d_iname file[0] 12 0x1 -1 +1 1+1
    abc "abc" é ! a! $arg* $arg** $arg*2 $arg1* this_cpu_read(x) $current
""".split()
VALUES += ["% di", "(struct file)$arg1", "a b", "x" * 62, "x" * 70,
           *("+0(" * depth + "$arg1" + ")" * depth for depth in (12, 13, 14, 15, 16, 17, 40))]

# Each of these is read as each of TYPES
TYPED = r"""
    $arg1 %sp @jiffies +0($arg1) +u0($arg2) $comm $stack0 \1 \"abc" file count buf
    file->f_mode file->f_inode->i_sb->s_id file->f_path.dentry->d_name.name $retval pos
    +0(+8($arg1))
""".split()

TYPES = r"""
    u8 u16 u32 u64 s8 s16 s32 s64 x8 x16 x32 x64 char string ustring symbol symstr u s x b
    u128 u7 U8 u8u8 int void long %pd %pD %d %p : u8:u8 u8: 8 str strings b8@0/8 b4@0/8
    b1@0/8 b8@8/16 b8@4/32 b16@0/32 b32@0/32 b63@0/64 b64@0/64 b1@63/64 b2@63/64 b33@0/32
    b0@0/8 b9@0/8 b1@8/8 b8@0/7 b8@0/128 b8@ b8@1 b@ b8@1/ b8/8 bx@0/8 b8@x/8 b8@0/x b-1@0/8
    b8@-1/8 u8[1] u8[4] u8[64] u8[0] u8[65] u8[-1] u8[+1] u8[010] u8[0x4] u8[] u8[x] u8[1
    u8[1]x u8] u8[1][2] u8[99999999999] u64[64] x32[3] char[8] string[2] ustring[2]
    string[64] symbol[2] symstr[2] b4@0/8[2] [2] %pd[2] string[1 string8
""".split()
TYPES += ["", " u8"]

# Arguments: their names, and how many there can be
ARGS = listed(r"""
    a=$arg1 ; =$arg1 ; a ; a==$arg1 ; a=b=$arg1 ; a =$arg1 ; a= $arg1 ; 1a=$arg1 ; a1=$arg1
    ; a-b=$arg1 ; a.b=$arg1 ; a:b=$arg1 ; a b=$arg1 ; A=$arg1 ; _=$arg1 ; é=$arg1 ; $a=$arg1
    ; common_type=$arg1 ; common_pid=$arg1 ; common_x=$arg1 ; __probe_ip=$arg1 ;
    __probe_func=$arg1 ; __probe_ret_ip=$arg1 ; __probe_x=$arg1 ; arg1=$arg2 ; arg2=$arg1 ;
    a=$arg1 a=$arg2 ; a=$arg1 A=$arg2 ; $arg1 $arg1 ; $arg1 arg1=$arg2 ; arg2=$arg1 $arg2 ;
    $arg1 $arg2 ; file file ; file count ; file file=$arg1 ; $arg1 file ; $arg* file ;
    $arg* $arg1 ; file $arg* ; $arg* $arg* ; a=$arg* ; a=$arg* b=$arg1 ; $arg*:u8 ;
    a=$arg1:u8 b ; a=$arg1 b=$nosuch ; a=$nosuch b=$nosuch ; a=$arg1  b=$arg2 ; # a=$arg1 ;
    a=$arg1 # b ; a=$arg1#b ; filter ; a=$arg1 if a ; a=+0($arg1):string[64]
""")
ARGS += ["  a=$arg1", "\ta=$arg1\t", "a=", "a=+0($arg1):string[64]",
         *(f"{name}=$arg1" for name in LONG), " ".join(["x" * 60 + "=$arg1"] * 2)]
for count, value in ((64, "$arg1"), (127, "$arg1"), (128, "$arg1"), (129, "$arg1"),
                     (100, "$arg1:u64"), (128, "$arg1:u64"), (7, "+0($arg1):u64[64]"),
                     (8, "+0($arg1):u64[64]"), (9, "+0($arg1):u64[64]"),
                     (20, "+0($arg1):string"), (128, "+0($arg1):string")):
    ARGS.append(" ".join(f"a{i}={value}" for i in range(count)))

# Functions of many kinds
FUNCTIONS = r"""
    vfs_read vfs_open do_sys_openat2 wake_up_process schedule kfree vfs_statx ksys_read
    kernel_clone proc_reg_open filp_close do_exit vfs_getattr rb_insert_color
    jiffies_to_msecs ktime_get netif_rx proc_single_show
""".split()

ALL_OF = listed(r"""
    $arg* ; $retval ; $arg1 $arg2 $arg3 $arg4 $arg5 $arg6 ; $arg1:string ; v=$retval:string
""")

# Lines that follow the first probes
SECOND = listed(r"""
    p:a vfs_write a=$arg1 ; p:a vfs_read a=$arg1 ; p:a vfs_write a=$arg2 ; p:a vfs_write ;
    p:a vfs_write b=$arg1 ; p:a vfs_write a=$arg1:u8 ; p:a vfs_write a=$arg1 b=$arg2 ;
    p:a vfs_write a=%sp ; r:a vfs_write a=$retval ; r:a vfs_write ; p:a vfs_read a=$arg2 ;
    p:a vfs_read+0 a=$arg1 ; p:b vfs_read a=$arg1 ; p:kprobes/a vfs_write a=$arg1 ;
    p:g/a vfs_write a=$arg1 ; p:a no_such a=$arg1 ; p:a vfs_write a=$nosuch ; -:a ; -:b ;
    -:kprobes/a ; -:kprobes/ ; -:kprobes/b ; -:g/a ; -:g/ ; -: ; - ; -a ; -:a x ;
    -:a vfs_read ; -:a vfs_read a=$arg1 ; -:a vfs_read a=$arg2 ; -:a vfs_write ;
    -:a vfs_read a=$arg1 b ; -:/a ; -:/ ; -:a/b/c ; -:- ; -:1 ; -:é ; - :a ; -: a ; -1:a ;
    -0:a ; -p:a ; -r:a ; --:a ; -:a vfs_read+0 ; -:a vfs_read a=$arg1:x64 ;
    -:a  vfs_read   a=$arg1 ; -:A ; p:A vfs_write ; # x ; x ; p ; r ; p:a ; r:a
""")
SECOND += [f"-:{name}" for name in LONG] + ["", " "]
FIRST = [["p:a vfs_read a=$arg1"], ["r:a vfs_read a=$retval"],
         ["p:a vfs_read a=+0($arg1):u8", "p:g/b vfs_read"]]


def singles():
    """Definitions of one line, some of them twice."""
    inside = f"vfs_read+{tracefs.BEHIND[0]}"
    yield from itertools.product(HEADS, ("vfs_read", "vfs_read a=$arg1"))
    yield from itertools.product(("p", "r", "p:a", "r:a", "r8:a"), PLACES)
    yield from itertools.product(("p:a", "r:a"), PLACES, ["$arg1 $retval"])
    places = "p:a vfs_read", "r:a vfs_read", f"p:a {inside}"
    yield from itertools.product((*places, "p:a vfs_open", "r:a do_sys_openat2"), VALUES)
    for place, value in itertools.product((*places, "p:a vfs_open", "r:a do_sys_openat2"), VALUES):
        yield place, f"v={value}"
    for place, value, kind in itertools.product(places[:2], TYPED, TYPES):
        yield place, f"v={value}:{kind}"
    yield from itertools.product(places, ARGS)
    yield from itertools.product(("p:a", "r:a"), FUNCTIONS, ALL_OF)


def definitions():
    """All definitions, each once, as tuples of lines."""
    lines = [(" ".join(words),) for words in singles()]
    lines += [(*first, second) for first in FIRST for second in SECOND]
    return list(dict.fromkeys(lines))
