# SPDX-License-Identifier: GPL-2.0-only
# montecito: the module, its library and tool, guest programs, tests, demo.
# Kbuild (beside this file) is what the kernel's build system reads.
#
#	make [KDIR=/path/to/headers]	module, tools, guest programs
#	make deps			install what building and testing need (root)
#	make check [GOLDEN=DIR]		every test, virtual machines included
#	make check-kasan check-kcsan	the module on x86-64 kernels with KASAN and lockdep,
#				and with the data race detector
#	make demo [HOST=1]		see it work, in a virtual machine or right here
#	make bench [BASE=COMMIT]	simulated instructions per second, beside another commit's
#	make install [DESTDIR= PREFIX=]
#	make clean

top := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
PREFIX ?= /usr/local
MANDIR ?= $(PREFIX)/share/man

# The running kernel's headers, else the newest ones installed.
KDIR ?= $(or $(wildcard /lib/modules/$(shell uname -r)/build),$(shell \
	ls -d /lib/modules/*/build 2>/dev/null | sort -V | tail -n 1))
KREL = $(shell cat $(KDIR)/include/config/kernel.release 2>/dev/null)

all: module tools guests

# The sources are copied once per kernel: object files lie beside sources, and
# two kernels must not share them.
module:
	@test -n "$(KREL)" || { \
		echo "No kernel headers$(if $(KDIR), in $(KDIR)): run make deps, or give KDIR=" >&2; \
		exit 1; }
	tools/build-module -o build/module/$(KREL) $(KDIR)
	cp -u build/module/$(KREL)/montecito.ko montecito.ko

tools:
	$(MAKE) -j$(shell nproc) -C tools

guests:
	$(MAKE) -C selftests/guest

deps:
	tools/install-deps

check: deps
	$(MAKE) tools guests
	selftests/run

check-kasan check-kcsan: check-%: deps
	$(MAKE) tools guests
	SUITES=checked CHECKED=x86-$* selftests/run

demo: deps
	$(MAKE) all
	tools/demo $(if $(filter-out 0,$(HOST)),--host,--vm $(KREL))

bench: tools guests
	$(MAKE) -s -C selftests/bench
	selftests/bench/run $(if $(BASE),--base "$$(selftests/bench/base $(BASE))")

install: all
	install -D -m 644 montecito.ko $(DESTDIR)/lib/modules/$(KREL)/extra/montecito.ko
	install -D -m 644 uapi/linux/montecito.h $(DESTDIR)$(PREFIX)/include/linux/montecito.h
	$(MAKE) -C tools install DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) MANDIR=$(MANDIR)
	install -D -m 644 tools/udev/60-montecito.rules \
		$(DESTDIR)/usr/lib/udev/rules.d/60-montecito.rules
	install -D -m 644 tools/udev/montecito.conf \
		$(DESTDIR)/usr/lib/sysusers.d/montecito.conf
	install -D -m 644 tools/udev/modules-load.conf \
		$(DESTDIR)/usr/lib/modules-load.d/montecito.conf
	install -D -m 644 tools/udev/limits.conf \
		$(DESTDIR)/etc/security/limits.d/montecito.conf
	$(if $(DESTDIR),,getent group montecito >/dev/null || groupadd --system montecito)
	$(if $(DESTDIR),,depmod -a $(KREL))

clean:
	rm -rf build montecito.ko
	-$(MAKE) -C tools clean
	-$(MAKE) -C selftests/guest clean

.PHONY: all module tools guests deps check check-kasan check-kcsan demo bench install clean
