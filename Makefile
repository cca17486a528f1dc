# `make` alone says what there is.

VENV := .venv
PYTHON := $(VENV)/bin/python
NATIVE := $(shell find crates games -name '*.rs' -o -name '*.toml') Cargo.toml Cargo.lock pyproject.toml

.PHONY: help play test check bench fuzz lock clean
.DEFAULT_GOAL := help

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

play: $(VENV)/.native ## build what is needed and play
	$(VENV)/bin/acedrex play

test: check benches/rivals/.venv/.done ## every check and every test
	cargo test --workspace --locked
	$(PYTHON) -m pytest

check: $(VENV)/.dev $(VENV)/.native ## formatting, lints, types, licences
	cargo fmt --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m ruff check
	$(PYTHON) -m mypy
	$(PYTHON) tools/check_licences.py

bench: $(VENV)/.native benches/rivals/.venv/.done ## speed and memory, against others where there are others
	$(PYTHON) -m benches.perft
	$(PYTHON) -m benches.engine
	$(PYTHON) -m benches.python_api
	$(PYTHON) -m benches.sizes
	$(PYTHON) -m benches.board

fuzz: ## a minute of random positions against brute force
	cargo run --release --locked -p fuzz -- --seconds 60

lock: ## write the locked requirements anew (needs uv)
	for name in requirements/build requirements/dev benches/rivals/requirements; do \
	  uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --custom-compile-command 'make lock' $$name.in -o $$name.txt; done

clean: ## remove everything that was built
	rm -rf target dist build $(VENV) benches/rivals/.venv benches/rivals/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src -name '_native*.so' -delete

# Stamps: a second call finds them newer than what they depend on.

$(VENV)/.build: requirements/build.txt
	python3 -m venv $(VENV)
	$(PYTHON) -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.build
	$(PYTHON) -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.native: $(NATIVE) $(VENV)/.build
	VIRTUAL_ENV=$(abspath $(VENV)) $(VENV)/bin/maturin develop --release --locked --quiet
	@touch $@

benches/rivals/.venv/.done: benches/rivals/requirements.txt
	python3 -m venv benches/rivals/.venv
	benches/rivals/.venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@
