// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages to a core by the bus, by cycle (manual 2.5). There are few at a time: the first one is
 * searched where one is put in or taken out, and looked at in each turn.
 */
#include "inbox.h"

/* The cycle in which the first message of @q arrives; 0: there is none. */
static u64 message_next(const struct mont_inbox *q)
{
	u64 next = 0;
	u32 i;

	for (i = 0; i < q->nr; i++)
		if (!next || q->of[i].at < next)
			next = q->of[i].at;
	return next;
}

void mont_inbox_find_next(struct mont_inbox *q)
{
	q->next = message_next(q);
}

void mont_inbox_add(struct mont_inbox *q, struct mont_message of)
{
	if (q->nr == MONT_NR_MESSAGES)
		return;
	q->of[q->nr++] = of;
	mont_inbox_find_next(q);
}

bool mont_inbox_take(struct mont_inbox *q, u64 now, struct mont_message *of)
{
	u32 i, first = 0;

	if (!q->next || q->next > now)
		return false;
	while (q->of[first].at != q->next)
		first++;
	*of = q->of[first];
	q->nr--;
	for (i = first; i < q->nr; i++)
		q->of[i] = q->of[i + 1];
	q->of[q->nr] = (struct mont_message){ .at = 0 };
	mont_inbox_find_next(q);
	return true;
}

bool mont_inbox_can_wake(const struct mont_inbox *q)
{
	u32 i;

	for (i = 0; i < q->nr; i++)
		if (q->of[i].kind != MONT_MESSAGE_SNOOP)
			return true;
	return false;
}

static bool message_is_valid(const struct mont_message *of)
{
	if (!of->at || of->core >= MONT_MAX_CORES || of->issued > 1)
		return false;
	switch (of->kind) {
	case MONT_MESSAGE_INTERRUPT:
		return of->value <= 255 && !of->ps;
	case MONT_MESSAGE_PURGE:
	case MONT_MESSAGE_PURGE_ALAT:
		return of->ps < 64;
	case MONT_MESSAGE_SNOOP:
		return of->value && of->value <= (MONT_MESSAGE_FILL | MONT_MESSAGE_VICTIM) &&
		       !of->address && !of->core && !of->ps && !of->issued;
	default:
		return false;
	}
}

/* One that is full would lose the next snoop. */
bool mont_inbox_valid(const struct mont_inbox *q)
{
	static const struct mont_message none;
	u32 i;

	if (q->nr >= MONT_NR_MESSAGES)
		return false;
	for (i = 0; i < MONT_NR_MESSAGES; i++)
		if (i < q->nr ? !message_is_valid(&q->of[i])
			      : __builtin_memcmp(&q->of[i], &none, sizeof(none)) != 0)
			return false;
	return q->next == message_next(q);
}
