// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BTF as a provider of C types: an owner is a struct btf, an id one of its type ids.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "../trace.h"
#include "btf.h"

static const struct btf *btf_c_owner(struct probe_c_type type)
{
	return type.owner;
}

static const char *btf_c_name(const struct btf *btf, u32 offset)
{
	const char *name = btf_name_by_offset(btf, offset);

	return name && *name ? name : NULL;
}

static enum probe_c_kind btf_c_kind(const struct btf_type *t)
{
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_UNKN:
		return PROBE_C_VOID;
	case BTF_KIND_INT:
		return PROBE_C_INT;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return PROBE_C_ENUM;
	case BTF_KIND_FLOAT:
		return PROBE_C_FLOAT;
	case BTF_KIND_PTR:
		return PROBE_C_POINTER;
	case BTF_KIND_ARRAY:
		return PROBE_C_ARRAY;
	case BTF_KIND_STRUCT:
		return PROBE_C_STRUCT;
	case BTF_KIND_UNION:
		return PROBE_C_UNION;
	case BTF_KIND_FUNC_PROTO:
		return PROBE_C_FUNCTION;
	default:
		return PROBE_C_UNKNOWN;
	}
}

/* A parameter of type 0 at the end stands for "...". */
static void btf_c_describe_function(const struct btf_type *t, struct probe_c_info *info)
{
	const struct btf_param *parameters = (const struct btf_param *)(t + 1);

	info->count = btf_type_vlen(t);
	info->is_variadic = info->count && !parameters[info->count - 1].type;
	info->count -= info->is_variadic;
	info->target.id = t->type;
}

static void btf_c_describe_more(const struct btf_type *t, struct probe_c_info *info)
{
	switch (info->kind) {
	case PROBE_C_INT:
		info->is_signed = btf_type_is_signed_int(t);
		break;
	case PROBE_C_ENUM:
		info->is_signed = btf_type_kflag(t);
		break;
	case PROBE_C_POINTER:
		info->target.id = t->type;
		break;
	case PROBE_C_ARRAY:
		info->target.id = btf_array(t)->type;
		info->count = btf_array(t)->nelems;
		break;
	case PROBE_C_STRUCT:
	case PROBE_C_UNION:
		info->count = btf_type_vlen(t);
		break;
	case PROBE_C_FUNCTION:
		btf_c_describe_function(t, info);
		break;
	default:
		break;
	}
}

static int btf_c_describe(struct probe_c_type type, struct probe_c_info *info)
{
	const struct btf *btf = btf_c_owner(type);
	const struct btf_type *t = btf ? btf_type_skip_modifiers(btf, type.id, NULL) : NULL;

	*info = (struct probe_c_info){ .target.owner = btf };
	if (!t)
		return -EINVAL;
	info->kind = btf_c_kind(t);
	info->name = btf_c_name(btf, t->name_off);
	btf_c_describe_more(t, info);
	if (info->kind != PROBE_C_VOID && info->kind != PROBE_C_FUNCTION &&
	    IS_ERR(btf_resolve_size(btf, t, &info->size)))
		info->kind = PROBE_C_UNKNOWN;
	return 0;
}

static void btf_c_parameter(const struct btf *btf, const struct btf_param *parameter,
			    struct probe_c_member *member)
{
	member->name = btf_c_name(btf, parameter->name_off);
	member->type.id = parameter->type;
}

static void btf_c_field(const struct btf *btf, const struct btf_type *t, unsigned int nr,
			struct probe_c_member *member)
{
	const struct btf_member *field = btf_type_member(t) + nr;

	member->name = btf_c_name(btf, field->name_off);
	member->type.id = field->type;
	member->bit_offset = __btf_member_bit_offset(t, field);
	member->bit_width = __btf_member_bitfield_size(t, field);
}

static int btf_c_member(struct probe_c_type type, unsigned int nr,
			struct probe_c_member *member)
{
	const struct btf *btf = btf_c_owner(type);
	const struct btf_type *t = btf ? btf_type_skip_modifiers(btf, type.id, NULL) : NULL;

	if (!t || nr >= btf_type_vlen(t))
		return -EINVAL;
	*member = (struct probe_c_member){ .type.owner = btf };
	if (btf_type_is_func_proto(t))
		btf_c_parameter(btf, (const struct btf_param *)(t + 1) + nr, member);
	else if (btf_type_is_struct(t))
		btf_c_field(btf, t, nr, member);
	else
		return -EINVAL;
	return 0;
}

static void btf_c_release(const void *owner)
{
	btf_put((struct btf *)owner);
}

const struct probe_c_types btf_c_types = {
	.describe	= btf_c_describe,
	.member		= btf_c_member,
	.release	= btf_c_release,
};

static struct module *btf_c_module(unsigned long address)
{
	guard(preempt)();
	return __module_address(address);
}

/* Types of a module follow those of the kernel that it uses. */
static s32 btf_c_find_function(const struct btf *btf, const char *name)
{
	const struct btf *base = btf_base_btf(btf);
	u32 id = base ? btf_nr_types(base) : 1;

	for (; id < btf_nr_types(btf); id++) {
		const struct btf_type *t = btf_type_by_id(btf, id);

		if (btf_type_is_func(t) && !strcmp(btf_name_by_offset(btf, t->name_off), name))
			return t->type;
	}
	return -ENOENT;
}

/**
 * btf_c_prototype() - find the prototype of a function
 * @name: the function, without its module
 * @address: an address in it; it tells functions of one name apart
 * @type: gets its type, with a reference to the owner
 *
 * Context: may sleep; event_mutex keeps the module.
 * Return: 0; -EOPNOTSUPP if the kernel has no BTF, -ENODATA if the module has none,
 *	-ENOENT if BTF does not have the function.
 */
int btf_c_prototype(const char *name, unsigned long address, struct probe_c_type *type)
{
	const struct module *module = btf_c_module(address);
	struct btf *btf = btf_get_module_btf(module);
	s32 id;

	lockdep_assert_held(&event_mutex);
	if (IS_ERR_OR_NULL(btf))
		return module ? -ENODATA : -EOPNOTSUPP;
	id = btf_c_find_function(btf, name);
	if (id < 0) {
		btf_put(btf);
		return id;
	}
	*type = (struct probe_c_type){ btf, id };
	return 0;
}
