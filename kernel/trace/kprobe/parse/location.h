/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Location: where a probe is put, as typed: [MOD:]SYM[+|-OFFS][%return] or an address.
 */
#ifndef _TRACE_KPROBE_LOCATION_H
#define _TRACE_KPROBE_LOCATION_H

#include <linux/types.h>

#include "command.h"

/**
 * struct probe_location - where a probe is put, as typed
 * @symbol:	SYM or MOD:SYM, owned; NULL if the location is an address
 * @offset:	bytes from @symbol, a long, or the address
 * @is_return:	the probe is for the function's return
 *
 * The definition, and later the probe, own a location. [I]
 */
struct probe_location {
	char		*symbol;
	unsigned long	offset;
	bool		is_return;
};

int probe_location_parse(struct probe_location *location, const struct probe_command *cmd,
			 struct probe_error *err);
void probe_location_free(struct probe_location *location);
size_t probe_location_module_len(const struct probe_location *location);
bool probe_location_equal(const struct probe_location *a, const struct probe_location *b);
bool probe_location_matches(const struct probe_location *location, const char *word,
			    size_t len);
void probe_location_event_name(const struct probe_location *location, char *name);

#endif /* _TRACE_KPROBE_LOCATION_H */
