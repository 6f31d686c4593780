# One command for each task; `make` alone lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
DESTDIR ?=

# The folder of what is built, and what builds for another processor: Scripts/aarch64.sh states both.
BUILD ?= .build
TARGET_FLAGS ?=

# An import that Package.swift does not declare fails the build.
SWIFT_FLAGS := --explicit-target-dependency-import-check error

# `make demo` and every command that tests build with these, so nothing is compiled twice.
DEBUG_FLAGS := $(SWIFT_FLAGS)
DEBUG := .build/debug

# The release program is static: they contain every library they use, the C library included.
# - libdwarf uses one SONAME for incompatible versions, so a program must not load another version
#   than the one it was built with.
# - A static program starts faster (1.9 ms instead of 3.3 ms).
# The folder holds links to the static libraries alone, so the linker finds no shared one first.
# Package.swift links them. The program that downloads opens the system's libcurl at run time, so it is
# not static. Otherwise both are built alike, in one folder.
# lld comes with the Swift toolchain. GNU ld and gold print a warning for each function of the Swift
# runtime and Foundation that calls dlopen, getpwuid_r and the like; this program calls none of them.
STATIC_LIBRARIES := $(CURDIR)/$(BUILD)/static-libraries
# The compiler gets the type of a generic value, such as a dictionary with keys of ours, from its name
# by default. The runtime then compares each protocol conformance of the program for each such type:
# half of the instructions that one address took. A call with the types and conformances needs none.
TYPE_ACCESS := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Modules that are inlined into others (Package.swift says which) each have a copy of what they
# specialise of the standard library, under the same name. The copies are alike; the first is linked.
# The functions that run are placed side by side (Scripts/function_order.py says why); those that the
# list does not name follow. Each needs a section of its own, and what nothing calls is left out.
FUNCTION_ORDER := Packaging/release.order
LINKING := -Xswiftc -use-ld=lld -Xlinker --allow-multiple-definition \
	-Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xlinker --symbol-ordering-file=$(CURDIR)/$(FUNCTION_ORDER) -Xlinker --no-warn-symbol-ordering
# How often each branch of the code is taken that runs most, as `make profile` counted it. Calls that
# run often are inlined, and branches that are never taken are moved away: 3 to 25 % of the time.
# Without the file (PROFILE=), the program does the same, slower.
PROFILE := Packaging/release.proftext
PROFILE_DATA = $(CURDIR)/$(BUILD)/release-$(firstword $(shell cksum < $(PROFILE))).profdata
RELEASE_FLAGS := $(SWIFT_FLAGS) $(TARGET_FLAGS) -c release --static-swift-stdlib $(TYPE_ACCESS) $(LINKING)
RELEASE := $(BUILD)/release

# What is installed: programs without symbols, man pages and completions.
STAGE := $(BUILD)/stage

# The folder of the programs that are packaged.
PROGRAMS ?= $(RELEASE)

# Options of `make bench-peers` and `make bench-scaling`, such as --only 'one address'.
BENCH_OPTIONS ?=

# Options of `make faults`, such as --only 'in place'.
FAULTS_OPTIONS ?=

# Options of `make check-page`, such as --pictures DIRECTORY.
PAGE_OPTIONS ?=

# Options of `make growth`, such as --only 'line rows' or --instructions (needs valgrind).
GROWTH_OPTIONS ?=

# How long `make fuzz` runs each target.
SECONDS ?= 60

# How many mutants `make campaign` makes.
RUNS ?= 50000

# What the tests in Python see: the program under test, and no files beside the sources.
TEST_ENVIRONMENT = SYMBOLICATE=$(CURDIR)/.build/debug/symbolicate PYTHONDONTWRITEBYTECODE=1 \
	PYTEST_ADDOPTS="-p no:cacheprovider"

STORY := Fixtures/LetterShuffle

.PHONY: help demo test referee check-page faults fuzz campaign asan tsan bench bench-peers bench-workers \
	bench-start-up bench-scaling growth bench-inputs bench-smoke build profile install uninstall dist release packages wheel \
	release-aarch64 \
	test-packaging test-packages try-packages test-python test-examples test-spark \
	lint format fixtures update-expected demo-picture clean

help: ## List these commands
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

demo: ## Build the debug program, then symbolicate the example report
	@[ -x $(DEBUG)/symbolicate ] || \
		echo "Building the program, not optimised (about 2 minutes the first time, packages included) …"
	@Scripts/install-packages.sh program
	@Scripts/quietly.sh swift package resolve
	@swift build --quiet $(DEBUG_FLAGS) --product symbolicate
	@echo
	$(DEBUG)/symbolicate $(STORY)/letter-shuffle.crash -d "$(STORY)/Letter Shuffle.app.dSYM"

test: ## Run all tests
	@Scripts/install-packages.sh build test
	Scripts/run-tests.sh $(DEBUG_FLAGS)

test-python: ## Test the Python package
	@Scripts/install-packages.sh build python
	@Scripts/python-venv.sh .build/python python/requirements-dev.txt
	@swift build --quiet $(DEBUG_FLAGS) --product symbolicate
	cd python && $(TEST_ENVIRONMENT) PYTHONPATH=. ../.build/python/bin/python -m pytest -q

test-examples: ## Test the recipes in Examples, and what happens to workers when something fails
	@Scripts/install-packages.sh build python examples
	@Scripts/python-venv.sh .build/python python/requirements-dev.txt
	@swift build --quiet $(DEBUG_FLAGS) --product symbolicate
	cd Tests/Engine && $(TEST_ENVIRONMENT) ../../.build/python/bin/python -m pytest -q \
		test_recipes.py test_faults.py test_tables.py

test-spark: ## Test the Spark job with real executors (downloads 460 MB the first time)
	@Scripts/install-packages.sh build python spark
	@Scripts/python-venv.sh .build/spark Examples/spark/requirements.txt
	@swift build --quiet $(DEBUG_FLAGS) --product symbolicate
	cd Tests/Engine && $(TEST_ENVIRONMENT) ../../.build/spark/bin/python -m pytest -q test_spark.py

referee: ## Compare all answers with llvm-symbolizer, libdwarf and symbolic (10 to 20 minutes)
	@Scripts/install-packages.sh build test referee
	SYMBOLICATE_REFEREE=whole \
		swift test $(DEBUG_FLAGS) --filter DifferentialTests

# axe-core comes with this package; Playwright itself is not needed.
AXE := .build/axe/axe_playwright_python/axe.min.js

$(AXE):
	@Scripts/install-packages.sh python
	@/usr/bin/python3 -m venv .build/axe/venv
	@Scripts/quietly.sh .build/axe/venv/bin/pip install --no-deps --target .build/axe axe-playwright-python==0.1.8

check-page: build $(AXE) ## Check pages (--format html) in headless Chromium
	@Scripts/install-packages.sh check-page
	/usr/bin/python3 Tests/Scripts/check_page.py $(RELEASE)/symbolicate --axe $(AXE) $(PAGE_OPTIONS) \
		$(if $(SYMBOLICATE_CORPUS),--corpus "$(SYMBOLICATE_CORPUS)")

faults: build ## Let every call of the system fail in turn (10 to 20 minutes)
	@Scripts/install-packages.sh build test
	swift build --quiet $(DEBUG_FLAGS) --product symbolicate
	Tests/Faults/faults.py $(RELEASE)/symbolicate --dynamic .build/debug/symbolicate $(FAULTS_OPTIONS)

fuzz: ## Fuzz each target for SECONDS (60)
	@Scripts/install-packages.sh build
	Scripts/fuzz.sh $(SECONDS)

campaign: build ## Run the program on RUNS (50000) mutants of reports and symbol files
	Tests/Campaign/campaign.py $(RELEASE)/symbolicate --runs $(RUNS) --keep .build/campaign \
		$(SYMBOLICATE_CORPUS)

asan: ## Run all tests under AddressSanitizer
	@Scripts/install-packages.sh build test
	Scripts/sanitize.sh address

tsan: ## Run all tests under ThreadSanitizer
	@Scripts/install-packages.sh build test
	Scripts/sanitize.sh thread

bench: ## Measure the parts of the program
	@Scripts/install-packages.sh build
	Scripts/bench.sh

bench-peers: build ## Compare speed and memory with llvm-symbolizer and other tools
	@Scripts/install-packages.sh bench-peers
	Tests/Benchmarks/Peers/bench_peers.py $(BENCH_OPTIONS)

bench-workers: build ## Measure workers: records a second, and memory
	/usr/bin/python3 Tests/Benchmarks/Workers/bench_workers.py $(BENCH_OPTIONS)

bench-start-up: build ## Count the instructions of small runs, and fail where a start takes more
	@Scripts/install-packages.sh bench-start-up
	/usr/bin/python3 Tests/Benchmarks/StartUp/bench_start_up.py $(RELEASE)/symbolicate

bench-scaling: build ## Measure how time and memory grow with the work, and draw docs/scaling.svg
	@Scripts/install-packages.sh bench-scaling
	/usr/bin/python3 Tests/Benchmarks/Scaling/bench_scaling.py --plot docs/scaling.svg $(BENCH_OPTIONS)

growth: build ## Double every kind of input, and fail where time grows faster (15 minutes)
	@Scripts/install-packages.sh growth
	/usr/bin/python3 Tests/Benchmarks/Scaling/growth.py $(GROWTH_OPTIONS)

bench-inputs: ## Download and build the large symbol files for bench-peers
	@Scripts/install-packages.sh bench-inputs
	Scripts/bench-inputs.sh

bench-smoke: ## Check that bench-peers works, with small files and without measuring
	Tests/Benchmarks/Peers/bench_peers.py --smoke

build: BUILD_FLAGS = $(RELEASE_FLAGS) --scratch-path $(BUILD) \
	$(if $(PROFILE),-Xswiftc -Xfrontend -Xswiftc -ir-profile-use=$(PROFILE_DATA))
build: export SYMBOLICATE_BUILD_STAMP ?= $(shell Scripts/build-stamp.sh)
build: export SYMBOLICATE_STATIC_LIBRARIES = $(STATIC_LIBRARIES)
# Modules share what is not public, too (Package.swift says how).
build: export SYMBOLICATE_INLINING = 1
build: ## Build the release programs, .build/release/symbolicate and symbolicate-fetch
	@Scripts/install-packages.sh build
	@Scripts/link-static-libraries.sh $(STATIC_LIBRARIES)
	@echo "Building the release programs (about 6 minutes the first time) …"
	@Scripts/quietly.sh swift package resolve --scratch-path $(BUILD)
	@$(if $(PROFILE),Scripts/profile.sh data $(PROFILE) $(PROFILE_DATA))
	@# SwiftPM does not link anew because the list is another one.
	@[ ! $(RELEASE)/symbolicate -ot $(FUNCTION_ORDER) ] || rm -f $(RELEASE)/symbolicate
	@swift build --quiet $(BUILD_FLAGS) --product symbolicate
	@swift build --quiet $(BUILD_FLAGS) --product symbolicate-fetch
	@ln -sf symbolicate $(RELEASE)/atos
	@Packaging/stage.sh $(RELEASE) $(STAGE)

profile: export SYMBOLICATE_STATIC_LIBRARIES = $(STATIC_LIBRARIES)
profile: export SYMBOLICATE_INLINING = 1
profile: ## Count anew which code runs most, for `make build` to optimise (12 minutes)
	@Scripts/install-packages.sh build profile
	@Scripts/link-static-libraries.sh $(STATIC_LIBRARIES)
	Scripts/profile.sh count $(PROFILE) $(RELEASE_FLAGS)
	$(MAKE) --no-print-directory build
	Scripts/function_order.py $(RELEASE)/symbolicate $(BUILD)/profile > $(BUILD)/release.order
	mv $(BUILD)/release.order $(FUNCTION_ORDER)

install: ## Install what `make build` made under PREFIX (/usr/local)
	@Packaging/install.sh install $(STAGE) "$(PREFIX)" "$(DESTDIR)"

uninstall: ## Remove what `make install` installed under PREFIX
	@Packaging/install.sh uninstall "$(PREFIX)" "$(DESTDIR)"

dist: build ## Make a tarball that runs on Linux without a Swift toolchain
	@Packaging/stage.sh $(RELEASE) $(STAGE) --notices
	@Packaging/make-tarball.sh $(STAGE) dist

release: build ## Build, and make all packages, checksums and the SBOM in dist
	@$(MAKE) --no-print-directory packages

packages: ## Make the packages from PROGRAMS (.build/release)
	@Scripts/install-packages.sh release
	@Packaging/release.sh $(PROGRAMS) dist

release-aarch64: ## Build for aarch64, and make its packages in dist (needs root; see docs/packages.md)
	Scripts/aarch64.sh build
	Scripts/aarch64.sh packages

test-packaging: ## Test man pages, completions, installation and the CI action
	@Scripts/install-packages.sh build test-packaging
	@swift build --quiet $(DEBUG_FLAGS)
	PROGRAMS=.build/debug python3 -B Tests/Packaging/run.py pages install ci_action documents

test-packages: ## Make the packages twice from PROGRAMS (.build/release), and compare and read them
	@Scripts/install-packages.sh release test-packages
	PROGRAMS=$(PROGRAMS) python3 -B Tests/Packaging/run.py packages

try-packages: ## Install, run and remove the packages in dist in clean systems (needs root)
	@Scripts/install-packages.sh try-packages
	Packaging/try-packages.sh dist

wheel: build ## Build the Python package with the program in it, dist/symbolicate-*.whl
	@Scripts/install-packages.sh python
	@Scripts/build-wheel.sh $(RELEASE)/symbolicate dist

lint: ## Check the formatting, the comments, and the imports and sizes of modules
	swift format lint --strict -r -p Sources Tests Package.swift
	@Scripts/check_modules.py
	@Scripts/check-comments.sh

format: ## Format the sources in place
	swift format -i -r -p Sources Tests Package.swift

fixtures: ## Rebuild the symbol files in Fixtures (installs lld-19, llvm-19, clang-22, llvm-22, gcc and dwz)
	@Scripts/install-packages.sh fixtures
	Fixtures/build.sh

update-expected: ## Write the golden files from what the program prints now
	@Scripts/install-packages.sh build test
	-UPDATE_EXPECTED=1 swift test $(DEBUG_FLAGS) --filter 'EndToEndTests|FormatListTests'
	@git --no-pager diff --stat -- Tests/EndToEndTests/Expected docs/report.schema.json docs/cli.md
	@echo "Read the diff: git diff Tests/EndToEndTests/Expected"

demo-picture: build ## Draw docs/demo.svg from the output of the program
	Scripts/draw-demo.py $(RELEASE)/symbolicate > docs/demo.svg

clean: ## Remove everything that was built
	rm -rf .build dist
