/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Place: where a probe is put, [MOD:]SYM[+OFFS][%return] or an address.
 */
#ifndef _TRACE_KPROBE_PLACE_H
#define _TRACE_KPROBE_PLACE_H

#include <linux/types.h>

#include "command.h"
#include "lookup.h"

/**
 * struct probe_place - where a probe is put
 * @symbol:	SYM or MOD:SYM, owned; NULL when the place is an address
 * @offset:	bytes from @symbol, or the address
 * @is_return:	the probe is for the function's return
 * @is_entry:	known to be a function's entry, given by symbol
 * @is_pending:	its module is not loaded
 */
struct probe_place {
	char		*symbol;
	unsigned long	offset;
	bool		is_return;
	bool		is_entry;
	bool		is_pending;
};

int probe_place_parse(struct probe_place *place,
		      const struct probe_command *cmd,
		      const struct probe_lookup *lookup,
		      struct probe_error *err);
void probe_place_free(struct probe_place *place);
size_t probe_place_module_len(const struct probe_place *place);
bool probe_place_equal(const struct probe_place *a,
		       const struct probe_place *b);
bool probe_place_matches(const struct probe_place *place, const char *word,
			 size_t len);
void probe_place_event_name(const struct probe_place *place, char *name);

#endif /* _TRACE_KPROBE_PLACE_H */
