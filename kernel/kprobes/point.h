/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_POINT_H
#define _KERNEL_KPROBES_POINT_H
/*
 * The point: one probed address, with its instruction, its clients and its state.
 */
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/types.h>

/* A client's flags say that it is not called */
#define KPROBE_FLAGS_SILENT	(KPROBE_FLAG_DISABLED | KPROBE_FLAG_GONE)

/* After this many points without memory for a jump, the others wait for the next try */
#define KPROBE_NOMEM_MAX	64

struct ftrace_source;
struct kprobe_insn;
struct kprobe_method;
struct kprobe_place;
struct kprobe_wide;

/**
 * enum kprobe_state - how a point gets control now
 * @KPROBE_STATE_NONE: not at all; the text is the original
 * @KPROBE_STATE_FTRACE: the function's ftrace site calls us
 * @KPROBE_STATE_TRAP: a trap instruction in the text
 * @KPROBE_STATE_TRAP_WIDE: the same, and hits go on after all the instructions that a jump
 *	would replace; see window.c
 * @KPROBE_STATE_JUMP: a branch to a detour
 *
 * The moves between them stand in the head of point.c.
 */
enum kprobe_state {
	KPROBE_STATE_NONE,
	KPROBE_STATE_FTRACE,
	KPROBE_STATE_TRAP,
	KPROBE_STATE_TRAP_WIDE,
	KPROBE_STATE_JUMP,
};

/**
 * struct ftrace_point - what the ftrace method keeps of a point
 * @by: where hits that count come from; NULL while not armed
 * @era: number of the time since when hits come, or came, from ftrace_source_ipmodify; 0 if
 *	there can be no note of such a hit
 * @filters: a bit for each source that has the address in its filter
 */
struct ftrace_point {
	struct ftrace_source	*by;		/* [R] */
	u32			era;		/* [R] */
	u8			filters;	/* [M] */
};

/**
 * struct kprobe_point - a probed address
 * @addr: the address, as clients have it in kprobe::addr
 * @clients: the kprobes registered there, newest first
 * @sole: the only client, if a hit may call it without a question: it is enabled and
 *	reentrant, has a pre-handler and no post-handler, and the point is settled.
 *	Otherwise NULL
 * @method: the method that has the text, or will have it; see kprobe_method::over
 * @upgrade: the upgrade that has prepared @data, or NULL
 * @state: an enum kprobe_state
 * @on_entry: the address is where a function begins
 * @emulated: kprobe_insn::emulated of @insn, for jumps
 * @post: some enabled client has a post-handler
 * @gone: the code has been freed: the point is not in the table but among the points
 *	whose clients have yet to unregister
 * @wanted: as of the present commit, a hit has a client to go to
 * @late: the text has yet to be put back, or there was no memory for the upgrade: a worker
 *	tries again, as it does if @error says that the point is not armed, and it is @wanted
 * @window_refusal: why no jump can replace several instructions, an enum kprobe_window_refusal
 * @error: why the present commit could not arm the point
 * @insn: its instruction; NULL for an ftrace site, which keeps its own
 * @wide: the instructions that a jump would replace, and their copies, once known
 * @ftrace: for the ftrace method
 * @data: for the upgrade, of which there is none over the ftrace method; the detour of a jump
 * @batch: in the batch that is being committed, or in one to be freed with
 * @gone_link: among the points that are gone
 *
 * Made for the first client of an address, and owned by the core. It leaves the
 * table with the last client and is freed by that client's batch, after the grace
 * period that the methods want. A point without clients stays only while @late.
 */
struct kprobe_point {
	unsigned long			addr;		/* [I] */
	struct list_head		clients;	/* [R] */
	struct kprobe			*sole;		/* [R] */
	const struct kprobe_method	*method;	/* [M] */
	const struct kprobe_method	*upgrade;	/* [M] */
	u8				state;		/* [M] */
	bool				on_entry;	/* [I] */
	bool				emulated;	/* [I] */
	bool				post;		/* [R] */
	bool				gone : 1;	/* [M] */
	bool				wanted : 1;	/* [M] */
	bool				late : 1;	/* [M] */
	u8				window_refusal;	/* [M] */
	s16				error;		/* [M] */
	struct kprobe_insn		*insn;		/* [I] */
	struct kprobe_wide		*wide;		/* [M] */
	union {
		struct ftrace_point	ftrace;
		void			*data;		/* [R] */
	};
	struct list_head		batch;		/* [M] */
	struct hlist_node		gone_link;	/* [M] */
};

/* point.c */
void kprobe_points_sort(struct list_head *points);
struct kprobe_point *kprobe_point_make(struct kprobe_place *place);
void kprobe_point_free(struct kprobe_point *point);
bool kprobe_point_has(const struct kprobe_point *point, const struct kprobe *p);
void kprobe_point_narrow(struct kprobe_point *point);
void kprobe_point_note_post(struct kprobe_point *point);
void kprobe_point_note_sole(struct kprobe_point *point);
void kprobe_point_add_client(struct kprobe_point *point, struct kprobe *p, u32 flags);
void kprobe_point_remove_client(struct kprobe_point *point, struct kprobe *p);
void kprobe_point_set_method(struct kprobe_point *point, const struct kprobe_method *method);
int kprobe_upgrade_prepare(struct kprobe_point *point, const struct kprobe_method *method);
void kprobe_upgrade_prepare_all(struct list_head *points, const struct kprobe_method *method,
				struct list_head *refused);

#endif /* _KERNEL_KPROBES_POINT_H */
