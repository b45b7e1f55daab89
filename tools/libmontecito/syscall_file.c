// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * System calls on files. The program's descriptors are numbers of its own in a
 * table that leads to descriptors of this process; 0, 1 and 2 are shared.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "perfmon.h"
#include "signals.h"
#include "threads.h"

/* O_* that mean the same on ia64 and on every host this builds on. */
#define OPEN_FLAGS                                                                               \
	(O_ACCMODE | O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_APPEND | O_NONBLOCK | O_CLOEXEC | \
	 O_DIRECTORY | O_NOFOLLOW)
#define GUEST_O_LARGEFILE 0100000
#define GUEST_IOV_MAX 1024
/* Most bytes one call moves; more is a short transfer. */
#define MAX_TRANSFER (16UL << 20)
#define GUEST_TIOCGWINSZ 0x5413

/* struct stat of Linux/ia64 */
struct guest_stat {
	uint64_t dev;
	uint64_t ino;
	uint64_t nlink;
	uint32_t mode;
	uint32_t uid;
	uint32_t gid;
	uint32_t pad0;
	uint64_t rdev;
	uint64_t size;
	uint64_t atime;
	uint64_t atime_nsec;
	uint64_t mtime;
	uint64_t mtime_nsec;
	uint64_t ctime;
	uint64_t ctime_nsec;
	uint64_t blksize;
	int64_t blocks;
	uint64_t unused[3];
};

int process_host_fd(const struct guest_process *p, uint64_t fd)
{
	return fd < NR_GUEST_FDS && p->file[fd] ? p->file[fd]->host : -1;
}

int process_free_fd(const struct guest_process *p)
{
	int fd;

	for (fd = 0; fd < NR_GUEST_FDS; fd++)
		if (!p->file[fd])
			return fd;
	return -EMFILE;
}

static int file_open(struct guest_process *p, unsigned int fd, int host, struct perfmon *c)
{
	struct guest_file *f = calloc(1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	f->host = host;
	f->perfmon = c;
	f->refs = 1;
	p->file[fd] = f;
	p->cloexec[fd] = false;
	return 0;
}

int file_perfmon(struct guest_process *p, unsigned int fd, struct perfmon *c)
{
	return file_open(p, fd, -1, c);
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
		err = file_open(p, fd, fd ? (int)fd : host, NULL);
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

int file_close(struct guest_process *p, unsigned int fd)
{
	struct guest_file *f = p->file[fd];
	int err = 0;

	p->file[fd] = NULL;
	if (--f->refs)
		return 0;
	if (f->perfmon)
		err = perfmon_close(p->run, f->perfmon);
	/* The host process goes on using descriptors 0, 1 and 2. */
	else if (f->host > 2 && close(f->host) < 0)
		err = -errno;
	free(f);
	return err;
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

struct guest_iovec {
	uint64_t base;
	uint64_t len;
};

/* Copy between @buf and the guest's pieces: bytes before one that is not there. */
static size_t copy_pieces(struct guest_process *p, const struct guest_iovec *iov, size_t nr,
			  char *buf, size_t len, bool to_guest)
{
	size_t done = 0, i;

	for (i = 0; i < nr; i++) {
		uint64_t at = 0;

		while (at < iov[i].len && done < len) {
			size_t n;
			void *ptr = uvm_ptr(p->vm, iov[i].base + at,
					    to_guest ? UVM_WRITE : UVM_READ, &n);

			if (!ptr)
				return done;
			if (n > iov[i].len - at)
				n = iov[i].len - at;
			if (n > len - done)
				n = len - done;
			if (!to_guest)
				memcpy(buf + done, ptr, n);
			else if (uvm_write(p->vm, iov[i].base + at, buf + done, n))
				return done;
			at += n;
			done += n;
		}
	}
	return done;
}

/* Bytes of the pieces that the guest may read or write, from the first on. */
static size_t reachable(struct guest_process *p, const struct guest_iovec *iov, size_t nr,
			size_t len, bool to_guest)
{
	size_t done = 0, i;

	for (i = 0; i < nr; i++) {
		uint64_t at = 0;

		while (at < iov[i].len && done < len) {
			size_t n;

			if (!uvm_ptr(p->vm, iov[i].base + at, to_guest ? UVM_WRITE : UVM_READ, &n))
				return done;
			if (n > iov[i].len - at)
				n = iov[i].len - at;
			at += n;
			done += n;
		}
	}
	return done < len ? done : len;
}

/*
 * Random bytes of a program are those of SplitMix64, seeded alike in each run: a second
 * run must be the same run (AT_RANDOM is fixed for the same reason).
 */
static void random_bytes(struct guest_process *p, char *buf, size_t len)
{
	while (len) {
		uint64_t z = p->run->random_state += 0x9e3779b97f4a7c15ULL;
		size_t n = len < sizeof(z) ? len : sizeof(z);

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
		z ^= z >> 31;
		memcpy(buf, &z, n);
		buf += n;
		len -= n;
	}
}

/* Is @fd the host's /dev/random or /dev/urandom (Documentation/admin-guide/devices.txt)? */
static bool is_random(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISCHR(st.st_mode) &&
	       (st.st_rdev == makedev(1, 8) || st.st_rdev == makedev(1, 9));
}

/* One host call for the whole of it, as the kernel would do. */
static int64_t transfer(struct guest_process *p, uint64_t guest_fd, const struct guest_iovec *iov,
			size_t nr, bool out)
{
	const struct guest_siginfo broken = { .signo = SIGPIPE, .code = GUEST_SI_KERNEL };
	int fd = process_host_fd(p, guest_fd);
	uint64_t len = 0;
	int64_t res;
	size_t room, i;
	char *buf;

	if (fd < 0)
		return -EBADF;
	for (i = 0; i < nr; i++) {
		if (iov[i].len > SSIZE_MAX - len)
			return -EINVAL;
		len += iov[i].len;
	}
	if (len > MAX_TRANSFER)
		len = MAX_TRANSFER;
	room = reachable(p, iov, nr, len, !out);
	if (len && !room)
		return -EFAULT;
	buf = malloc(room + 1);
	if (!buf)
		return -ENOMEM;
	if (out)
		copy_pieces(p, iov, nr, buf, room, false);
	if (!out && p->file[guest_fd]->random) {
		random_bytes(p, buf, room);
		res = room;
	} else {
		do {
			res = out ? write(fd, buf, room) : read(fd, buf, room);
		} while (res < 0 && errno == EINTR && !p->run->stop);
	}
	if (res < 0)
		res = -errno;
	/* The host's own SIGPIPE is ignored where results must not be lost. */
	if (res == -EPIPE && out)
		signal_send(p, p->run->current, &broken);
	else if (!out)
		copy_pieces(p, iov, nr, buf, res, true);
	free(buf);
	return res;
}

static int64_t rw(struct guest_process *p, const uint64_t *arg, bool out)
{
	const struct guest_iovec iov = { arg[1], arg[2] };
	struct perfmon *c = perfmon_of(p, arg[0]);

	if (c)
		return out ? -EINVAL : perfmon_read_msg(p, c, arg[1], arg[2]);
	return transfer(p, arg[0], &iov, 1, out);
}

int64_t sys_read(struct guest_process *p, const uint64_t *arg)
{
	return rw(p, arg, false);
}

int64_t sys_write(struct guest_process *p, const uint64_t *arg)
{
	return rw(p, arg, true);
}

static int64_t rwv(struct guest_process *p, const uint64_t *arg, bool out)
{
	struct guest_iovec iov[GUEST_IOV_MAX];

	if (arg[2] > GUEST_IOV_MAX)
		return -EINVAL;
	if (uvm_read(p->vm, iov, arg[1], arg[2] * sizeof(iov[0])))
		return -EFAULT;
	return transfer(p, arg[0], iov, arg[2], out);
}

int64_t sys_readv(struct guest_process *p, const uint64_t *arg)
{
	return rwv(p, arg, false);
}

int64_t sys_writev(struct guest_process *p, const uint64_t *arg)
{
	return rwv(p, arg, true);
}

static int64_t do_open(struct guest_process *p, int dir, uint64_t path, uint64_t flags,
		       uint64_t mode)
{
	char name[PATH_MAX];
	int fd, host;
	long err;

	if (flags & ~(uint64_t)(OPEN_FLAGS | GUEST_O_LARGEFILE))
		return -EINVAL;
	fd = process_free_fd(p);
	if (fd < 0)
		return fd;
	err = uvm_read_string(p->vm, name, path, sizeof(name));
	if (err < 0)
		return err;
	do {
		host = openat(dir, name, (flags & OPEN_FLAGS) | O_CLOEXEC, mode & 07777);
	} while (host < 0 && errno == EINTR && !p->run->stop);
	if (host < 0)
		return -errno;
	err = file_open(p, fd, host, NULL);
	if (err) {
		close(host);
		return err;
	}
	p->file[fd]->random = (flags & O_ACCMODE) != O_WRONLY && is_random(host);
	p->cloexec[fd] = flags & O_CLOEXEC;
	return fd;
}

int64_t sys_open(struct guest_process *p, const uint64_t *arg)
{
	return do_open(p, AT_FDCWD, arg[0], arg[1], arg[2]);
}

int64_t sys_openat(struct guest_process *p, const uint64_t *arg)
{
	int dir = AT_FDCWD;

	/* The descriptor is an int. */
	if ((int32_t)arg[0] != AT_FDCWD) {
		dir = process_host_fd(p, arg[0]);
		if (dir < 0)
			return -EBADF;
	}
	return do_open(p, dir, arg[1], arg[2], arg[3]);
}

int64_t sys_close(struct guest_process *p, const uint64_t *arg)
{
	return arg[0] < NR_GUEST_FDS && p->file[arg[0]] ? file_close(p, arg[0]) : -EBADF;
}

int64_t sys_lseek(struct guest_process *p, const uint64_t *arg)
{
	int fd = process_host_fd(p, arg[0]);
	off_t pos;

	if (fd < 0)
		return -EBADF;
	if (arg[2] > SEEK_END)
		return -EINVAL;
	pos = lseek(fd, arg[1], arg[2]);
	return pos < 0 ? -errno : pos;
}

static int64_t put_stat(struct guest_process *p, uint64_t at, const struct stat *st)
{
	const struct guest_stat g = {
		.dev = st->st_dev,
		.ino = st->st_ino,
		.nlink = st->st_nlink,
		.mode = st->st_mode,
		.uid = st->st_uid,
		.gid = st->st_gid,
		.rdev = st->st_rdev,
		.size = st->st_size,
		.atime = st->st_atim.tv_sec,
		.atime_nsec = st->st_atim.tv_nsec,
		.mtime = st->st_mtim.tv_sec,
		.mtime_nsec = st->st_mtim.tv_nsec,
		.ctime = st->st_ctim.tv_sec,
		.ctime_nsec = st->st_ctim.tv_nsec,
		.blksize = st->st_blksize,
		.blocks = st->st_blocks,
	};

	return uvm_write(p->vm, at, &g, sizeof(g));
}

int64_t sys_fstat(struct guest_process *p, const uint64_t *arg)
{
	int fd = process_host_fd(p, arg[0]);
	struct stat st;

	if (fd < 0)
		return -EBADF;
	return fstat(fd, &st) < 0 ? -errno : put_stat(p, arg[1], &st);
}

int64_t sys_stat(struct guest_process *p, const uint64_t *arg)
{
	char name[PATH_MAX];
	struct stat st;
	long err = uvm_read_string(p->vm, name, arg[0], sizeof(name));

	if (err < 0)
		return err;
	return stat(name, &st) < 0 ? -errno : put_stat(p, arg[1], &st);
}

/* Is it a terminal, and how large: what C libraries ask of stdout. */
int64_t sys_ioctl(struct guest_process *p, const uint64_t *arg)
{
	int fd = process_host_fd(p, arg[0]);
	struct winsize ws;

	if (fd < 0)
		return -EBADF;
	if (!isatty(fd))
		return -ENOTTY;
	if (arg[1] != GUEST_TIOCGWINSZ)
		return -EINVAL;
	if (ioctl(fd, TIOCGWINSZ, &ws) < 0)
		return -errno;
	return uvm_write(p->vm, arg[2], &ws, sizeof(ws));
}

int64_t sys_fcntl(struct guest_process *p, const uint64_t *arg)
{
	struct perfmon *c = perfmon_of(p, arg[0]);
	int fd = process_host_fd(p, arg[0]), res;

	if (!c && fd < 0)
		return -EBADF;
	switch (arg[1]) {
	case F_GETFD:
		return p->cloexec[arg[0]] ? FD_CLOEXEC : 0;
	case F_SETFD:
		p->cloexec[arg[0]] = arg[2] & FD_CLOEXEC;
		return 0;
	}
	if (c)
		return perfmon_fcntl(c, arg[1], arg[2]);
	switch (arg[1]) {
	case F_GETFL:
		res = fcntl(fd, F_GETFL);
		return res < 0 ? -errno : res & (OPEN_FLAGS | GUEST_O_LARGEFILE);
	case F_SETFL:
		/* Descriptors 0 to 2 are shared with others, who set theirs. */
		if (fd > 2 && fcntl(fd, F_SETFL, arg[2] & (O_APPEND | O_NONBLOCK)) < 0)
			return -errno;
		return 0;
	default:
		return -EINVAL;
	}
}
