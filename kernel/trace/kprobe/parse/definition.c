// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a command to a definition.
 */
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "definition.h"

static void definition_copy_name(char *name, struct probe_span text)
{
	memcpy(name, text.text, text.len);
	name[text.len] = '\0';
}

static void definition_name_event(struct probe_definition *def,
				  const struct probe_command *cmd, const char *default_group)
{
	if (cmd->group.len)
		definition_copy_name(def->group, cmd->group);
	else
		strscpy(def->group, default_group, sizeof(def->group));
	if (cmd->event.len)
		definition_copy_name(def->event, cmd->event);
	else
		probe_location_event_name(&def->location, def->event);
}

/* A return probe in a module that is not loaded is checked when the module comes. */
static int definition_check_entry(const struct probe_definition *def, unsigned int column,
				  struct probe_error *err)
{
	const struct probe_function *function = &def->function;

	if (!def->location.is_return || function->is_entry || function->is_pending)
		return 0;
	if (!function->is_outside)
		return probe_error_set(err, PROBE_ERR_BAD_RETPROBE, column);
	probe_error_set(err, PROBE_ERR_BAD_PROBE_ADDR, column);
	return -ENOENT;
}

static int definition_find_function(struct probe_definition *def,
				    const struct probe_lookup *lookup, unsigned int column,
				    struct probe_error *err)
{
	struct probe_function *function = &def->function;
	int ret;

	ret = lookup->function(lookup, def->location.symbol, def->location.offset, function);
	if (ret == -EADDRNOTAVAIL)
		return probe_error_set(err, PROBE_ERR_NON_UNIQ_SYMBOL, column);
	if (ret)
		return probe_error_set(err, PROBE_ERR_BAD_PROBE_ADDR, column);
	return definition_check_entry(def, column, err);
}

/* A symbol that a probe in a module reads may be loaded with that module. */
static int definition_resolve_args(struct probe_definition *def,
				   const struct probe_lookup *lookup, struct probe_error *err)
{
	int ret = fetch_args_resolve(def->args, lookup, err);

	if (ret != -ENOENT || !def->function.is_pending)
		return ret;
	*err = (struct probe_error){};
	return 0;
}

static int definition_parse_args(struct probe_definition *def, const struct probe_command *cmd,
				 const struct probe_lookup *lookup, struct probe_error *err)
{
	struct fetch_context ctx = { &def->location, &def->function, lookup, err };
	struct fetch_args *args = fetch_args_parse(cmd, &ctx);

	fetch_context_end(&ctx);
	if (IS_ERR(args))
		return PTR_ERR(args);
	def->args = args;
	return definition_resolve_args(def, lookup, err);
}

/**
 * probe_definition_build() - check, look up and compile a command that defines a probe
 * @def:	the result; to be freed with probe_definition_free() in any case
 * @cmd:	a parsed command of kind PROBE_COMMAND_DEFINE; not needed later
 * @default_group: group of an event that is given none
 * @lookup:	the machine
 * @err:	why it was refused
 *
 * The caller must keep what @lookup finds in place until it has used @def.
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int probe_definition_build(struct probe_definition *def, const struct probe_command *cmd,
			   const char *default_group, const struct probe_lookup *lookup,
			   struct probe_error *err)
{
	int ret;

	*def = (struct probe_definition){ .maxactive = cmd->maxactive };
	ret = probe_location_parse(&def->location, cmd, err);
	if (!ret)
		ret = definition_find_function(def, lookup, cmd->location.column, err);
	if (ret)
		return ret;
	definition_name_event(def, cmd, default_group);
	return definition_parse_args(def, cmd, lookup, err);
}

/**
 * probe_definition_free() - free what a definition holds
 * @def: a definition, parts of which may have been taken
 *
 * Context: may sleep.
 */
void probe_definition_free(struct probe_definition *def)
{
	probe_location_free(&def->location);
	fetch_args_free(def->args);
	def->args = NULL;
}
