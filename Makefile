# `make` alone says what there is.

VENV := .venv
PYTHON := $(VENV)/bin/python
# More processes than most machines' share of cores: tests of servers and browsers wait a lot.
PYTEST := $(PYTHON) -m pytest --numprocesses 4 --dist loadfile --no-loadscope-reorder
LOCK := uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
  --custom-compile-command 'make lock'
NATIVE := $(shell find crates games -name tests -prune -o \( -name '*.rs' -o -name '*.toml' -o -name '*.net' -o -path '*/weights/*.txt' \) -print) Cargo.toml Cargo.lock pyproject.toml
BUNDLES := src/acedrex/server/static/index.html src/acedrex/widget/static/board.js
WEB := $(shell find web \( -name node_modules -o -name compiled \) -prune -o -type f -print) package.json biome.json tsconfig.json

CORE := tools/build_core tools/bindgen/Cargo.lock tools/bindgen/src/main.rs .cargo/config.toml $(NATIVE)
NPM := dist/acedrex-$(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml).tgz

# The tests start Python hundreds of times: it may keep what it has compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play web npm sdist built test test-rust test-web collected quick nightly check check-rust check-python check-web docs links bench fuzz lock clean
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-10s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/.native $(VENV)/.server $(BUNDLES) ## build what is needed and play in the browser
	$(VENV)/bin/acedrex serve --open

web: $(BUNDLES) ## build the web app and the board in notebooks, which wheels and sdists need

npm: $(NPM) ## the npm package acedrex, the core for JavaScript, in dist

sdist: $(VENV)/.native $(BUNDLES) ## the source distribution, in dist
	MATURIN_NO_MISSING_BUILD_BACKEND_WARNING=1 $(VENV)/bin/maturin sdist --out dist

built: $(VENV)/.dev $(VENV)/.native benches/rivals/.venv/.done $(BUNDLES) $(NPM) build/element/acedrex.js

# Three things at a time, since linking and type checking keep only one processor busy.
test: ## every check and every test
	@$(MAKE) --no-print-directory --jobs=3 --output-sync check built test-rust test-web collected
	$(PYTEST)

test-rust:
	cargo test --workspace --locked --quiet

test-web: node_modules/.done $(BUNDLES)
	npm run --silent test

# Each process would compile all tests for itself.
collected: $(VENV)/.dev $(VENV)/.native
	$(PYTHON) -m pytest --collect-only --quiet --no-summary >/dev/null

quick: $(VENV)/.dev $(VENV)/.native $(BUNDLES) ## the tests in Python that take least, without browsers
	$(PYTEST) -m 'not browser and not slow'

nightly: export ACEDREX_NIGHTLY = 1
nightly: export PYTEST_ADDOPTS = -o faulthandler_timeout=0
nightly: test fuzz ## the same tests with long samples, and those that measure time, which needs an idle machine
	$(PYTHON) -m pytest -m nightly

check: check-rust check-python check-web ## formatting, lints, types, licences

check-rust:
	cargo fmt --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo fmt --check --manifest-path crates/wasm/Cargo.toml
	cargo clippy --manifest-path crates/wasm/Cargo.toml --target-dir target/wasm --locked -- -D warnings

check-python: $(VENV)/.dev $(VENV)/.native
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m ruff check
	$(PYTHON) -m mypy
	$(PYTHON) tools/make_types.py --check
	$(PYTHON) tools/check_licences.py

check-web: web/core/compiled/core.js node_modules/.done
	npm run --silent check

docs: $(VENV)/.dev $(VENV)/.native build/element/acedrex.js ## the documentation as a site, build/site/index.html
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --strict --quiet

links: docs ## look whether the pages of others that the site links to are still there (needs the network)
	$(PYTHON) tools/check_links.py build/site

bench: $(VENV)/.dev $(VENV)/.native $(BUNDLES) $(NPM) benches/rivals/.venv/.environments ## speed and memory, against others where there are others
	$(PYTHON) -m benches.perft
	$(PYTHON) -m benches.engine
	$(PYTHON) -m benches.wasm
	$(PYTHON) -m benches.python_api
	$(PYTHON) -m benches.env
	$(PYTHON) -m benches.sizes
	$(PYTHON) -m benches.server
	$(PYTHON) -m benches.analysing
	$(PYTHON) -m benches.attacks
	$(PYTHON) -m benches.board
	$(PYTHON) -m benches.first_paint

fuzz: $(NPM) ## a minute of random positions against brute force, and one of hostile input for the core in JavaScript
	cargo run --release --locked -p fuzz -- --seconds 60
	node tests/javascript/fuzz.mjs build/npm 60

lock: ## write the locked requirements anew (needs uv)
	$(LOCK) requirements/build.in -o requirements/build.txt
	$(LOCK) pyproject.toml --extra server --extra scale -o requirements/server.txt
	$(LOCK) requirements/dev.in -c requirements/server.txt -o requirements/dev.txt
	$(LOCK) benches/rivals/requirements.in -o benches/rivals/requirements.txt
	$(LOCK) benches/rivals/environments.in -o benches/rivals/environments.txt

clean: ## remove everything that was built
	rm -rf target dist build node_modules web/core/compiled src/acedrex/server/static src/acedrex/widget/static web/board/pieces.svg $(VENV) benches/rivals/.venv benches/rivals/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src -name '_native*.so' -delete

# Stamps: a second call finds them newer than what they depend on.

$(VENV)/.build: requirements/build.txt
	python3 -m venv $(VENV)
	$(PYTHON) -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.server: requirements/server.txt $(VENV)/.build
	$(PYTHON) -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.server
	$(PYTHON) -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.native: $(NATIVE) $(VENV)/.build
	VIRTUAL_ENV=$(abspath $(VENV)) MATURIN_NO_MISSING_BUILD_BACKEND_WARNING=1 PIP_QUIET=1 $(VENV)/bin/maturin develop --release --locked --quiet
	@touch $@

benches/rivals/.venv/.done: benches/rivals/requirements.txt
	python3 -m venv benches/rivals/.venv
	benches/rivals/.venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

benches/rivals/.venv/.environments: benches/rivals/environments.txt benches/rivals/.venv/.done
	benches/rivals/.venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

node_modules/.done: package-lock.json
	npm ci --silent --no-audit --no-fund
	@touch $@

web/board/pieces.svg: tools/make_pieces.py src/acedrex/art/game-icons.json | $(VENV)/.native
	$(PYTHON) tools/make_pieces.py $@

src/acedrex/server/static/index.html: web/core/compiled/core.js node_modules/.done web/board/pieces.svg $(WEB)
	npm run --silent build

src/acedrex/widget/static/board.js: node_modules/.done web/board/pieces.svg $(WEB)
	npm run --silent build:notebook -- --logLevel warn

web/core/compiled/core.js: $(CORE)
	tools/build_core

build/element/acedrex.js: web/core/compiled/core.js node_modules/.done web/board/pieces.svg $(WEB)
	node web/element/build.mjs build/element

$(NPM): web/core/compiled/core.js node_modules/.done web/board/pieces.svg $(WEB) LICENSE NOTICE
	node web/core/tools/pack.mjs
