/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _SHIM_LINUX_UNALIGNED_H
#define _SHIM_LINUX_UNALIGNED_H

/* The tools' header leaves the byte order macros and __packed to its user. */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include_next <linux/unaligned.h>

#endif
