/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replacements for what the instruction backend takes from the kernel, for user space.
 * Included before each file. The kernel headers that the files include are empty (see
 * the Makefile), except asm/insn.h and asm/probes.h, which are the kernel's own.
 */
#ifndef KPROBES_TEST_KERNEL_H
#define KPROBES_TEST_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t		u8;
typedef uint16_t	u16;
typedef uint32_t	u32;
typedef uint64_t	u64;
typedef int8_t		s8;
typedef int16_t		s16;
typedef int32_t		s32;
typedef int64_t		s64;
typedef uint32_t	__le32;

#define EINVAL		22
#define ENOMEM		12
#define EFAULT		14
#define ENOSPC		28
#define ERANGE		34
#define EOPNOTSUPP	95

#define SZ_32		0x20
#define SZ_64		0x40
#define SZ_4K		0x1000
#define SZ_64K		0x10000
#define SZ_1M		0x100000
#define SZ_2M		0x200000
#define SZ_128M		0x08000000

#define __user
#define __kprobes
#define noinstr
#undef __always_inline
#define __always_inline	inline __attribute__((always_inline))
#define fallthrough	__attribute__((fallthrough))
#define __free(name)	__attribute__((cleanup(free_##name)))
#define IS_ENABLED(config)	config
#define CONFIG_ARM64_BTI_KERNEL	1

#define BUG()			abort()
#define BUG_ON(cond)		do { if (cond) abort(); } while (0)
#define BUILD_BUG_ON(cond)	((void)sizeof(char[1 - 2 * !!(cond)]))
#define static_assert(cond)	_Static_assert(cond, #cond)
#define pr_err(...)		fprintf(stderr, __VA_ARGS__)

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define BIT(nr)			(1UL << (nr))
#define GENMASK(high, low)	((~0UL << (low)) & (~0UL >> (63 - (high))))
#define ALIGN(x, to)		(((x) + (to) - 1) & ~((to) - 1))
#define IS_ALIGNED(x, to)	(!((x) & ((to) - 1)))

static inline s64 sign_extend64(u64 value, int sign_bit)
{
	return (s64)(value << (63 - sign_bit)) >> (63 - sign_bit);
}

/* for lib/insn.c */
#define ALIGN_DOWN(x, to)	((x) & ~((__typeof__(x))(to) - 1))
#define __ffs64(x)		__builtin_ctzll(x)
#define fls64(x)		((x) ? 64 - __builtin_clzll(x) : 0)
#define hweight64(x)		__builtin_popcountll(x)
#define ror64(x, by)		((x) >> ((by) & 63) | (x) << (-(by) & 63))

#define le32_to_cpu(x)		(x)
#define get_unaligned(ptr) \
	(((const struct { __typeof__(*(ptr)) x; } __attribute__((packed)) *)(ptr))->x)

static inline void put_unaligned_le32(u32 value, void *ptr)
{
	memcpy(ptr, &value, sizeof(value));
}

/* bitmap */
#define GFP_KERNEL	0
#define LONG_BITS	(8 * sizeof(long))

static inline unsigned long *bitmap_zalloc(size_t bits, int gfp)
{
	return calloc((bits + LONG_BITS - 1) / LONG_BITS, sizeof(long));
}

static inline void free_bitmap(unsigned long **map)
{
	free(*map);
}

static inline void bitmap_zero(unsigned long *map, size_t bits)
{
	memset(map, 0, (bits + LONG_BITS - 1) / LONG_BITS * sizeof(long));
}

static inline bool test_bit(size_t nr, const unsigned long *map)
{
	return map[nr / LONG_BITS] >> nr % LONG_BITS & 1;
}

static inline size_t find_next_bit(const unsigned long *map, size_t bits, size_t nr)
{
	while (nr < bits && !test_bit(nr, map))
		nr++;
	return nr;
}

#define for_each_set_bit(nr, map, bits) \
	for ((nr) = 0; (nr) = find_next_bit(map, bits, nr), (nr) < (bits); (nr)++)

static inline void __set_bit(size_t nr, unsigned long *map)
{
	map[nr / LONG_BITS] |= 1UL << nr % LONG_BITS;
}

/* asm/ptrace.h, asm/cpufeature.h */
struct pt_regs {
	u64	regs[31];
	u64	sp;
	u64	pc;
	u64	pstate;
};

#define PSR_V_BIT	0x10000000
#define PSR_C_BIT	0x20000000
#define PSR_Z_BIT	0x40000000
#define PSR_N_BIT	0x80000000
#define PSR_MODE_MASK	0x0000000f
#define PSR_MODE_EL1h	0x00000005
#define PSR_BTYPE_MASK	0x00000c00
#define PSR_BTYPE_NONE	0x00000000
#define PSR_BTYPE_JC	0x00000400
#define PSR_BTYPE_C	0x00000800
#define PSR_BTYPE_J	0x00000c00

#define user_mode(regs)	(!((regs)->pstate & PSR_MODE_MASK))

#define ARM64_BTI	0
extern bool test_has_bti;
#define cpus_have_cap(cap)	test_has_bti

/* user memory, for the uprobes' entry: memory of the test, below an address it sets */
extern unsigned long test_user_end, test_fault_at;
#define get_user(x, ptr) \
	((unsigned long)(ptr) < test_user_end ? \
	 ((x) = get_unaligned(ptr), 0) : ((x) = 0, -EFAULT))
#define force_sig_fault(sig, code, addr) \
	(test_fault_at = (unsigned long)(addr))
#define SEGV_MAPERR	1
#define SIGSEGV		11

typedef bool (pstate_check_t)(unsigned long);

#endif /* KPROBES_TEST_KERNEL_H */
