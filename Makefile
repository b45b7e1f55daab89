# SPDX-License-Identifier: GPL-2.0-only
# montecito: the module, its library and tool, guest programs, tests, demo.
# Kbuild (beside this file) is what the kernel's build system reads.
#
# "make help" says what there is to make.

ifneq ($(words $(CURDIR)),1)
$(error The kernel's build system takes no spaces in paths: "$(CURDIR)")
endif
ifeq ($(origin O),command line)
$(error O= is not supported: objects go to build/, and a copy of the tree has a build/ of its own)
endif
$(foreach v,KDIR DESTDIR PREFIX MODDIR,$(if $(word 2,$($v)),$(error $v= takes no spaces: "$($v)")))

top := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
VERSION := $(shell cat $(top)/VERSION)

# Where things go; BINDIR, LIBDIR, INCLUDEDIR, MANDIR and COMPLETIONDIR too (tools/Makefile).
PREFIX ?= /usr/local
INCLUDEDIR ?= $(PREFIX)/include
DOCDIR ?= $(PREFIX)/share/doc/montecito
# below /lib/modules/RELEASE
MODDIR ?= extra
# of files that the system looks for in one place only
SYSDIR ?= /usr/lib
SYSCONFDIR ?= /etc

# The running kernel's headers, else the newest ones installed.
KDIR ?= $(or $(wildcard /lib/modules/$(shell uname -r)/build),$(shell \
	ls -d /lib/modules/*/build 2>/dev/null | sort -V | tail -n 1))
KREL = $(shell tools/vm/kernel --release $(KDIR) 2>/dev/null)

# Jobs as the caller says, else one for each processor.
PARALLEL = $(if $(findstring j,$(filter-out --%,$(firstword $(MAKEFLAGS))))$(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

all: module tools guests

help:
	@echo 'Building'
	@echo '  all (default)    module, tools and guest programs'
	@echo '  module           montecito.ko, for the running kernel or KDIR=/path/to/headers'
	@echo '  tools            libmontecito and tools/montctl/montctl'
	@echo '  guests           IA-64 programs of the tests and examples, in build/guest'
	@echo '  man              manual pages, in build/tools/man (needs rst2man)'
	@echo '  screenshots      pictures of a report in Documentation/pictures (needs chromium)'
	@echo '  html             the documentation, in build/html (needs sphinx-build)'
	@echo '  conformance      each rule with its section, tests and mutants: build/conformance.rst'
	@echo '  help             this'
	@echo '  deps             install what building, demo and tests need (root, Debian)'
	@echo '  clean            remove what was built'
	@echo '  distclean        the same, and what editors and git leave'
	@echo 'Installing, below DESTDIR= if it is given'
	@echo '  install          everything'
	@echo '  modules_install  montecito.ko alone, to /lib/modules/RELEASE/$(MODDIR) (MODDIR=)'
	@echo '  tools_install    montctl, the library, headers, manual pages, documentation'
	@echo '  dkms_install     sources for DKMS, to /usr/src/montecito-$(VERSION)'
	@echo '  uninstall        remove what install has installed'
	@echo '                   (PREFIX=$(PREFIX) BINDIR= LIBDIR= INCLUDEDIR= MANDIR= DOCDIR=)'
	@echo 'Testing'
	@echo '  check            every test, virtual machines included (GOLDEN=DIR)'
	@echo '  check-fast       what a change most likely breaks, in two minutes'
	@echo '  check-kasan      on an x86-64 kernel with KASAN and lockdep'
	@echo '  check-kcsan      on one with the data race detector'
	@echo '  check-long       what takes hours: a million random calls, ten million bundles,'
	@echo '                   a hundred boots, every mutant (SEED=N); goes on where it was broken off'
	@echo '  demo             see it work, in a virtual machine or right here (HOST=1)'
	@echo '  timing           cycles that things cost, beside the manual: build/timing-measured.rst'
	@echo '  bench            instructions per second, beside another commit (BASE=COMMIT);'
	@echo '                   build/timing-measured.rst'
	@echo '  bench-module     the module beside the model in-process, in user-mode Linux'
	@echo '  mutants          which planted misreadings of the manual the tests see'
	@echo 'Options: LLVM=1 builds with clang, WERROR=1 stops at warnings'

# The sources are copied once per kernel: object files lie beside sources, and
# two kernels must not share them.
module:
	@test -n "$(KREL)" || { \
		echo "No kernel headers$(if $(KDIR), in $(KDIR)): run make deps, or give KDIR=" >&2; \
		exit 1; }
	+tools/build-module -o build/module/$(KREL) $(KDIR) $(if $(LLVM),LLVM=$(LLVM))
	cp -u build/module/$(KREL)/montecito.ko montecito.ko

tools:
	$(MAKE) $(PARALLEL) -C tools

man:
	$(MAKE) -C tools man

screenshots: tools guests
	tools/screenshots

conformance:
	@mkdir -p build
	tools/conformance > build/conformance.rst

html:
	sphinx-build -W --keep-going -q -b html -d build/doctrees Documentation build/html

guests:
	$(MAKE) -C selftests/guest

deps:
	tools/install-deps

check: deps
	selftests/run

# What a change most likely breaks, in two minutes
check-fast: deps
	SUITES="sources tables unit fast" selftests/run

check-kasan check-kcsan: check-%: deps
	JOB_LIMIT=10800 SUITES=checked CHECKED=x86-$* selftests/run

# All of what make check samples, and more of what it has; goes on where it was broken off
check-long: deps
	tools/install-deps long
	CALLS=1000000 BLOBS=10000 KSELFTEST_TIMEOUT=7200 VM_TIMEOUT=43200 JOB_LIMIT=172800 BUNDLES=2500000 \
		MONTECITO_SYSTEM_RUNS=100 MONTECITO_IMAGES=20000 WHOLE=1 RESUME=1 \
		SUITES="$(CHECK_LONG)" selftests/run
CHECK_LONG := sources tables build package unit machine san fuzz cli timing golden boot vm checked \
	clock packages mutants largest

demo:
	tools/install-deps build demo
	tools/demo $(if $(filter-out 0,$(HOST)),--host,--vm) $(if $(filter file,$(origin KDIR)),,$(KDIR))

mutants: deps
	selftests/mutants/run

timing: tools
	@mkdir -p build
	selftests/timing/run --table build/timing-measured.rst

bench: tools guests timing
	$(MAKE) -s -C selftests/bench
	selftests/bench/run --report build/timing-measured.rst \
		$(if $(BASE),--base "$$(selftests/bench/base $(BASE))")

bench-module: tools guests
	$(MAKE) -s -C selftests/bench
	selftests/bench/uml

# Files of the system's own folders: source and place.
SYSTEM_FILES := tools/udev/60-montecito.rules:$(SYSDIR)/udev/rules.d/60-montecito.rules \
	tools/udev/montecito.conf:$(SYSDIR)/sysusers.d/montecito.conf \
	tools/udev/modules-load.conf:$(SYSDIR)/modules-load.d/montecito.conf \
	tools/udev/limits.conf:$(SYSCONFDIR)/security/limits.d/montecito.conf
source = $(firstword $(subst :, ,$(1)))
place = $(DESTDIR)$(lastword $(subst :, ,$(1)))
define newline


endef

install: modules_install tools_install
	$(foreach f,$(SYSTEM_FILES),install -D -m 644 $(call source,$f) $(call place,$f)$(newline)	)
	$(if $(DESTDIR),,getent group montecito >/dev/null || groupadd --system montecito)

modules_install: module
	$(MAKE) -C $(KDIR) M=$(top)/build/module/$(KREL) INSTALL_MOD_DIR=$(MODDIR) \
		$(if $(DESTDIR),INSTALL_MOD_PATH=$(DESTDIR)) INSTALL_MOD_STRIP=1 modules_install
	$(if $(DESTDIR),,depmod -a $(KREL))

tools_install: tools
	install -d $(DESTDIR)$(INCLUDEDIR)/linux
	install -m 644 uapi/linux/*.h $(DESTDIR)$(INCLUDEDIR)/linux/
	$(MAKE) -C tools install
	install -d $(DESTDIR)$(DOCDIR)/netlink/specs
	install -m 644 README.md NEWS COPYING COPYING.LESSER Documentation/*.rst $(DESTDIR)$(DOCDIR)/
	install -d $(DESTDIR)$(DOCDIR)/examples
	install -m 644 tools/examples/*.c tools/examples/Makefile tools/python/example.ipynb \
		$(DESTDIR)$(DOCDIR)/examples/
	install -m 644 Documentation/netlink/specs/*.yaml $(DESTDIR)$(DOCDIR)/netlink/specs/

# dkms add montecito/VERSION, then dkms install montecito/VERSION.
DKMS_DIR := $(DESTDIR)/usr/src/montecito-$(VERSION)
dkms_install:
	install -d $(DKMS_DIR)
	find Kbuild VERSION COPYING COPYING.LESSER kmod uapi -type f ! -name '.*' ! -name '*.o' ! -name '*.ko' \
		-exec cp --parents -t $(DKMS_DIR) {} +
	sed 's/@VERSION@/$(VERSION)/' tools/dkms.conf.in > $(DKMS_DIR)/dkms.conf

uninstall:
	rm -f $(DESTDIR)/lib/modules/$(KREL)/$(MODDIR)/montecito.ko*
	rm -f $(addprefix $(DESTDIR)$(INCLUDEDIR)/linux/,$(notdir $(wildcard uapi/linux/*.h)))
	$(MAKE) -C tools uninstall
	rm -rf $(DESTDIR)$(DOCDIR) $(DKMS_DIR)
	rm -f $(foreach f,$(SYSTEM_FILES),$(call place,$f))
	$(if $(DESTDIR),,depmod -a $(KREL))

clean:
	rm -rf build montecito.ko
	-$(MAKE) -C tools clean
	-$(MAKE) -C selftests/guest clean

distclean: clean
	find . -path ./.git -prune -o \( -name '*~' -o -name '*.orig' -o -name '*.rej' \
		-o -name '*.swp' -o -name __pycache__ \) -exec rm -rf {} +

.PHONY: all module tools guests man html conformance screenshots help deps check check-fast check-kasan check-kcsan check-long demo timing bench \
	bench-module \
	mutants install modules_install tools_install dkms_install uninstall clean distclean
