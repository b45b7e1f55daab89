// SPDX-License-Identifier: GPL-2.0-only
/* Output to a terminal: its width, colours and a pager. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "montctl.h"
#include "terminal.h"

/* Narrower than this no table fits. */
#define LEAST_WIDTH 40

static pid_t pager;
static unsigned int paged_width; /* of the terminal that the pager writes to */

bool terminal_is(FILE *f)
{
	return isatty(fileno(f)) || (pager && f == stdout);
}

static unsigned int terminal_ask_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t n;

	if (columns && !parse_number(columns, &n) && n && n < 10000)
		return n;
	return ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

unsigned int terminal_width(FILE *f)
{
	unsigned int width;

	if (!terminal_is(f))
		return 0;
	width = pager && f == stdout ? paged_width : terminal_ask_width(fileno(f));
	return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

static bool terminal_coloured(FILE *f)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return terminal_is(f) && !(no && *no) && term && *term && strcmp(term, "dumb");
}

const char *terminal_paint(FILE *f, enum paint paint)
{
	static const char *const codes[] = {
		[PAINT_NONE] = "\033[0m",  [PAINT_HEAD] = "\033[1m",  [PAINT_HOT] = "\033[1;31m",
		[PAINT_WARM] = "\033[33m", [PAINT_GOOD] = "\033[32m", [PAINT_FAINT] = "\033[2m",
	};

	return terminal_coloured(f) ? codes[paint] : "";
}

enum paint terminal_heat(double percent)
{
	return percent >= 5 ? PAINT_HOT : percent >= 0.5 ? PAINT_WARM : PAINT_NONE;
}

void terminal_page(void)
{
	const char *command = getenv("MONTCTL_PAGER");
	int fd[2];

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	if (!isatty(STDOUT_FILENO) || !*command || !strcmp(command, "cat") || pager)
		return;
	paged_width = terminal_ask_width(STDOUT_FILENO);
	if (pipe(fd))
		return;
	pager = fork();
	if (pager < 0) {
		pager = 0;
		close(fd[0]);
		close(fd[1]);
		return;
	}
	if (!pager) {
		dup2(fd[0], STDIN_FILENO);
		close(fd[0]);
		close(fd[1]);
		/* Less than a page is shown at once, colours as they are. */
		setenv("LESS", "FRX", 0);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	dup2(fd[1], STDOUT_FILENO);
	close(fd[0]);
	close(fd[1]);
	/* The reader of a pager may leave before the end. */
	signal(SIGPIPE, SIG_IGN);
}

bool terminal_page_end(void)
{
	int status;

	if (!pager)
		return false;
	fflush(stdout);
	clearerr(stdout);
	close(STDOUT_FILENO);
	while (waitpid(pager, &status, 0) < 0 && errno == EINTR)
		;
	pager = 0;
	return true;
}
