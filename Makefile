# Two commands do everything, set-up included:
#   make report   checks every claim of the paper and writes report/index.html
#   make test     lint, types, every claim judged, the toolkit's own tests
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
JOBS   ?= 2
unexport PYTHONDONTWRITEBYTECODE  # or every command compiles the sources again

.PHONY: report test lint types theory browser toolkit bench trust coq thorough clean

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "LemmaLab needs Python 3.11 or newer; found $$($(PYTHON) --version). Set PYTHON=python3.11."; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock \
	  --editable '.[smt,cluster,sklearn,parquet,notebooks,dev]'
	@touch $@

report: $(READY)
	$(BIN)/lemmalab check --ledger ledger.json
	@mkdir -p report
	$(BIN)/lemmalab race least-squares --kappa 1e3 --samples 100000 --seeds 8 --figure report/race.svg --json > report/race.json
	$(BIN)/lemmalab report --ledger ledger.json --out report --race report/race.json
	$(BIN)/lemmalab teach --ledger ledger.json --out report/lessons

test: lint types theory toolkit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

theory: $(READY)
	$(BIN)/pytest theory -n $(JOBS) -q

# Debian's Chromium for tests/browser; quiet, and nothing to do when a browser is there
browser:
	@{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null 2>&1 || { \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } >/dev/null 2>&1 || \
	  { echo "tests/browser needs Chromium, and it could not be installed. As root: apt-get install chromium"; exit 2; }; }

toolkit: $(READY) browser
	$(BIN)/pytest tests -n $(JOBS) --dist loadfile -q

bench: $(READY)
	$(BIN)/python -m bench

trust: $(READY)
	$(BIN)/python -m tests.trust

# A second opinion: every proof and every witness as a Coq theorem; Debian's Coq is installed where we may
coq: $(READY)
	@command -v coqc >/dev/null 2>&1 || \
	  { [ "$$(id -u)" = 0 ] && { apt-get update -qq && apt-get install -y -qq --no-install-recommends coq; } >/dev/null 2>&1; } || \
	  { echo "make coq needs Coq. As root: apt-get install coq"; exit 2; }
	@for paper in $(notdir $(patsubst %/lemmalab.toml,%,$(wildcard theory/papers/*/lemmalab.toml))); do \
	  mkdir -p .lemmalab/coq/$$paper && echo "$$paper" && \
	  $(BIN)/lemmalab --paper $$paper check --ledger .lemmalab/coq/$$paper.json --jobs $(JOBS) | tail -n 2 && \
	  $(BIN)/lemmalab --paper $$paper recheck --coq .lemmalab/coq/$$paper.json --folder .lemmalab/coq/$$paper \
	    --ship --jobs $(JOBS) || exit 1; \
	done

thorough: $(READY) browser
	$(BIN)/pytest theory tests -n $(JOBS) -q --profile thorough

clean:
	rm -rf $(VENV) .lemmalab ledger.json report .mypy_cache .ruff_cache .pytest_cache
