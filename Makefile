# Two commands on a fresh machine (git, make, a Python >= 3.12 somewhere):
#
#   make demo    play the default evening and write its report
#   make test    lint, types and tests
#
# Both make .venv and install what they need, and do so again only when
# pyproject.toml or constraints.txt has changed.

VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
PYTEST = $(BIN)/pytest -n $(JOBS)
INSTALL = $(BIN)/python -m pip --disable-pip-version-check install --quiet -c constraints.txt

.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help demo test test-all bench oracles lint format types clean distclean

help:
	@echo 'make demo      play the default evening and write its report'
	@echo 'make test      lint, types, unit tests and doctests'
	@echo 'make test-all  the same with the slow tests'
	@echo 'make bench     speed, against a plain Mesa model of the same evening, and of each game'
	@echo 'make oracles   a million simulated rounds of each game beside their exact odds'
	@echo 'make lint      ruff: rules and format, changing nothing'
	@echo 'make format    ruff: put right what it can'
	@echo 'make types     mypy on the package'
	@echo 'make clean     remove caches and builds (distclean: .venv too)'

demo: $(VENV)/runtime.stamp
	@$(BIN)/tavern run

test: lint types
	$(PYTEST)

test-all: lint types
	$(PYTEST) -m ''

bench: $(VENV)/runtime.stamp
	@$(BIN)/python benchmarks/speed.py

oracles: $(VENV)/runtime.stamp
	@$(BIN)/python benchmarks/oracles.py

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/dev.stamp
	$(BIN)/mypy

clean:
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)

$(VENV)/runtime.stamp: pyproject.toml constraints.txt $(BIN)/python
	@sh tools/make-venv.sh $(VENV)
	$(INSTALL) -e .
	@touch $@

$(VENV)/dev.stamp: pyproject.toml constraints.txt $(BIN)/python
	@sh tools/make-venv.sh $(VENV)
	$(INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/runtime.stamp

# Nothing to do here: an interpreter that is gone (or a link that dangles) makes
# the stamps stale, and make-venv.sh builds the environment anew.
$(BIN)/python: ;
