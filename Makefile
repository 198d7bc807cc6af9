# The commands of this project. CMake does the building (CMakePresets.json); this file only puts
# the steps in order and installs what they need.

JOBS := $(shell nproc)
# Without it ccache, where it is installed, passes over tests that read precompiled headers.
export CCACHE_SLOPPINESS := pch_defines,time_macros

.PHONY: help setup reproduce demo python wheel sweep whole storm soak suite suite-quick world compared bench rates test mutants check openapi asan tsan tidy golden fuzz docs wasm wasm-test site picture live live-limits release pages format clean

help:
	@echo 'make reproduce  build the program and run the main job'
	@echo 'make demo       the service and a simulated system that it tunes, until Ctrl-C'
	@echo 'make suite      regret over many problems, next to that of staying put; DATA=folder adds measured data (make suite-quick: a first look)'
	@echo 'make world      write the table of suites/world.toml into docs/learners.md, five minutes'
	@echo 'make bench      the time of rounds and oracles next to their floors and other programs (writes docs/performance.md)'
	@echo 'make rates      how regret grows with the rounds, next to the theory; regret at kinks, under drift and in a world that moves'
	@echo 'make test       build, run all tests, check the format, build the API reference'
	@echo 'make python     build the Python package, install it in an environment of its own, test it there'
	@echo 'make wheel      a wheel in build/wheel for Debian'"'"'s Python, which installs without a compiler'
	@echo 'make whole      the long sweeps of the tests whole, a fifth of which make test does'
	@echo 'make check      test, whole, openapi, site, wasm-test, tidy, golden, a minute of soak, asan and tsan; goes on where it was stopped'
	@echo 'make openapi    lint the description of the service'
	@echo 'make asan       the tests under the address and undefined behaviour sanitizers; line coverage'
	@echo 'make tsan       the tests that start threads, under the thread sanitizer'
	@echo 'make tidy       clang-tidy'
	@echo 'make golden     the same digits from gcc, clang and x86-64'
	@echo 'make storm      kills and stops of the processes of a study, of services and of PostgreSQL; nothing may be lost'
	@echo 'make sweep      ten random instances of every set through the kit, 10,000 random slices and as many cuts (SEED=..., new each day)'
	@echo 'make mutants    plant the faults of tests/mutants one at a time; nine of ten must be noticed'
	@echo 'make soak       an hour of ten thousand durable steps a second (SOAK_SECONDS); memory flat, nothing lost'
	@echo 'make fuzz       every fuzzer for a minute (FUZZ_SECONDS)'
	@echo 'make docs       API reference in build/docs/html'
	@echo 'make wasm       the library as WebAssembly for browsers and Node, in build/wasm/package'
	@echo 'make wasm-test  its digits and its package in Node, the playground in Chromium'
	@echo 'make site       the documentation as a site with search, in build/site'
	@echo 'make picture    draw docs/regret.svg, the figure of the README'
	@echo 'make live       tune a real haproxy next to others, 5 minutes; writes docs/live.md (RUNS=1)'
	@echo 'make live-limits  the same with a limit on the latency, at least cost; writes docs/tutorials/latency.md, too'
	@echo 'make release    run the checklist of a release; files in build/release-files'
	@echo 'make pages      write docs/sets, the pages of the sets, from the catalogue and tools/pages/texts'
	@echo 'make format     format all sources'
	@echo 'make setup      install what the above need (each does so by itself)'
	@echo 'make clean      remove build/'

setup:
	scripts/setup check

reproduce:
	scripts/setup reproduce
	cmake --preset release
	cmake --build --preset release --target keyhole_cli
	build/release/keyhole reproduce

demo:
	scripts/setup build
	cmake --preset release
	cmake --build --preset release --target keyhole_cli
	scripts/demo build/release/keyhole build/demo

# Without the measured data (DATA) the part that needs it is left out.
DATA ?= ../shared/data
suite suite-quick: QUICK = $(if $(filter suite-quick,$@),--quick)
suite suite-quick:
	scripts/setup build
	cmake --preset release
	cmake --build --preset release --target keyhole_cli
	build/release/keyhole run suites/regret.toml --relative $(QUICK)
	build/release/keyhole run suites/world.toml --relative $(QUICK)
	if [ -d "$(DATA)" ]; then ln -sfn "$(abspath $(DATA))" suites/data && build/release/keyhole run suites/data.toml --relative $(QUICK); fi

world:
	scripts/setup build
	cmake --preset release
	cmake --build --preset release --target keyhole_cli
	scripts/world-table build/release/keyhole

compared:
	scripts/setup bench
	$(MAKE) python
	build/python/venv/bin/python bench/compared.py

bench:
	scripts/setup bench
	cmake --preset release -DKEYHOLE_BUILD_BENCH=ON
	cmake --build --preset release --target benches keyhole_cli
	cmake --preset native
	cmake --build --preset native --target bench_round bench_micro bench_learners
	$(MAKE) python
	scripts/performance build/release
	build/release/bench/bench_set_oracles
	build/release/bench/bench_nuclear_projection
	build/release/bench/bench_gauge_round
	build/release/bench/bench_postgres
	build/release/bench/bench_start
	build/python/venv/bin/python bench/compared.py

rates:
	scripts/setup bench
	cmake --preset release -DKEYHOLE_BUILD_BENCH=ON
	cmake --build --preset release --target benches
	build/release/bench/bench_newton_rate
	build/release/bench/bench_table1
	build/release/bench/bench_belief
	build/release/bench/bench_choices
	build/release/bench/bench_context
	build/release/bench/bench_kinks
	build/release/bench/bench_limits
	build/release/bench/bench_drift
	build/release/bench/bench_past
	build/release/bench/bench_proof
	build/release/bench/bench_relapse
	build/release/bench/bench_rough
	build/release/bench/bench_world

# Ten instances of every family of sets that nobody has seen; what fails is printed with its seed.
SEED ?= $(shell date +%Y%m%d)
sweep:
	scripts/setup test
	cmake --preset release
	cmake --build --preset release --target sweep
	build/release/tests/sweep $(SEED)

whole:
	scripts/setup test
	cmake --preset release
	cmake --build --preset release --target test_programs
	ctest --preset whole -j $(JOBS)

mutants:
	scripts/setup test
	scripts/mutants

storm:
	scripts/setup test
	cmake --preset release
	cmake --build --preset release --target studies_test service_test postgres_test
	KEYHOLE_STORM=1000 build/release/tests/studies_test --gtest_filter=Storm.*:*StoreAtOnce.*
	KEYHOLE_STORM=200 build/release/tests/service_test --gtest_filter=Killed.*
	KEYHOLE_STORM=100 build/release/tests/postgres_test --gtest_filter=Replicas.*

SOAK_SECONDS ?= 3600
soak:
	scripts/setup test
	cmake --preset release
	cmake --build --preset release --target service_test
	KEYHOLE_SOAK=$(SOAK_SECONDS) build/release/tests/service_test --gtest_filter=Soak.*

# The wheel has the library as the release build has compiled it, for Debian's Python.
WITH_PYTHON = -DKEYHOLE_WITH_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3

test:
	scripts/setup test
	scripts/format-check
	$(MAKE) docs
	cmake --preset release $(WITH_PYTHON)
	cmake --build --preset release
	ctest --preset release -j $(JOBS) || { scripts/failures build/release; exit 1; }

python:
	scripts/setup python
	cmake --preset release $(WITH_PYTHON)
	cmake --build --preset release --target keyhole_python keyhole_plays keyhole_cli
	scripts/python build/release

wheel:
	scripts/setup python
	cmake --preset release $(WITH_PYTHON)
	cmake --build --preset release --target keyhole_python
	scripts/wheel build/release build/wheel

# Stages one after the other, each of which uses all processors. A stage that has passed is not
# repeated while the files that it reads are the same; build/check has the logs.
check:
	SOAK_SECONDS=60 scripts/check test whole openapi site wasm-test tidy golden soak asan tsan

# The linter and its packages come from npm, which takes too long for every test.
openapi:
	scripts/setup check
	npm exec --yes @redocly/cli@1.34.5 -- lint src/service/openapi.yaml

tsan:
	scripts/setup check
	cmake --preset tsan
	cmake --build --preset tsan --target test_programs
	ctest --preset tsan -j $(JOBS)

# Coverage is counted in the same run: another build for it took as long again. Counters that threads
# may disturb are twenty times faster than atomic ones, and a line that was run is still seen.
asan:
	scripts/setup check
	cmake --preset asan $(WITH_PYTHON)
	find build/asan -name '*.gcda' -delete
	cmake --build --preset asan
	ctest --preset asan -j $(JOBS)
	mkdir -p build/asan/coverage
	gcovr --root . --filter src/base/ --filter src/math/ --filter src/sets/ --filter src/learners/ \
	  --filter src/problems/ --filter src/spec/ --filter src/experiment/ --filter src/spaces/ \
	  --filter src/studies/ --filter src/service/ --filter src/client/ \
	  --filter src/testing/ \
	  --gcov-ignore-parse-errors --fail-under-line 95 \
	  --html-details build/asan/coverage/index.html --txt - build/asan

# The files of a folder are looked at together: one by one takes ten times as long, for the headers.
# What has passed is not repeated while it is the same.
tidy:
	scripts/setup check
	cmake --preset debug -B build/tidy -DKEYHOLE_UNITY=ON -DKEYHOLE_PRECOMPILE=OFF $(WITH_PYTHON)
	grep -o '"file": "[^"]*"' build/tidy/compile_commands.json | cut -d '"' -f 4 | \
	  grep -E '^$(CURDIR)/((src|tools|python/src)/|build/tidy/.*/Unity/)' | sort -u | \
	  xargs -P $(JOBS) -n 1 scripts/tidy

golden:
	scripts/setup check
	scripts/golden

FUZZ_SECONDS := 60
fuzz:
	scripts/setup fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz --target fuzzers
	scripts/fuzz $(FUZZ_SECONDS)

docs:
	scripts/setup docs
	mkdir -p build/docs
	doxygen docs/Doxyfile

site: docs
	scripts/setup site
	scripts/wasm
	cmake --preset release
	cmake --build --preset release --target keyhole_cli
	scripts/site build/release/keyhole

wasm:
	scripts/setup wasm
	scripts/wasm

# Its digits in Node, its package in Node, the playground in Chromium.
wasm-test:
	scripts/setup check
	scripts/wasm
	scripts/compare-output tests/golden/digits.txt node --no-experimental-fetch build/wasm/golden_digits.js
	scripts/compare-output tests/golden/digits_lemon.txt node --no-experimental-fetch build/wasm/golden_digits.js --lemon
	node --test tests/wasm/wasm.test.mjs
	node tests/wasm/playground.mjs

picture:
	scripts/setup build
	cmake --preset release
	cmake --build --preset release --target keyhole_cli
	scripts/picture build/release/keyhole

RUNS := 1
live live-limits: EXAMPLE = $(if $(filter live-limits,$@),limits,live)
live live-limits:
	scripts/setup live
	cmake --preset release
	cmake --build --preset release --target keyhole_cli
	rm -rf build/$@
	set -e; for run in $$(seq $(RUNS)); do examples/live/$(EXAMPLE).py build/release/keyhole build/$@/$$run; done
	scripts/live-page build/$@/*/results.json

release: site
	scripts/setup release
	cmake --preset release $(WITH_PYTHON)
	cmake --build --preset release --target keyhole_python keyhole_cli
	scripts/release build/release

pages:
	scripts/setup build
	cmake --preset release
	cmake --build --preset release --target keyhole_set_pages
	rm -f docs/sets/*.md docs/sets/*.svg
	build/release/keyhole_set_pages docs/sets

format:
	scripts/setup test
	scripts/format-check --fix

clean:
	rm -rf build
