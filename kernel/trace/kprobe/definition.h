/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definition: all that a defining command says, checked and compiled.
 */
#ifndef _TRACE_KPROBE_DEFINITION_H
#define _TRACE_KPROBE_DEFINITION_H

#include "command.h"
#include "lookup.h"
#include "place.h"
#include "program.h"

/**
 * struct probe_definition - a probe to be
 * @group:	name of the group, given or the default
 * @event:	name of the event, given or made up from the place
 * @maxactive:	as written, 0 when it was not given
 * @place:	where; the caller may take it (and clear it here)
 * @args:	what; the caller may take it (and clear it here)
 */
struct probe_definition {
	char			group[PROBE_NAME_LEN];
	char			event[PROBE_NAME_LEN];
	unsigned int		maxactive;
	struct probe_place	place;
	struct fetch_args	*args;
};

int probe_definition_build(struct probe_definition *def,
			   const struct probe_command *cmd,
			   const char *default_group,
			   const struct probe_lookup *lookup,
			   struct probe_error *err);
void probe_definition_free(struct probe_definition *def);

#endif /* _TRACE_KPROBE_DEFINITION_H */
