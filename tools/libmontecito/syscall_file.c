// SPDX-License-Identifier: LGPL-2.1-or-later
/* System calls on files: reading and writing, opening, what there is to know of one. */
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
/* Most of a pipe, where a write waits for more room: Linux's */
#define MAX_COUNT 0x7fff0000UL
#define GUEST_TIOCGWINSZ 0x5413
#define GUEST_FIONREAD 0x541b

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

size_t pieces_copy(struct guest_process *p, const struct guest_iovec *iov, size_t nr, uint64_t skip,
		   void *buf, size_t len, bool to_guest)
{
	size_t done = 0, i;
	char *host = buf;

	for (i = 0; i < nr && done < len; i++) {
		uint64_t at = skip < iov[i].len ? skip : iov[i].len;

		skip -= at;
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
				memcpy(host + done, ptr, n);
			else if (uvm_write(p->vm, iov[i].base + at, host + done, n))
				return done;
			at += n;
			done += n;
		}
	}
	return done;
}

/* Bytes of the pieces that the guest may read or write, from the first on. */
static size_t syscall_file_reachable(struct guest_process *p, const struct guest_iovec *iov,
				     size_t nr, size_t len, bool to_guest)
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
static void syscall_file_random_bytes(struct guest_process *p, char *buf, size_t len)
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

/* True if @fd is the host's /dev/random or /dev/urandom (its admin-guide/devices.txt). */
static bool syscall_file_is_random(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISCHR(st.st_mode) &&
	       (st.st_rdev == makedev(1, 8) || st.st_rdev == makedev(1, 9));
}

/* One host call for the whole of it, as the kernel would do. */
static int64_t syscall_file_transfer(struct guest_process *p, uint64_t guest_fd,
				     const struct guest_iovec *iov, size_t nr, bool out)
{
	const struct guest_siginfo broken = { .signo = SIGPIPE, .code = GUEST_SI_KERNEL };
	struct guest_file *f = file_of(p, guest_fd);
	uint64_t len = 0;
	int64_t res;
	size_t room, i;
	char *buf;

	if (!f || f->perfmon)
		return -EBADF;
	for (i = 0; i < nr; i++) {
		if (iov[i].len > SSIZE_MAX - len)
			return -EINVAL;
		len += iov[i].len;
	}
	if (f->pipe)
		return pipe_transfer(p, f, iov, nr, len < MAX_COUNT ? len : MAX_COUNT, out);
	if (len > MAX_TRANSFER)
		len = MAX_TRANSFER;
	room = syscall_file_reachable(p, iov, nr, len, !out);
	if (len && !room)
		return -EFAULT;
	buf = malloc(room + 1);
	if (!buf)
		return -ENOMEM;
	if (out)
		pieces_copy(p, iov, nr, 0, buf, room, false);
	if (!out && f->random) {
		syscall_file_random_bytes(p, buf, room);
		res = room;
	} else {
		do {
			res = out ? write(f->host, buf, room) : read(f->host, buf, room);
		} while (res < 0 && errno == EINTR && !p->run->stop);
	}
	if (res < 0)
		res = -errno;
	/* The host's own SIGPIPE is ignored where results must not be lost. */
	if (res == -EPIPE && out)
		signal_send(p, p->run->cpu->current, &broken);
	else if (!out && res > 0)
		pieces_copy(p, iov, nr, 0, buf, res, true);
	free(buf);
	return res;
}

static int64_t syscall_file_rw(struct guest_process *p, const uint64_t *arg, bool out)
{
	const struct guest_iovec iov = { arg[1], arg[2] };
	struct perfmon *c = perfmon_of(p, arg[0]);

	if (c)
		return out ? -EINVAL : perfmon_read_msg(p, c, arg[1], arg[2]);
	return syscall_file_transfer(p, arg[0], &iov, 1, out);
}

int64_t sys_read(struct guest_process *p, const uint64_t *arg)
{
	return syscall_file_rw(p, arg, false);
}

int64_t sys_write(struct guest_process *p, const uint64_t *arg)
{
	return syscall_file_rw(p, arg, true);
}

static int64_t syscall_file_rwv(struct guest_process *p, const uint64_t *arg, bool out)
{
	struct guest_iovec iov[GUEST_IOV_MAX];

	if (arg[2] > GUEST_IOV_MAX)
		return -EINVAL;
	if (uvm_read(p->vm, iov, arg[1], arg[2] * sizeof(iov[0])))
		return -EFAULT;
	return syscall_file_transfer(p, arg[0], iov, arg[2], out);
}

int64_t sys_readv(struct guest_process *p, const uint64_t *arg)
{
	return syscall_file_rwv(p, arg, false);
}

int64_t sys_writev(struct guest_process *p, const uint64_t *arg)
{
	return syscall_file_rwv(p, arg, true);
}

static int64_t syscall_file_do_open(struct guest_process *p, int dir, uint64_t path, uint64_t flags,
				    uint64_t mode)
{
	char name[PATH_MAX];
	int fd, host;
	long err;

	if (flags & ~(uint64_t)(OPEN_FLAGS | GUEST_O_LARGEFILE))
		return -EINVAL;
	fd = process_free_fd(p, 0);
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
	err = file_open(p, fd, host);
	if (err) {
		close(host);
		return err;
	}
	p->file[fd]->random = (flags & O_ACCMODE) != O_WRONLY && syscall_file_is_random(host);
	p->cloexec[fd] = flags & O_CLOEXEC;
	return fd;
}

int64_t sys_open(struct guest_process *p, const uint64_t *arg)
{
	return syscall_file_do_open(p, AT_FDCWD, arg[0], arg[1], arg[2]);
}

int64_t sys_openat(struct guest_process *p, const uint64_t *arg)
{
	int dir = AT_FDCWD;

	/* The descriptor is an int. */
	if ((int32_t)arg[0] != AT_FDCWD) {
		dir = process_host_fd(p, arg[0]);
		if (dir < 0)
			return file_of(p, arg[0]) ? -ENOTDIR : -EBADF;
	}
	return syscall_file_do_open(p, dir, arg[1], arg[2], arg[3]);
}

int64_t sys_lseek(struct guest_process *p, const uint64_t *arg)
{
	int fd = process_host_fd(p, arg[0]);
	off_t pos;

	if (fd < 0)
		return file_of(p, arg[0]) ? -ESPIPE : -EBADF;
	if (arg[2] > SEEK_END)
		return -EINVAL;
	pos = lseek(fd, arg[1], arg[2]);
	return pos < 0 ? -errno : pos;
}

static int64_t syscall_file_put_stat(struct guest_process *p, uint64_t at, const struct stat *st)
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

static int64_t syscall_file_stat_pipe(struct guest_process *p, const struct guest_file *f,
				      uint64_t at)
{
	const struct stat st = {
		.st_ino = pipe_number(f),
		.st_nlink = 1,
		.st_mode = S_IFIFO | 0600,
		.st_uid = GUEST_UID,
		.st_gid = GUEST_UID,
		.st_blksize = 4096,
	};

	return syscall_file_put_stat(p, at, &st);
}

int64_t sys_fstat(struct guest_process *p, const uint64_t *arg)
{
	int fd = process_host_fd(p, arg[0]);
	struct stat st;

	if (file_of(p, arg[0]) && p->file[arg[0]]->pipe)
		return syscall_file_stat_pipe(p, p->file[arg[0]], arg[1]);
	if (fd < 0)
		return -EBADF;
	return fstat(fd, &st) < 0 ? -errno : syscall_file_put_stat(p, arg[1], &st);
}

int64_t sys_stat(struct guest_process *p, const uint64_t *arg)
{
	char name[PATH_MAX];
	struct stat st;
	long err = uvm_read_string(p->vm, name, arg[0], sizeof(name));

	if (err < 0)
		return err;
	return stat(name, &st) < 0 ? -errno : syscall_file_put_stat(p, arg[1], &st);
}

/* Is it a terminal, and how large: what C libraries ask of stdout. */
int64_t sys_ioctl(struct guest_process *p, const uint64_t *arg)
{
	const struct guest_file *f = file_of(p, arg[0]);
	int fd = process_host_fd(p, arg[0]);
	struct winsize ws;
	int32_t used;

	if (f && f->pipe && arg[1] == GUEST_FIONREAD) {
		used = pipe_used(f);
		return uvm_write(p->vm, arg[2], &used, sizeof(used));
	}
	if (f && f->pipe)
		return -ENOTTY;
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
