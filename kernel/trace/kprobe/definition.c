// SPDX-License-Identifier: GPL-2.0
/*
 * Make a definition of a command.
 */
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/string.h>

#include "definition.h"

static void copy_name(char *name, struct probe_span text)
{
	memcpy(name, text.text, text.len);
	name[text.len] = '\0';
}

static void name_event(struct probe_definition *def,
		       const struct probe_command *cmd,
		       const char *default_group)
{
	if (cmd->group.len)
		copy_name(def->group, cmd->group);
	else
		strscpy(def->group, default_group, sizeof(def->group));
	if (cmd->event.len)
		copy_name(def->event, cmd->event);
	else
		probe_place_event_name(&def->place, def->event);
}

/* What a probe in a module not loaded yet reads may come with that module. */
static int resolve_args(struct probe_definition *def,
			const struct probe_lookup *lookup,
			struct probe_error *err)
{
	int ret = fetch_args_resolve(def->args, lookup, err);

	if (!ret || !def->place.is_pending)
		return ret;
	*err = (struct probe_error){};
	return 0;
}

/**
 * probe_definition_build - check and compile a command that defines a probe
 * @def:	the result; to be freed with probe_definition_free() in any case
 * @cmd:	a parsed command of kind PROBE_COMMAND_DEFINE; not needed later
 * @default_group: group of an event that is given none
 * @lookup:	the machine
 * @err:	why it was refused
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int probe_definition_build(struct probe_definition *def,
			   const struct probe_command *cmd,
			   const char *default_group,
			   const struct probe_lookup *lookup,
			   struct probe_error *err)
{
	int ret;

	*def = (struct probe_definition){ .maxactive = cmd->maxactive };
	ret = probe_place_parse(&def->place, cmd, lookup, err);
	if (ret)
		return ret;
	name_event(def, cmd, default_group);
	def->args = fetch_args_parse(cmd, &def->place, lookup, err);
	if (IS_ERR(def->args)) {
		ret = PTR_ERR(def->args);
		def->args = NULL;
		return ret;
	}
	return resolve_args(def, lookup, err);
}

/**
 * probe_definition_free - free what a definition holds
 * @def: a definition, parts of which may have been taken
 *
 * Context: may sleep.
 */
void probe_definition_free(struct probe_definition *def)
{
	probe_place_free(&def->place);
	fetch_args_free(def->args);
	def->args = NULL;
}
