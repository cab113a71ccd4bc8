/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints definitions, programs and refusals as text.
 */
#ifndef _DESCRIBE_H
#define _DESCRIBE_H

#include <stdio.h>

#include "definition.h"

const char *describe_error_name(enum probe_error_id id);
void describe_refusal(FILE *out, const struct probe_command *cmd,
		      const struct probe_error *err, int ret);
void describe_delete(FILE *out, const struct probe_command *cmd);
void describe_line(FILE *out, const struct probe_definition *def);
void describe_programs(FILE *out, const struct probe_definition *def);

#endif /* _DESCRIBE_H */
