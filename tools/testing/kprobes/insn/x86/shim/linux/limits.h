/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _SHIM_LINUX_LIMITS_H
#define _SHIM_LINUX_LIMITS_H

#include_next <linux/limits.h>
#include <stdint.h>

#define U8_MAX		UINT8_MAX
#define U16_MAX		UINT16_MAX
#define S32_MIN		INT32_MIN
#define S32_MAX		INT32_MAX

#endif
