// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshots for readers that do not lock the machine: each vcpu as it was at the end
 * of RUN's last slice, or after the last change that a command made. Readers never
 * wait.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/seqlock.h>
#include <linux/string.h>

#include "compat.h"
#include "host.h"
#include "pages.h"
#include "snapshot.h"

static struct montecito_snapshot *mhost_snapshot(struct mhost_machine *m, u32 vcpu)
{
	return m->snapshots.addr + vcpu * PAGE_SIZE;
}

/**
 * mhost_snapshot_init() - make room, one page a vcpu
 * @m: machine, not yet published
 *
 * Return: 0 or a negative errno.
 */
int mhost_snapshot_init(struct mhost_machine *m)
{
	int ret;
	u32 i;

	BUILD_BUG_ON(sizeof(struct montecito_snapshot) > PAGE_SIZE);
	seqcount_mutex_init(&m->snapshot_seq, &m->lock);
	ret = mhost_pages_alloc(&m->snapshots, m->nr_vcpus);
	if (ret)
		return ret;
	for (i = 0; i < m->nr_vcpus; i++) {
		mhost_snapshot(m, i)->length = sizeof(struct montecito_snapshot);
		mhost_snapshot(m, i)->vcpu = i;
		mhost_snapshot(m, i)->nr_causes = mhost_nr_causes();
	}
	return 0;
}

static void mhost_snapshot_take(struct mhost_machine *m, u32 vcpu, struct montecito_snapshot *s)
{
	struct mont_thread *t = mont_vcpu(m->pkg, vcpu);
	u64 *special[] = {
		[MONT_SPECIAL_IP] = &s->ip,	  [MONT_SPECIAL_PSR] = &s->psr,
		[MONT_SPECIAL_INSNS] = &s->insns, [MONT_SPECIAL_CYCLES] = &s->cycles,
		[MONT_SPECIAL_CLOCK] = &s->clock,
	};
	struct mont_cycles cycles;
	u64 v[2] = {};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(special); i++) {
		if (special[i] && !mont_reg_get(t, MONT_REG_SPECIAL, i, v))
			*special[i] = v[0];
	}
	v[0] = 0;
	mont_reg_get(t, MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, v);
	s->flags = (m->busy == MHOST_RUN ? MONTECITO_SNAPSHOT_RUNNING : 0) |
		   (v[0] ? MONTECITO_SNAPSHOT_HALTED : 0);
	mont_pmu_view(t, s->pmc, s->pmd);
	mont_cycles(t, &cycles);
	s->halted = cycles.halted;
	s->functional = cycles.functional;
	s->unstalled = cycles.unstalled;
	for (i = 0; i < s->nr_causes; i++)
		s->cause[i] = mont_cause_cycles(t, i);
}

/**
 * mhost_publish() - let readers see the machine as it is now
 * @m: machine, locked
 */
void mhost_publish(struct mhost_machine *m)
{
	u32 i;

	/* The kernel's readers go by snapshot_seq, those of a mapping by seq. */
	write_seqcount_begin(&m->snapshot_seq);
	for (i = 0; i < m->nr_vcpus; i++) {
		struct montecito_snapshot *s = mhost_snapshot(m, i);

		WRITE_ONCE(s->seq, s->seq + 1);
		smp_wmb(); /* odd before anything changes */
		mhost_snapshot_take(m, i, s);
		smp_wmb(); /* even after everything has */
		WRITE_ONCE(s->seq, s->seq + 1);
	}
	write_seqcount_end(&m->snapshot_seq);
}

/**
 * mhost_snapshot_read() - a vcpu as it was last published
 * @m: machine, referenced
 * @vcpu: which of its vcpus; exists
 * @s: filled
 *
 * Does not sleep.
 */
void mhost_snapshot_read(struct mhost_machine *m, u32 vcpu, struct montecito_snapshot *s)
{
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&m->snapshot_seq);
		memcpy(s, mhost_snapshot(m, vcpu), sizeof(*s));
	} while (read_seqcount_retry(&m->snapshot_seq, seq));
}

static vm_fault_t mhost_snapshot_fault(struct vm_fault *vmf)
{
	struct mhost_machine *m = vmf->vma->vm_private_data;
	unsigned long base = MONTECITO_MMAP_SNAPSHOT >> PAGE_SHIFT;

	if (vmf->pgoff < base)
		return VM_FAULT_SIGBUS;
	return mhost_pages_fault(&m->snapshots, vmf->pgoff - base, vmf);
}

static const struct vm_operations_struct mhost_snapshot_vm_ops = {
	.fault = mhost_snapshot_fault,
};

/**
 * mhost_snapshot_mmap() - map a snapshot for reading
 * @m: machine
 * @vcpu: which
 * @vma: the mapping
 *
 * Return: 0, or -EINVAL for a vcpu that is not there, another length, or a
 * mapping that is private or can be written.
 */
int mhost_snapshot_mmap(struct mhost_machine *m, unsigned long vcpu, struct vm_area_struct *vma)
{
	if (vcpu >= m->nr_vcpus || vma_pages(vma) != 1 || !(vma->vm_flags & VM_SHARED) ||
	    vma->vm_flags & VM_WRITE)
		return -EINVAL;
	vcpu = array_index_nospec(vcpu, m->nr_vcpus);
	mhost_vm_flags_clear(vma, VM_MAYWRITE);
	mhost_vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP);
	/* A vcpu's file has its own at the base; the fault counts from vcpu 0. */
	vma->vm_pgoff = (MONTECITO_MMAP_SNAPSHOT >> PAGE_SHIFT) + vcpu;
	vma->vm_private_data = m;
	vma->vm_ops = &mhost_snapshot_vm_ops;
	return 0;
}
