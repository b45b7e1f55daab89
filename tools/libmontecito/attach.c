// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A machine that another process has: its file descriptor, by pidfd_getfd(2). The
 * kernel asks what it would ask before a ptrace(2), so this is for the same
 * user's processes, and for who may trace others'.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libmontecito.h"

/* The number of the machine that descriptor @fd of @pid is of, or 0. */
static uint32_t attach_machine_of(pid_t pid, int fd)
{
	char path[64], line[128];
	uint32_t id = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)pid, fd);
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (!id && fgets(line, sizeof(line), f))
		if (sscanf(line, "montecito-machine:%" SCNu32, &id) != 1)
			id = 0;
	fclose(f);
	return id;
}

/* Descriptor of the machine in process @pid; @machine 0 for the only one, and set to that. */
static int attach_find(pid_t pid, uint32_t *machine)
{
	char path[64];
	struct dirent *e;
	uint32_t seen = 0;
	int fd = -ENOENT;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo", (int)pid);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? -ESRCH : errno == EACCES ? -EPERM : -errno;
	while ((e = readdir(dir))) {
		int n = atoi(e->d_name);
		uint32_t id = *e->d_name == '.' ? 0 : attach_machine_of(pid, n);

		if (!id || (*machine && id != *machine))
			continue;
		if (seen && id != seen) {
			fd = -ENOTUNIQ;
			break;
		}
		seen = id;
		fd = n;
	}
	closedir(dir);
	if (fd >= 0)
		*machine = seen;
	return fd;
}

int montecito_attach(pid_t pid, uint32_t *machine)
{
	struct montecito_machine_info info = { .size = sizeof(info) };
	int pidfd = syscall(SYS_pidfd_open, pid, 0), theirs, fd;

	if (pidfd < 0)
		return -errno;
	theirs = attach_find(pid, machine);
	fd = theirs < 0 ? theirs : syscall(SYS_pidfd_getfd, pidfd, theirs, 0);
	if (fd == -1)
		fd = -errno;
	close(pidfd);
	/* The process may have closed it and opened something else meanwhile. */
	if (fd >= 0 && (ioctl(fd, MONTECITO_MACHINE_INFO, &info) < 0 || info.id != *machine)) {
		close(fd);
		fd = -ENOENT;
	}
	return fd;
}

int montecito_attached_reg_set(int fd, bool pmc, uint32_t vcpu, uint32_t index, uint64_t value)
{
	struct montecito_vcpu v = { .size = sizeof(v), .index = vcpu };
	struct montecito_reg reg = {
		.cls = pmc ? MONTECITO_REG_PMC : MONTECITO_REG_PMD,
		.index = index,
		.value = { value },
	};
	struct montecito_regs regs = {
		.size = sizeof(regs),
		.count = 1,
		.regs = (uintptr_t)&reg,
	};
	int err = 0, vfd = ioctl(fd, MONTECITO_VCPU, &v);

	if (vfd < 0)
		return -errno;
	if (ioctl(vfd, MONTECITO_SET_REGS, &regs) < 0)
		err = -errno;
	close(vfd);
	return err;
}
