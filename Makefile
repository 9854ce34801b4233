# SPDX-License-Identifier: Apache-2.0
# The commands of the project. Each installs the Debian packages that it needs (tools/setup), so
# git and make are enough to start with. Knobs are variables: make fuzz FUZZ_SECONDS=600.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
# Tests at a time: most of them wait for other programs half of the time.
TEST_JOBS ?= $(shell echo $$(($$(nproc) + 1)))
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
BENCH_REPEATS ?= 15
LP_CASES ?= 10000
WORLDS ?= 1000000
PACKET_WORLDS ?= 200
ORACLE_CASES ?= 10000
FAULT_SCHEDULES ?= 1000
SEEDS ?= 1000
CRASH_KILLS ?= 200
LIVES ?= 2000
HISTORIES ?= 1000
PATCH_CASES ?= 100000
TABLE_CASES ?= 300
TRACES ?= 200
KILLS ?= 100
# The cluster of bench-controller.
NODES ?= 5000
SERVICES ?= 2000
PODS ?= 50000
RESTARTS ?= 5000
CHANGES ?= 500
# The load of proxy-load.
LOAD_RATE ?= 500
FLIPS ?= 200
GONE_SECONDS ?= 60
CONNECTIONS ?= 20000
# The long proofs print their seed; give it back to see the same cases again.
SEED ?= $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')

# Scripts of tests, benches and tools find their packages here; CMake says the same to ctest.
export PYTHONPATH := $(CURDIR)/tests/support/py:$(CURDIR)/tools/py
export PYTHONDONTWRITEBYTECODE := 1

# Clones of the project share what ccache has compiled.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
# What ccache has to compile is timed, for make build-cost.
export CCACHE_PREFIX := $(CURDIR)/tools/time_compiler

# Of proxima up, in make run: make run UP_FLAGS='--zones 2 --open'.
UP_FLAGS ?=
EXAMPLE := examples/three-zones.yaml
PROXIMA := build/release/bin/proxima
CXX_FILES = git ls-files 'src/*.h' 'src/*.cc' 'tests/*.h' 'tests/*.cc' 'bench/*.h' 'bench/*.cc' \
  'tools/*.h' 'tools/conformance/*.cc' 'tools/packet_lab/*.cc'

# CMake lists what it found on standard output, and what is wrong on standard error.
configure = mkdir -p build && cmake --preset $(1) $(2) > build/configure-$(1).log
compile = tools/compile build/$(1) $(JOBS) $(2)
# $(call build,PRESET,TARGET…): configures and builds, with progress.
build = $(call configure,$(1),-DPROXIMA_BUILD_TESTS=ON) && $(call compile,$(1),$(2))
# The program alone, for those who want to use it: a build folder that is new leaves the tests out,
# so what they need (the group "test") need not be here. One that has them keeps them.
build_program = $(call configure,release,$(if $(wildcard build/release/build.ninja),,-DPROXIMA_BUILD_TESTS=OFF)) && \
  $(call compile,release,proxima)

# $(call run_tests,PRESET,FLAGS): several at a time, and none a second time.
run_tests = tools/run_tests $(1) --jobs $(TEST_JOBS) $(2)
# One test, told by its exact name, or those with a label: make test T=base_test, make test L=unit.
# tests/README.md lists both.
T ?=
L ?=
PRESET ?= release
chosen_tests = $(if $(T),--name '$(T)') $(if $(L),--label '$(L)')
# A test that is a program needs nothing else of a build folder that is configured already.
test_target = $(if $(T),$(shell grep -qs '^build $(T): phony' build/$(PRESET)/build.ninja && echo '$(T)'))

.PHONY: help
help: ## Show this list
	@echo 'make TARGET, where TARGET is one of:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 20

.PHONY: run
run: ## Run a cluster of three zones on this machine, with a page that shows its traffic (Ctrl-C ends it)
	@tools/setup build ui
	@echo 'Building (the first time takes a while: on 2 processors about 5 minutes)…'
	@$(build_program)
	@$(PROXIMA) up $(UP_FLAGS)

.PHONY: compare
compare: ## Compare all policies on the bundled three-zone cluster
	@tools/setup build ui
	@echo 'Building (the first time takes a while: on 2 processors about 5 minutes)…'
	@$(build_program)
	@echo '$$ proxima compare -f $(EXAMPLE)'
	@$(PROXIMA) compare -f $(EXAMPLE)
	@printf '%s\n' '' 'Go on with:' \
	  '  $(PROXIMA) explain service/shop/cart --from-zone zone-a -f $(EXAMPLE)' \
	  '  kubectl get nodes,namespaces,services,pods,endpointslices -A -o json | $(PROXIMA) compare -f -' \
	  '  $(PROXIMA) --help'

.PHONY: build
build: ## Build everything, optimised, into build/release/bin
	@tools/setup build ui test
	$(call build,release)

.PHONY: test
test: ## Build and run every test, the test T=NAME, or those with the label L=LABEL
	@tools/setup build ui test page
	@$(call configure,$(PRESET),-DPROXIMA_BUILD_TESTS=ON)
	@tools/run_tests $(PRESET) --find $(chosen_tests)
	$(call compile,$(PRESET),$(test_target))
	$(call run_tests,$(PRESET),$(chosen_tests) $(if $(T),--verbose))

.PHONY: check
check: format layers tidy asan ## Format, layers, clang-tidy and the tests under ASan and UBSan

.PHONY: format
format: ## Say which files clang-format would change
	@tools/setup check
	$(CXX_FILES) | xargs clang-format-14 --dry-run --Werror

.PHONY: fmt
fmt: ## Let clang-format change them
	@tools/setup check
	$(CXX_FILES) | xargs clang-format-14 -i

.PHONY: layers
layers: ## Check the layers and bans of src/
	tools/layer_check --self-test
	tools/layer_check

.PHONY: build-cost
build-cost: ## Print the CPU seconds that compiling the program takes, and fail when they have grown by a tenth
	@tools/setup build ui test
	$(call build,release,proxima)
	tools/build_cost build/release --jobs $(JOBS)

.PHONY: units
units: ## Compile every source alone, as development builds do, or those affected by changes since SINCE=COMMIT
	@tools/setup build ui test
	$(call configure,units,-DPROXIMA_BUILD_TESTS=ON)
	tools/check_units compile build/units --jobs $(JOBS) $(if $(SINCE),--since $(SINCE))

.PHONY: tidy
tidy: ## Run clang-tidy over src/, or over what changed there since SINCE=COMMIT
	@tools/setup build ui test check
	$(call configure,units,-DPROXIMA_BUILD_TESTS=ON)
	tools/check_units tidy build/units --jobs $(JOBS) $(if $(SINCE),--since $(SINCE))

.PHONY: asan
# Tests of other programs and of texts have the label no-sanitizer: their minutes would say nothing
# about our memory. Its objects serve the fuzzers too.
asan: ## Run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/setup build ui test check page
	$(call build,asan)
	export PROXIMA_ORACLE_CASES=500 PROXIMA_LP_CASES=1000 PROXIMA_NFT_WORLDS=3 PROXIMA_SIMULATIONS=5; $(call run_tests,asan)

.PHONY: tsan
tsan: ## Run the tests of everything that has threads under ThreadSanitizer
	@tools/setup build ui test check
	$(call build,tsan,threads_tests)
	export PROXIMA_NFT_WORLDS=1; $(call run_tests,tsan,--label threads)

.PHONY: lp
lp: ## Compare balanced with an LP solver on LP_CASES random problems
	@tools/setup build ui test
	$(call build,release,lp_test)
	PROXIMA_LP_CASES=$(LP_CASES) PROXIMA_SEED=$(SEED) \
	  tools/run_tests release --verbose --name lp_test

.PHONY: truth
truth: ## Compare plan, routes and slots of WORLDS random worlds, and PACKET_WORLDS of them with packets (root)
	@tools/setup build ui test
	$(call build,release,one_truth_test one_truth_packets_test)
	export PROXIMA_WORLDS=$(WORLDS) PROXIMA_PACKET_WORLDS=$(PACKET_WORLDS) PROXIMA_SEED=$(SEED); \
	  tools/run_tests release --verbose --name one_truth_test && \
	  tools/run_tests release --verbose --name one_truth_packets_test

.PHONY: oracle
oracle: ## Ask upstream's own code ORACLE_CASES random questions beside ours (needs Go 1.26)
	@tools/setup build ui test
	$(call build,release,proxima-conformance slice-packing)
	export PROXIMA_ORACLE_CASES=$(ORACLE_CASES) PROXIMA_SEED=$(SEED); \
	  tools/run_tests release --verbose --name oracle_test; \
	  tools/run_tests release --verbose --name slices_oracle_test

.PHONY: peers
peers: ## Build the real Kubernetes programs that tests run beside ours (needs Go 1.26)
	@tools/setup peers
	tools/peers/build --kept $(OLDER_PEERS)
	tools/peers/build kube-apiserver kube-controller-manager kube-proxy kubectl kubectl-1.32 etcd helm

OLDER_PEERS := kube-controller-manager-1.33 kube-proxy-1.33
CLUSTER_PEERS := kube-apiserver kube-controller-manager kube-proxy kube-scheduler kubectl kubelet etcd coredns helm
ZONES ?= 3
PROXY ?= proxima-nftables
IMAGE := build/image/proxima.tar
.PHONY: cluster
cluster: CLUSTER_NODES ?= 6
cluster: ## Run a real Kubernetes cluster of CLUSTER_NODES nodes in ZONES zones with PROXY=proxima-nftables or kube-proxy (root; needs Go 1.26)
	@tools/setup cluster peers
	tools/peers/build $(CLUSTER_PEERS)
	$(if $(filter proxima-%,$(PROXY)),[ -e $(IMAGE) ] || $(MAKE) image)
	tools/cluster up --nodes $(CLUSTER_NODES) --zones $(ZONES) --proxy $(PROXY) $(if $(filter proxima-%,$(PROXY)),--image $(IMAGE))

.PHONY: cluster-down
cluster-down: ## Remove the cluster of make cluster, also after a crash (root)
	tools/cluster down

.PHONY: skew
skew: ## Run ours beside the controller and the node proxy of Kubernetes 1.33 and of the newest version (root; needs Go 1.26)
	@tools/setup build ui test peers
	tools/peers/build kube-apiserver kube-controller-manager kube-proxy etcd $(OLDER_PEERS)
	$(call build,release,proxima px-lab px-traffic)
	tools/run_tests release --verbose --name version_skew_test

.PHONY: patches
patches: ## Give upstream's own code PATCH_CASES random patches beside ours (needs Go 1.26)
	@tools/setup build ui test
	$(call build,release,proxima-api-views)
	PROXIMA_PATCH_CASES=$(PATCH_CASES) PROXIMA_SEED=$(SEED) \
	  tools/run_tests release --verbose --name patch_test

.PHONY: tables
tables: ## Compare Tables with those of a real kube-apiserver, with TABLE_CASES random Pods
	@tools/setup build ui test
	$(call build,release,proxima-api-views)
	PROXIMA_TABLE_CASES=$(TABLE_CASES) \
	  python3 tests/conformance/patches_and_tables/table_test.py build/release/bin/proxima-api-views live

.PHONY: faults
faults: ## Run the Kubernetes client against FAULT_SCHEDULES servers that misbehave
	@tools/setup build ui test
	$(call build,release,faults_test)
	PROXIMA_FAULT_SCHEDULES=$(FAULT_SCHEDULES) PROXIMA_SEED=$(SEED) \
	  tools/run_tests release --verbose --name faults_test

.PHONY: simulate
simulate: ## Simulate SEEDS clusters full of faults in virtual time, from SEED on; the first that fails is explained
	@tools/setup build ui test
	$(call build,release,simulate)
	build/release/bin/simulate --seeds $(SEEDS) --seed $(SEED)

.PHONY: planted-bugs
planted-bugs: ## Plant bugs into a copy of the product, one at a time, and expect the simulator to find each
	@tools/setup build ui test
	tests/simulation/planted_bugs.py build/planted-bugs --jobs $(JOBS)

.PHONY: crash
crash: ## Kill the API server CRASH_KILLS times, while it writes and while it starts, and look what is left
	@tools/setup build ui test
	$(call build,release,proxima)
	PROXIMA_CRASH_KILLS=$(CRASH_KILLS) PROXIMA_SEED=$(SEED) \
	  tools/run_tests release --verbose --name apiserver_crash_test

.PHONY: failing-disk
failing-disk: ## Run the store, and clients of the API server, for LIVES lives on a disk that fails and loses power
	@tools/setup build ui test
	$(call build,release,apiserver_test)
	GTEST_FILTER='*OnADiskThatFails' PROXIMA_FAULTY_DISKS=$(LIVES) PROXIMA_SEED=$(SEED) \
	  tools/run_tests release --verbose --name apiserver_test

.PHONY: linearizability
linearizability: ## Check with porcupine that HISTORIES of concurrent clients of the API server are linearizable (needs Go 1.26)
	@tools/setup build ui test
	$(call build,release,proxima)
	PROXIMA_HISTORIES=$(HISTORIES) PROXIMA_SEED=$(SEED) \
	  tools/run_tests release --verbose --name linearizability_test

.PHONY: controller-proof
controller-proof: ## Run our controller beside upstream's: TRACES random lives, KILLS of the leader (needs make peers)
	@tools/setup build ui test peers
	$(call build,release,proxima)
	PROXIMA_SEED=$(SEED) PROXIMA_TRACES=$(TRACES) \
	  python3 tests/system/controller/controller_side_by_side_test.py $(PROXIMA)
	PROXIMA_SEED=$(SEED) PROXIMA_TRACES=$$(( $(TRACES) / 10 )) \
	  python3 tests/system/controller/controller_take_over_test.py $(PROXIMA)
	PROXIMA_SEED=$(SEED) PROXIMA_TRACES=$(TRACES) \
	  python3 tests/system/controller/controller_mirroring_test.py $(PROXIMA)
	for server in real embedded; do \
	  python3 tests/system/controller/controller_scenarios_test.py $(PROXIMA) --server $$server; \
	  PROXIMA_SEED=$(SEED) PROXIMA_KILLS=$$(( $(KILLS) / 2 )) \
	    python3 tests/system/controller/controller_kills_test.py $(PROXIMA) --server $$server; \
	done

.PHONY: e2e
e2e: ## Send the packets of every row through namespaces, with our proxy and with kube-proxy (root; make peers for the latter)
	@tools/setup build ui test peers
	$(call build,release,proxima px-lab px-traffic)
	python3 tests/packets/node_proxy/packet_rows_test.py $(PROXIMA)
	python3 tests/packets/node_proxy/packet_stories_test.py $(PROXIMA)
	python3 tests/packets/node_proxy/proxy_handover_test.py $(PROXIMA)

# What is said on the command line goes before these.
proxy-load: CHANGES = 1000
proxy-load: RESTARTS = 50
.PHONY: proxy-load
proxy-load: ## LOAD_RATE connections a second while endpoints, plans, the proxy and the API server come and go (root)
	@tools/setup build ui test peers
	$(call build,release,proxima px-lab px-traffic)
	PROXIMA_CONNECTIONS=$(CONNECTIONS) python3 tests/packets/node_proxy/packet_weights_test.py $(PROXIMA)
	LOAD_RATE=$(LOAD_RATE) CHANGES=$(CHANGES) FLIPS=$(FLIPS) RESTARTS=$(RESTARTS) GONE_SECONDS=$(GONE_SECONDS) \
	  PROXIMA_SEED=$(SEED) python3 tests/packets/node_proxy/proxy_load_test.py $(PROXIMA)

soak: MINUTES = 30
.PHONY: soak
soak: ## Random kubectl actions and failures against a running proxima up for MINUTES (needs make peers for kubectl)
	@tools/setup build ui test peers
	$(call build,release,proxima)
	PROXIMA_SEED=$(SEED) python3 tests/long/soak/soak.py $(PROXIMA) --minutes $(MINUTES)

soak-real: MINUTES = 45
.PHONY: soak-real
soak-real: ## Controllers and node proxies on a real API server for MINUTES while every part is killed, stopped and cut off (root; needs make peers)
	@tools/setup build ui test peers
	$(call build,release,proxima px-lab px-traffic)
	PROXIMA_SEED=$(SEED) python3 tests/long/real_soak/real_soak.py $(PROXIMA) --minutes $(MINUTES)

# FOLDER is where fresh unpacks its machine and image builds: they take 3 to 5 GB there.
FOLDER ?= /var/tmp
.PHONY: fresh
fresh: ## Time `make run` on a new Debian 12 that has git and make alone, unpacked into FOLDER (root, network)
	@tools/setup fresh
	python3 tests/long/fresh_machine/fresh.py --folder $(FOLDER)

bench-proxy: SERVICES = 10,1000,10000
.PHONY: bench-proxy
bench-proxy: ## Measure our proxy and kube-proxy at SERVICES services (root; make peers for the latter)
	@tools/setup build ui test peers
	$(call build,release,proxima px-lab px-traffic)
	SERVICES=$(SERVICES) python3 bench/proxy/run.py $(PROXIMA)

.PHONY: bench-controller
bench-controller: ## Measure our controller and upstream's on a cluster of NODES, SERVICES and PODS (needs make peers)
	@tools/setup build ui test peers
	$(call build,release,proxima)
	NODES=$(NODES) SERVICES=$(SERVICES) PODS=$(PODS) RESTARTS=$(RESTARTS) CHANGES=$(CHANGES) \
	  python3 bench/controller/run.py $(PROXIMA)

.PHONY: fuzz
fuzz: ## Fuzz every parser, FUZZ_SECONDS each
	@tools/setup build ui test check
	$(call build,asan,fuzzers)
	tools/fuzz build/asan/bin $(FUZZ_SECONDS) $(SEED)

.PHONY: bench
bench: ## Measure ours and the peers side by side
	@tools/setup build ui test
	$(call build,release)
	bench/run $(BENCH_REPEATS)

.PHONY: docs
docs: ## Rewrite the generated documents: reasons, limits, checks, command line, statements, metrics, pictures, outputs in README.md and docs/
	@tools/setup build ui test
	$(call build,release,proxima)
	$(PROXIMA) reasons -o markdown > docs/reasons.md
	$(PROXIMA) limits -o markdown > docs/reference/limits.md
	$(PROXIMA) check --list -o markdown > docs/check.md
	$(PROXIMA) man -o markdown > docs/reference/cli.md
	python3 tests/conformance/seeds/seeds_page.py > docs/seeds.md
	tools/concept_pictures $(PROXIMA)
	tools/metrics_page $(PROXIMA)
	tools/readme_output $(PROXIMA)

.PHONY: picture
picture: ## Take the pictures that the README shows: the live page of a running lab, the comparison page
	@tools/setup build ui test page
	$(call build,release,proxima)
	tools/picture $(PROXIMA) $(EXAMPLE) docs/compare.png
	tools/lab_picture $(PROXIMA)

.PHONY: coverage
coverage: ## Run the tests and sum up which lines of src/ they reach
	@tools/setup build ui test page coverage
	$(call build,coverage)
	find build/coverage -name '*.gcda' -delete
	PROXIMA_ORACLE_CASES=500 PROXIMA_LP_CASES=1000 $(call run_tests,coverage)
	gcovr --root . --filter src/ --exclude '.*_test\.cc' --print-summary build/coverage

.PHONY: install
install: ## Install proxima, its man page and completions (PREFIX, DESTDIR)
	@tools/setup build ui
	$(build_program)
	DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'

# Files in the packages have the time of the last commit, so that equal sources make equal packages.
package: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || date +%s)
.PHONY: package
package: ## Make a Debian package and a tarball of the program in build/release/packages
	@tools/setup build ui package
	$(build_program)
	cd build/release && umask 022 && cpack
	@ls -l build/release/packages/*.deb build/release/packages/*.tar.gz

.PHONY: image
image: ## Build the container image by buildah, without Docker or a registry, in FOLDER, and run what is in it (root, network)
	@tools/setup image
	python3 tests/packaging/build_image.py --folder $(FOLDER) --jobs $(JOBS) --archive build/image/proxima.tar

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf build
