// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Descriptors of a process. They are numbers of its own in a table that leads to open files,
 * which may be descriptors of this process; 0, 1 and 2 are shared.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "files.h"
#include "perfmon.h"
#include "threads.h"

/* F_* of Linux that a C library may not name */
#define GUEST_F_DUPFD_CLOEXEC 1030
#define GUEST_F_GETPIPE_SZ 1032
/* O_* that F_GETFL tells */
#define STATUS_FLAGS                                                                               \
	(O_ACCMODE | O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_APPEND | O_NONBLOCK | O_DIRECTORY | \
	 O_NOFOLLOW | 0100000)

struct guest_file *file_of(const struct guest_process *p, uint64_t fd)
{
	return fd < NR_GUEST_FDS ? p->file[fd] : NULL;
}

int process_host_fd(const struct guest_process *p, uint64_t fd)
{
	return file_of(p, fd) ? p->file[fd]->host : -1;
}

int process_free_fd(const struct guest_process *p, unsigned int from)
{
	unsigned int fd;

	for (fd = from; fd < NR_GUEST_FDS; fd++)
		if (!p->file[fd])
			return fd;
	return -EMFILE;
}

int file_open(struct guest_process *p, unsigned int fd, int host)
{
	struct guest_file *f = calloc(1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	f->host = host;
	f->refs = 1;
	p->file[fd] = f;
	p->cloexec[fd] = false;
	return 0;
}

int file_perfmon(struct guest_process *p, unsigned int fd, struct perfmon *c)
{
	int err = file_open(p, fd, -1);

	if (!err)
		p->file[fd]->perfmon = c;
	return err;
}

int files_init(struct guest_process *p)
{
	unsigned int fd;
	int err = 0, host = 0;

	/* The caller's input is that of the first program. */
	if (p->run->opt.first) {
		host = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (host < 0)
			return -errno;
	}
	for (fd = 0; !err && fd < 3; fd++)
		err = file_open(p, fd, fd ? (int)fd : host);
	return err;
}

void files_copy(struct guest_process *to, const struct guest_process *p)
{
	unsigned int fd;

	for (fd = 0; fd < NR_GUEST_FDS; fd++) {
		to->file[fd] = p->file[fd];
		to->cloexec[fd] = p->cloexec[fd];
		if (to->file[fd])
			to->file[fd]->refs++;
	}
}

int file_put(struct montecito_process *run, struct guest_file *f)
{
	int err = 0;

	if (--f->refs)
		return 0;
	if (f->perfmon)
		err = perfmon_close(run, f->perfmon);
	else if (f->pipe)
		pipe_close(run, f);
	/* The host process goes on using descriptors 0, 1 and 2. */
	else if (f->host > 2 && close(f->host) < 0)
		err = -errno;
	free(f);
	return err;
}

int file_close(struct guest_process *p, unsigned int fd)
{
	struct guest_file *f = p->file[fd];

	p->file[fd] = NULL;
	return file_put(p->run, f);
}

void files_close(struct guest_process *p)
{
	unsigned int fd;

	for (fd = 0; fd < NR_GUEST_FDS; fd++)
		if (p->file[fd])
			file_close(p, fd);
}

void files_exec(struct guest_process *p)
{
	unsigned int fd;

	for (fd = 0; fd < NR_GUEST_FDS; fd++)
		if (p->file[fd] && p->cloexec[fd])
			file_close(p, fd);
}

/* ---- system calls ---- */

int64_t sys_close(struct guest_process *p, const uint64_t *arg)
{
	return file_of(p, (uint32_t)arg[0]) ? file_close(p, (uint32_t)arg[0]) : -EBADF;
}

/* Descriptor @to leads where @from does, whatever it was before. */
static int64_t files_lead(struct guest_process *p, uint32_t from, uint32_t to, bool cloexec)
{
	p->file[from]->refs++;
	if (p->file[to])
		file_close(p, to);
	p->file[to] = p->file[from];
	p->cloexec[to] = cloexec;
	return to;
}

static int64_t files_dup_from(struct guest_process *p, uint32_t fd, uint64_t from, bool cloexec)
{
	int to;

	if (!file_of(p, fd))
		return -EBADF;
	if (from >= NR_GUEST_FDS)
		return -EINVAL;
	to = process_free_fd(p, from);
	return to < 0 ? to : files_lead(p, fd, to, cloexec);
}

int64_t sys_dup(struct guest_process *p, const uint64_t *arg)
{
	return files_dup_from(p, arg[0], 0, false);
}

int64_t sys_dup2(struct guest_process *p, const uint64_t *arg)
{
	uint32_t from = arg[0], to = arg[1];

	if (!file_of(p, from) || to >= NR_GUEST_FDS)
		return -EBADF;
	return from == to ? to : files_lead(p, from, to, false);
}

int64_t sys_dup3(struct guest_process *p, const uint64_t *arg)
{
	uint32_t from = arg[0], to = arg[1];

	if ((uint32_t)arg[2] & ~GUEST_O_CLOEXEC || from == to)
		return -EINVAL;
	if (!file_of(p, from) || to >= NR_GUEST_FDS)
		return -EBADF;
	return files_lead(p, from, to, arg[2] & GUEST_O_CLOEXEC);
}

static int64_t files_pipe_fcntl(struct guest_file *f, uint64_t cmd, uint64_t arg)
{
	switch (cmd) {
	case F_GETFL:
		return (f->writes ? O_WRONLY : O_RDONLY) | (f->nonblock ? GUEST_O_NONBLOCK : 0);
	case F_SETFL:
		f->nonblock = arg & GUEST_O_NONBLOCK;
		return 0;
	case GUEST_F_GETPIPE_SZ:
		return pipe_size(f);
	default:
		return -EINVAL;
	}
}

static int64_t files_host_fcntl(int fd, uint64_t cmd, uint64_t arg)
{
	int res;

	switch (cmd) {
	case F_GETFL:
		res = fcntl(fd, F_GETFL);
		return res < 0 ? -errno : res & STATUS_FLAGS;
	case F_SETFL:
		/* Descriptors 0 to 2 are shared with others, who set theirs. */
		if (fd > 2 && fcntl(fd, F_SETFL, arg & (O_APPEND | O_NONBLOCK)) < 0)
			return -errno;
		return 0;
	default:
		return -EINVAL;
	}
}

/* Descriptor, command, its argument */
int64_t sys_fcntl(struct guest_process *p, const uint64_t *arg)
{
	uint32_t fd = arg[0];
	struct guest_file *f = file_of(p, fd);

	if (!f)
		return -EBADF;
	switch (arg[1]) {
	case F_DUPFD:
		return files_dup_from(p, fd, arg[2], false);
	case GUEST_F_DUPFD_CLOEXEC:
		return files_dup_from(p, fd, arg[2], true);
	case F_GETFD:
		return p->cloexec[fd] ? FD_CLOEXEC : 0;
	case F_SETFD:
		p->cloexec[fd] = arg[2] & FD_CLOEXEC;
		return 0;
	}
	if (f->perfmon)
		return perfmon_fcntl(f->perfmon, arg[1], arg[2]);
	return f->pipe ? files_pipe_fcntl(f, arg[1], arg[2])
		       : files_host_fcntl(f->host, arg[1], arg[2]);
}
