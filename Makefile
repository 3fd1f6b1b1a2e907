# Each target creates .venv and installs what is missing or changed; if nothing is, it starts at once.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WEIGHTS := $(VENV)/.weights
DB ?= demo.db
STUDY := examples/first-leaderboard
# Which tests run. The slow ones too: make test PYTEST=
PYTEST ?= -m "not slow"
COVERAGE := --cov --cov-report=term:skip-covered

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export TOKENIZERS_PARALLELISM := false
export HF_HUB_OFFLINE ?= 1

.PHONY: install demo case-study case-study-import case-study-models case-study-pages case-study-tenth test lint check sbom measure clean

install: $(STAMP)

# Everything by hash. torch first, so that no dependency pulls in another build (gigabytes of CUDA).
$(STAMP): pyproject.toml requirements.lock requirements-torch.txt requirements-torch-cpu.txt requirements-nodeps.txt
	@echo "Installing into $(VENV): 2.5 GB, a few minutes (once)."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --no-deps --require-hashes -r requirements-torch-cpu.txt 2>/dev/null || \
		$(BIN)/pip install -q --no-deps --require-hashes -r requirements-torch.txt
	$(BIN)/pip install -q --no-deps --require-hashes -r requirements.lock
	$(BIN)/pip install -q --no-deps --require-hashes -r requirements-nodeps.txt
	$(BIN)/pip install -q --no-deps --no-build-isolation -e .
	@$(BIN)/python -c "import torch" 2>/dev/null || \
		{ echo "This torch is a CUDA build: NVIDIA's libraries come without hashes."; $(BIN)/pip install -q torch==2.13.0; }
	touch $(STAMP)

# The encoder under the default judge, 440 MB, once per machine: tests judge with it.
$(WEIGHTS): $(STAMP) bots/weights/catalogue.json
	$(BIN)/arena models fetch all-mpnet-base-v2
	touch $(WEIGHTS)

demo: $(STAMP)
	$(BIN)/arena demo --db sqlite:///$(DB)

# The published results of docs/case-study.md, imported and shown in the browser.
case-study-pages: case-study-import
	$(BIN)/arena ui --db sqlite:///case-study.db

case-study-import: $(STAMP)
	mkdir -p build
	gunzip -c $(STUDY)/dialogues.jsonl.gz > build/case-study.jsonl
	$(BIN)/arena import build/case-study.jsonl --db sqlite:///case-study.db

# A tenth of the published interviews, played anew and held against them (ten minutes or so).
case-study-tenth: case-study-import case-study-models
	cd $(STUDY) && $(CURDIR)/$(BIN)/arena run tournament.yaml --limit 27 --db sqlite:///$(CURDIR)/case-study-tenth.db
	$(BIN)/python $(STUDY)/anew.py sqlite:///case-study-tenth.db sqlite:///case-study.db

# Everything from nothing: fetches the models (2 GB), plays and judges (an hour or two), prints the tables.
# A run that was stopped goes on with the same command.
case-study: case-study-models
	cd $(STUDY) && for file in tournament before after again self-play self-play-models; do \
		$(CURDIR)/$(BIN)/arena run $$file.yaml --db sqlite:///$(CURDIR)/case-study-anew.db || exit 1; done
	$(BIN)/python $(STUDY)/tables.py --db sqlite:///case-study-anew.db

case-study-models: $(STAMP) $(WEIGHTS)
	for model in smollm2-135m qwen2.5-coder-0.5b qwen2.5-coder-1.5b gemma3-270m; do \
		$(BIN)/arena models fetch $$model || exit 1; done

test: $(STAMP) $(WEIGHTS)
	$(BIN)/python -m pytest -n 2 --dist loadscope $(PYTEST)

# Style, types, the import contract, size and complexity, code that nothing uses.
lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.limits
	$(BIN)/vulture

check: lint
	$(MAKE) test PYTEST='$(PYTEST) $(COVERAGE)'

# What is installed, for whoever looks for known weaknesses: CycloneDX, without network.
sbom: $(STAMP)
	mkdir -p build
	$(BIN)/python .ci/sbom.py > build/sbom.json
	@echo "build/sbom.json"

measure: $(STAMP) $(WEIGHTS)
	$(BIN)/python -m tests.measure $(ONLY)

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis demo.db demo.db-wal demo.db-shm
