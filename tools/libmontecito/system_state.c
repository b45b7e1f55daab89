// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A system's state is taken out and put back: the machine's own blob and what
 * firmware and devices remember, at one instant. Nothing in a blob is trusted: what
 * the devices could not have come to by themselves is refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/firmware.h"

/* A saved system: this, the machine's blob, and struct system_state. */
#define SAVED_MAGIC 0x6d65747379736d6dULL
#define SAVED_VERSION 2

_Static_assert(!(sizeof(struct system_state) % 8), "the state is hashed by words");

struct saved_header {
	uint64_t magic;
	uint32_t version;
	uint32_t state_length;
	uint64_t machine_length;
};

static struct system_state system_state_of(const struct montecito_system *s)
{
	const struct montecito *m = s->m;
	struct system_state st = s->s;

	if (m->mmio)
		st.answer = (struct answer){
			.waits = 1,
			.vcpu = m->mmio_vcpu,
			.data = { m->mmio_data[0], m->mmio_data[1] },
		};
	return st;
}

int montecito_system_save(struct montecito_system *s, void **blob, size_t *len)
{
	const struct system_state st = system_state_of(s);
	struct saved_header h = {
		.magic = SAVED_MAGIC,
		.version = SAVED_VERSION,
		.state_length = sizeof(st),
	};
	size_t machine_len;
	void *machine;
	uint8_t *p;
	int err = montecito_save(s->m, &machine, &machine_len);

	if (err)
		return err;
	h.machine_length = machine_len;
	*len = sizeof(h) + machine_len + sizeof(st);
	p = malloc(*len);
	if (p) {
		memcpy(p, &h, sizeof(h));
		memcpy(p + sizeof(h), machine, machine_len);
		memcpy(p + sizeof(h) + machine_len, &st, sizeof(st));
	}
	free(machine);
	*blob = p;
	return p ? 0 : -ENOMEM;
}

static bool system_state_answer_valid(const struct montecito *m, const struct answer *a)
{
	return a->waits ? a->waits == 1 && a->vcpu < m->nr_vcpus
			: !a->vcpu && !a->data[0] && !a->data[1];
}

static bool system_state_matches_valid(const struct system_state *st)
{
	unsigned int i;

	for (i = 0; i < SYSTEM_LAST_WORDS; i++)
		if (!system_match_valid(i, st->match[i]))
			return false;
	return true;
}

static bool system_state_valid(const struct montecito *m, const struct system_state *st)
{
	/* A run may have gone a group further than the tick that is due. */
	return st->tick - st->now + SYSTEM_TICK <= 2 * SYSTEM_TICK && !(st->tick % SYSTEM_TICK) &&
	       st->tick_insns <= st->insns && st->idle <= st->tick / SYSTEM_TICK &&
	       st->in_line <= 1 && st->input_ended <= 1 && st->said <= SYSTEM_LAST_WORDS &&
	       !st->pad && system_state_matches_valid(st) && !(st->firmware.ap_entry & 15) &&
	       st->firmware.virtual_mode <= 1 && system_state_answer_valid(m, &st->answer) &&
	       iosapic_valid(&st->iosapic) && uart_valid(&st->uart) && acpi_pm_valid(&st->pm);
}

/* Nothing is changed but the reason that montecito_system_why() tells. */
static int system_state_refuse(struct montecito_system *s, const char *why)
{
	snprintf(s->why, sizeof(s->why), "%s", why);
	return -EINVAL;
}

/* Name the property in which a blob's machine differs from @m, as far as its head tells. */
static const char *system_state_other_machine(struct montecito *m, const uint8_t *blob,
					      uint64_t len)
{
	struct montecito_machine_info info;
	struct montecito_state_header h;

	if (len < sizeof(h) || montecito_machine_info(m, &info))
		return "damaged";
	memcpy(&h, blob, sizeof(h));
	if (h.magic != MONTECITO_STATE_MAGIC)
		return "damaged: it holds no machine";
	if (h.version != MONTECITO_STATE_VERSION)
		return "its machine was saved by another version";
	if (h.cores != info.cores || h.threads != info.threads)
		return "of a machine with other processors (--cores, --threads)";
	if (h.timing != info.timing)
		return h.timing ? "of a machine with time (--timing=on)"
				: "of a machine without time (--timing=off)";
	if (h.config != info.config)
		return "of a machine of another kind";
	if (h.length != len)
		return "damaged: its machine is cut off";
	return "of a machine with other memory or parameters (--memory, --param), or damaged";
}

int montecito_system_restore(struct montecito_system *s, const void *blob, size_t len)
{
	const uint64_t magic = SAVED_MAGIC;
	const uint8_t *p = blob;
	struct system_state st;
	struct saved_header h;
	int err;

	if (len < sizeof(h) || memcmp(p, &magic, sizeof(magic)))
		return system_state_refuse(s, "not the saved state of a system");
	memcpy(&h, p, sizeof(h));
	if (h.version != SAVED_VERSION || h.state_length != sizeof(st))
		return system_state_refuse(s, "saved by another version");
	if (h.machine_length != len - sizeof(h) - sizeof(st))
		return system_state_refuse(s, len - sizeof(h) < sizeof(st) + h.machine_length
						      ? "cut off"
						      : "damaged: longer than it says");
	memcpy(&st, p + sizeof(h) + h.machine_length, sizeof(st));
	if (!system_state_valid(s->m, &st))
		return system_state_refuse(s, "damaged: its devices cannot be in such a state");
	err = montecito_restore(s->m, p + sizeof(h), h.machine_length);
	if (err == -EINVAL)
		return system_state_refuse(s, system_state_other_machine(s->m, p + sizeof(h),
									 h.machine_length));
	if (err)
		return err;
	if (st.answer.waits)
		montecito_mmio_complete(s->m, st.answer.vcpu, st.answer.data);
	s->s = st;
	s->s.answer = (struct answer){ 0 };
	s->end = MONTECITO_END_NONE;
	s->why[0] = 0;
	return 0;
}

/* @hash with the @len bytes at @p, a whole number of words, added. */
static uint64_t system_state_hash_words(uint64_t hash, const void *p, size_t len)
{
	const char *at = p;
	uint64_t word;

	for (; len; len -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = (hash ^ word) * 0x100000001b3ULL;
		hash ^= hash >> 29;
	}
	return hash;
}

int montecito_system_hash(struct montecito_system *s, uint64_t *hash)
{
	const struct system_state st = system_state_of(s);
	int err = montecito_hash(s->m, hash);

	if (!err)
		*hash = system_state_hash_words(*hash, &st, sizeof(st));
	return err;
}

uint64_t montecito_system_received(const struct montecito_system *s)
{
	return s->s.received;
}
