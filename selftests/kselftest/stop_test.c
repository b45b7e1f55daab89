// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stop of tasks is not delayed by RUN, SAVE or HASH, nor by a fault in a
 * mapping that is frozen: ptrace, SIGSTOP, the freezer of control groups, that of
 * suspend, and a processor that is taken away. They go on behind it.
 *
 *	stop_test suspend	the whole machine, which its clock's alarm wakes up; where
 *				no file system needs a device that does not survive that
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

#define ROOT "/tmp/montecito-freezer"
#define GROUP ROOT "/stop_test"
#define SIZE (16UL << 20)

static double limit;
static bool suspend;
static volatile unsigned long *progress; /* of the one who is stopped */

/* ---- what they do ---- */

static int run_m, run_v;

/* RUN has no end of its own: the guest's progress is what counts. */
static void *look(void *arg)
{
	for (;;) {
		*progress = get(run_v, MONTECITO_REG_GR, 8);
		usleep(1000);
	}
	return arg;
}

static void running(int m)
{
	pthread_t t;

	run_m = m;
	run_v = vcpu(run_m, 0);
	start(run_v, GUEST_SPIN);
	pthread_create(&t, NULL, look, NULL);
	for (;;)
		run(run_m, 0, 0, NULL);
}

static void functional(void)
{
	running(machine(2, 2, 0));
}

static void timed(void)
{
	running(timed_machine(0));
}

static void saving(void)
{
	struct montecito_state s = { .size = sizeof(s) };
	int m = create(open_device(), 1, 1, 0, SIZE);

	call(m, MONTECITO_SAVE, &s);
	s.data = (uintptr_t)malloc(s.length);
	while (!call(m, MONTECITO_SAVE, &s))
		++*progress;
}

static int hashed_m;

static void *touch(void *arg)
{
	volatile char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, hashed_m, 0);
	unsigned int i;

	for (i = 0;; i += 4096)
		p[i % SIZE]++;
	return arg;
}

static void hashing(void)
{
	pthread_t t;

	hashed_m = create(open_device(), 1, 1, 0, SIZE);
	pthread_create(&t, NULL, touch, NULL);
	for (;; ++*progress)
		hash(hashed_m);
}

/* ---- who is stopped ---- */

static pid_t begin(void (*what)(void))
{
	pid_t pid;

	*progress = 0;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		what();
		_exit(1);
	}
	return pid;
}

static bool goes_on(void)
{
	unsigned long before = *progress;
	double t = now();

	while (*progress == before && now() - t < 10 * limit)
		usleep(1000);
	return *progress != before;
}

static bool stands_still(void)
{
	unsigned long before;

	usleep(20000);
	before = *progress;
	usleep(200000);
	return *progress == before;
}

/* ---- who stops them ---- */

static void by_ptrace(const char *what, pid_t pid)
{
	double t = now();
	int status;

	is(ptrace(PTRACE_SEIZE, pid, NULL, NULL), 0, "%s: traced", what);
	ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
	is(waitpid(pid, &status, __WALL), pid, "%s: stopped by its tracer", what);
	t = now() - t;
	ok(t < limit, "%s: in %.0f ms", what, t * 1000);
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	ok(goes_on(), "%s: and goes on", what);
}

static void by_signal(const char *what, pid_t pid)
{
	double t = now();
	int status;

	kill(pid, SIGSTOP);
	is(waitpid(pid, &status, WUNTRACED), pid, "%s: stopped by SIGSTOP", what);
	t = now() - t;
	ok(t < limit, "%s: in %.0f ms", what, t * 1000);
	ok(stands_still(), "%s: stands still", what);
	kill(pid, SIGCONT);
	ok(goes_on(), "%s: and goes on", what);
}

static bool put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (!good)
		diag("%s to %s: %s", text, file, strerror(errno));
	close(fd);
	return good;
}

static bool holds(const char *file, const char *text)
{
	char all[512] = "";
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, all, sizeof(all) - 1);

	close(fd);
	return n > 0 && strstr(all, text);
}

static void by_group(const char *what, pid_t pid)
{
	char number[16];
	double t;

	snprintf(number, sizeof(number), "%d", pid);
	ok(put(GROUP "/cgroup.procs", number), "%s: in a group", what);
	t = now();
	put(GROUP "/cgroup.freeze", "1");
	while (!holds(GROUP "/cgroup.events", "frozen 1") && now() - t < 10 * limit)
		usleep(1000);
	t = now() - t;
	ok(t < limit, "%s: the group is frozen in %.0f ms", what, t * 1000);
	ok(stands_still(), "%s: stands still", what);
	put(GROUP "/cgroup.freeze", "0");
	ok(goes_on(), "%s: and goes on", what);
	put(ROOT "/cgroup.procs", number);
}

/*
 * As far as all tasks are frozen, and back: what pm_test=freezer is for. It would wait in
 * between, in a loop that counts turns.
 */
static void by_suspend(const char *what)
{
	double t = now();
	bool done = put("/sys/module/suspend/parameters/pm_test_delay", "0") &&
		    put("/sys/power/pm_test", "freezer") && put("/sys/power/state", "freeze");

	t = now() - t;
	put("/sys/power/pm_test", "none");
	ok(done && t < 5 * limit, "%s: frozen for suspend and thawed in %.1f s", what, t);
	ok(goes_on(), "%s: and goes on", what);
}

#define ALARM "/sys/class/rtc/rtc0/wakealarm"

static int suspends(void)
{
	FILE *f = fopen("/sys/power/suspend_stats/success", "r");
	int n = -1;

	if (!f || fscanf(f, "%d", &n) != 1)
		diag("suspend_stats: %s", strerror(errno));
	if (f)
		fclose(f);
	return n;
}

/* To RAM: processors and devices are off until the clock's alarm. */
static void by_sleep(const char *what)
{
	int before = suspends();
	double t = now();

	put(ALARM, "0");
	ok(put("/sys/power/mem_sleep", "deep") && put(ALARM, "+3") &&
		   put("/sys/power/state", "mem"),
	   "%s: suspended to RAM", what);
	/* CLOCK_MONOTONIC stands while the machine is suspended. */
	t = now() - t;
	is(suspends(), before + 1, "%s: to the end", what);
	ok(t < 20 * limit, "%s: in %.1f s there and back", what, t);
	ok(goes_on(), "%s: and goes on", what);
}

static void by_hotplug(const char *what)
{
	static const char online[] = "/sys/devices/system/cpu/cpu1/online";
	int i, bad = 0;
	double t = now();

	for (i = 0; i < 4; i++) {
		bad += !put(online, "0");
		bad += !goes_on();
		bad += !put(online, "1");
		bad += !goes_on();
	}
	t = now() - t;
	ok(!bad && t < 40 * limit, "%s: a processor goes and comes four times in %.1f s", what, t);
}

static void by_all(const char *what, pid_t pid)
{
	by_ptrace(what, pid);
	by_signal(what, pid);
	by_group(what, pid);
	if (!access("/sys/power/pm_test", W_OK))
		by_suspend(what);
	if (!access("/sys/devices/system/cpu/cpu1/online", W_OK))
		by_hotplug(what);
}

static void stop(const char *what, void (*fn)(void))
{
	pid_t pid = begin(fn);
	int status;
	double t;

	ok(goes_on(), "%s: begins", what);
	if (suspend)
		by_sleep(what);
	else
		by_all(what, pid);
	t = now();
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	ok(now() - t < limit, "%s: killed in %.0f ms", what, (now() - t) * 1000);
}

int main(int argc, char **argv)
{
	suspend = argc > 1 && !strcmp(argv[1], "suspend");
	limit = patience();
	progress = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	mkdir(ROOT, 0700);
	if (progress == MAP_FAILED || mount("none", ROOT, "cgroup2", 0, NULL))
		bail("cgroup2: %s", strerror(errno));
	if (mkdir(GROUP, 0700) && errno != EEXIST)
		bail(GROUP ": %s", strerror(errno));
	stop("RUN", functional);
	stop("RUN with time", timed);
	stop("SAVE", saving);
	stop("HASH and a fault", hashing);
	rmdir(GROUP);
	umount2(ROOT, MNT_DETACH);
	rmdir(ROOT);
	return done();
}
