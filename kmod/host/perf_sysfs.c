// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU in sysfs: the fields of an event (format/), every row of events.def that a
 * machine with time counts (events/), and what perf can have of it here (caps/).
 */
#include <linux/ctype.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "perf.h"

/* As MHOST_PERF_* */
PMU_FORMAT_ATTR(event, "config:0-7");
PMU_FORMAT_ATTR(umask, "config:8-11");
PMU_FORMAT_ATTR(threshold, "config:12-14");
PMU_FORMAT_ATTR(plm, "config:16-19");
PMU_FORMAT_ATTR(ear, "config:20-22");
PMU_FORMAT_ATTR(ear_umask, "config:24-31");
PMU_FORMAT_ATTR(machine, "config1:0-31");
PMU_FORMAT_ATTR(vcpus, "config1:32-35");

static struct attribute *mhost_perf_format[] = {
	&format_attr_event.attr,   &format_attr_umask.attr, &format_attr_threshold.attr,
	&format_attr_plm.attr,	   &format_attr_ear.attr,   &format_attr_ear_umask.attr,
	&format_attr_machine.attr, &format_attr_vcpus.attr, NULL,
};

static const struct attribute_group mhost_perf_format_group = {
	.name = "format",
	.attrs = mhost_perf_format,
};

static ssize_t sampling_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%d\n", mhost_perf_sampling);
}
static DEVICE_ATTR_RO(sampling);

static ssize_t max_events_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%d\n", MHOST_MAX_PERF_EVENTS);
}
static DEVICE_ATTR_RO(max_events);

static ssize_t max_samplers_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%d\n", MHOST_MAX_PERF_SAMPLERS);
}
static DEVICE_ATTR_RO(max_samplers);

static struct attribute *mhost_perf_caps[] = {
	&dev_attr_sampling.attr,
	&dev_attr_max_events.attr,
	&dev_attr_max_samplers.attr,
	NULL,
};

static const struct attribute_group mhost_perf_caps_group = {
	.name = "caps",
	.attrs = mhost_perf_caps,
};

/* One for each row that is counted, made by mhost_perf_names_init(). */
static struct dev_ext_attribute *mhost_perf_rows;
static char *mhost_perf_names;
static struct attribute *mhost_perf_events[MONT_NR_EVENTS + 1];

static const struct attribute_group mhost_perf_events_group = {
	.name = "events",
	.attrs = mhost_perf_events,
};

const struct attribute_group *mhost_perf_groups[] = {
	&mhost_perf_format_group,
	&mhost_perf_events_group,
	&mhost_perf_caps_group,
	NULL,
};

static ssize_t mhost_perf_event_show(struct device *dev, struct device_attribute *attr, char *page)
{
	const struct mont_event *e = container_of(attr, struct dev_ext_attribute, attr)->var;
	int n = sysfs_emit(page, "event=%#x,umask=%#x", e->code, e->umask);

	if (e->ear)
		n += sysfs_emit_at(page, n, ",ear=%#x,ear_umask=%#x", e->ear, e->ear_umask);
	return n + sysfs_emit_at(page, n, "\n");
}

/**
 * mhost_perf_names_init() - make events/: the names of events.def in lower case
 *
 * Return: 0 or -ENOMEM.
 */
int mhost_perf_names_init(void)
{
	unsigned int i, n = 0;
	size_t size = 0;
	char *to;

	for (i = 0; i < MONT_NR_EVENTS; i++)
		size += strlen(mont_event_at(i)->name) + 1;
	to = kmalloc(size, GFP_KERNEL);
	mhost_perf_names = to;
	mhost_perf_rows = kcalloc(MONT_NR_EVENTS, sizeof(*mhost_perf_rows), GFP_KERNEL);
	if (!to || !mhost_perf_rows) {
		mhost_perf_names_exit();
		return -ENOMEM;
	}
	for (i = 0; i < MONT_NR_EVENTS; i++) {
		const struct mont_event *e = mont_event_at(i);
		struct dev_ext_attribute *a = &mhost_perf_rows[n];
		const char *from = e->name;

		if (mont_event_refusal(e, MONT_HAS_TIME))
			continue;
		sysfs_attr_init(&a->attr.attr);
		a->attr.attr.name = to;
		a->attr.attr.mode = 0444;
		a->attr.show = mhost_perf_event_show;
		a->var = (void *)e;
		do {
			*to++ = tolower(*from);
		} while (*from++);
		mhost_perf_events[n++] = &a->attr.attr;
	}
	return 0;
}

/**
 * mhost_perf_names_exit() - undo mhost_perf_names_init()
 */
void mhost_perf_names_exit(void)
{
	kfree(mhost_perf_names);
	kfree(mhost_perf_rows);
}
