# Two commands do everything: `make play` and `make test`. Each makes .venv and installs what it needs.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test test-slow lint clean

play: .venv/installed
	$(BIN)/montego play

test: .venv/dev lint
	$(BIN)/python -m pytest -n 2 -q

test-slow: .venv/dev
	$(BIN)/python -m pytest -n 2 -v -m slow --durations=10

lint: .venv/dev
	$(BIN)/ruff check src tests
	$(BIN)/ruff format --check src tests
	$(BIN)/mypy

.venv/installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Montego needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[web]'
	touch $@

.venv/dev: .venv/installed
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

clean:
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
