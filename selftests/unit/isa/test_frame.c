// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register maps against their definition (SDM volume 1, 4.1 and 4.5.1): stacked
 * register 32 + i of a frame is physical register bof + i, its first sor
 * registers rotated by rrb.gr; floating-point registers from f32 on are rotated
 * by rrb.fr. Frames follow each other as they do on calls and returns: of an
 * earlier, larger one nothing may be left.
 */
#include <stdbool.h>
#include <stdio.h>

#include "arch/rse.h"

static struct mont_thread thread;
static u64 seed = 1;

static u32 below(u32 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % n;
}

static unsigned int gr(const struct mont_thread *t, u32 i)
{
	if (i >= t->s.sof)
		return 0;
	if (i < t->s.sor)
		i = (i + t->s.rrb_gr) % t->s.sor;
	return 32 + (t->s.bof + i) % 96;
}

static bool right(const struct mont_thread *t)
{
	for (u32 i = 0; i < 32; i++)
		if (t->grmap[i] != i || t->frmap[i] != i)
			return false;
	for (u32 i = 0; i < 96; i++)
		if (t->grmap[32 + i] != gr(t, i) || t->frmap[32 + i] != 32 + (i + t->s.rrb_fr) % 96)
			return false;
	return true;
}

int main(void)
{
	struct mont_thread *t = &thread;
	int wrong = 0, all = 200000;

	for (u32 i = 0; i < 32; i++)
		t->grmap[i] = i;
	for (int n = 0; n < all; n++) {
		t->s.bof = below(96);
		t->s.sof = below(97);
		t->s.sor = below(2) ? 8 * below(t->s.sof / 8 + 1) : 0;
		t->s.rrb_gr = t->s.sor ? below(t->s.sor) : 0;
		t->s.rrb_fr = below(96);
		mont_frame_changed(t);
		mont_fr_rotated(t);
		wrong += !right(t);
	}
	printf("%sok 1 - maps of %d frames, %d wrong\n1..1\n", wrong ? "not " : "", all, wrong);
	return !!wrong;
}
