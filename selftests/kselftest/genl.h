/* SPDX-License-Identifier: GPL-2.0-only */
/* A generic netlink request and its outcome, for tests that look at no answer. */
#ifndef GENL_H
#define GENL_H

#include <libmnl/libmnl.h>
#include <stdint.h>

struct genl {
	struct mnl_socket *nl;
	uint16_t family; /* montecito's */
	uint32_t group; /* of its notifications */
};

struct genl_message {
	union {
		struct nlmsghdr h;
		char buf[8192];
	};
};

/* Bails out when the socket or the family is not there. */
void genl_open(struct genl *g);
void genl_close(struct genl *g);
/* Begin a request to @family: add attributes with mnl_attr_put*(). */
void genl_begin(struct genl_message *r, uint16_t family, uint8_t cmd, uint16_t flags);
/*
 * Send it and read all that comes. Return: 0, a number of messages, or a negative errno;
 * -ETIME if no answer came. The kernel has it ready when the request is sent, so a
 * socket that does not block serves.
 */
int genl_talk(struct genl *g, struct genl_message *r);

#endif
