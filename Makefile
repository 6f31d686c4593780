# One command for each intent; `make` alone lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
DESTDIR ?=

# Undeclared imports between targets fail the build.
SWIFT_FLAGS := --explicit-target-dependency-import-check error

# Release programs carry all they need in them, the C library too. libdwarf keeps one SONAME for
# incompatible versions, so a program must not meet another one than it was built with; and a program that
# the dynamic linker need not put together starts in two thirds of the time (1.9 instead of 3.3 ms). The folder holds
# links to the archives only, so that the linker finds no shared library before them.
STATIC_LIBRARIES := $(CURDIR)/.build/static-libraries
RELEASE_FLAGS := $(SWIFT_FLAGS) -c release --product symbolicate --static-swift-stdlib \
	-Xswiftc -static-executable -Xswiftc -L$(STATIC_LIBRARIES)
RELEASE := .build/release

# Options of `make bench-peers`, such as --only 'one address'.
BENCH_OPTIONS ?=

# How long `make fuzz` runs each target.
SECONDS ?= 60

STORY := Fixtures/LetterShuffle
VERSION := $(shell sed -n 's/^let symbolicateVersion = "\(.*\)"/\1/p' Sources/symbolicate/SymbolicateCommand.swift)
DIST_NAME := symbolicate-$(VERSION)-linux-$(shell uname -m)

.PHONY: help demo test referee fuzz bench bench-peers bench-inputs bench-smoke build install dist lint format fixtures clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: build ## Symbolicate the example report with its dSYM
	@echo
	$(RELEASE)/symbolicate $(STORY)/letter-shuffle.crash -d "$(STORY)/Letter Shuffle.app.dSYM"

test: ## Run all tests
	@Scripts/install-packages.sh build test
	swift test $(SWIFT_FLAGS)

referee: ## Compare all answers with llvm-symbolizer, with libdwarf and with symbolic
	@Scripts/install-packages.sh build test referee
	SYMBOLICATE_REFEREE=whole \
		swift test $(SWIFT_FLAGS) --filter DifferentialTests

fuzz: ## Run each fuzz target for SECONDS (60)
	@Scripts/install-packages.sh build
	Scripts/fuzz.sh $(SECONDS)

bench: ## Run the benchmarks
	@Scripts/install-packages.sh build
	Scripts/bench.sh

bench-peers: build ## Compare speed and memory with llvm-symbolizer and others
	@Scripts/install-packages.sh bench-peers
	Tests/Benchmarks/Peers/bench_peers.py $(BENCH_OPTIONS)

bench-inputs: ## Fetch and make the large symbol files for bench-peers
	@Scripts/install-packages.sh bench-inputs
	Scripts/bench-inputs.sh

bench-smoke: ## Show that bench-peers runs, with small files and what is built
	Tests/Benchmarks/Peers/bench_peers.py --smoke

build: ## Build the release program, .build/release/symbolicate (and atos beside it)
	@Scripts/install-packages.sh build
	@Scripts/link-static-libraries.sh $(STATIC_LIBRARIES)
	swift build $(RELEASE_FLAGS)
	@ln -sf symbolicate $(RELEASE)/atos

install: build ## Install symbolicate and atos under PREFIX (/usr/local)
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(RELEASE)/symbolicate "$(DESTDIR)$(PREFIX)/bin/symbolicate"
	ln -sf symbolicate "$(DESTDIR)$(PREFIX)/bin/atos"

dist: build ## Make a tarball that runs on machines without the Swift toolchain
	rm -rf dist/$(DIST_NAME)
	install -d dist/$(DIST_NAME)
	install -s -m 755 $(RELEASE)/symbolicate dist/$(DIST_NAME)/symbolicate
	ln -s symbolicate dist/$(DIST_NAME)/atos
	install -m 644 README.md LICENSE dist/$(DIST_NAME)/
	tar -C dist --owner=0 --group=0 --sort=name -czf dist/$(DIST_NAME).tar.gz $(DIST_NAME)
	@echo dist/$(DIST_NAME).tar.gz

lint: ## Check the formatting and the imports between targets
	swift format lint --strict -r -p Sources Tests Package.swift
	@Scripts/check-imports.sh

format: ## Format the sources in place
	swift format -i -r -p Sources Tests Package.swift

fixtures: ## Build the symbol files in Fixtures again (needs lld-19 and llvm-19)
	@Scripts/install-packages.sh fixtures
	Fixtures/build.sh

clean: ## Remove what was built
	rm -rf .build dist
