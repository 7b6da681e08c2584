# Every recipe works in a clone at any path, as root or not, and twice in a row. PORT, VAR, DATABASE_URL,
# DATABASE_OWNER_URL, REDIS_URL, BROKER_URL and DEMO_PASSWORD are read from the environment or given here: make demo PORT=8001
.POSIX:
.SILENT:
.DEFAULT_GOAL := help
.PHONY: help demo test test-slow bench check reset lock format screenshots
PY = .venv/bin/python

help: ## Show what make can do
	awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s  %s\n", $$1, $$2}' Makefile

demo: ## Install, then run everything at http://127.0.0.1:8000 (PORT=, VAR=)
	requirements/install base
	exec $(PY) -m config.supervisor demo

test: ## Run all tests but the slow ones; ARGS= goes to pytest
	requirements/install base
	requirements/install test
	$(PY) -m tests.run $(ARGS)

test-slow: ## Run the slow tests
	requirements/install base
	requirements/install test
	$(PY) -m tests.run --slow $(ARGS)

bench: ## Measure what is promised; ARGS= names subjects, --json PATH, --scale 0.1
	requirements/install base
	requirements/install test
	$(PY) -m tests.benchmarks $(ARGS)

check: ## Check format, lint, templates, imports, types, settings, migrations, translations
	requirements/install base
	requirements/install test
	$(PY) .ci/check.py

format: ## Bring Python and templates into their format
	requirements/install test
	$(PY) -m ruff check --fix-only --quiet .
	$(PY) -m ruff format .
	$(PY) .ci/check.py --format

screenshots: ## Take the pictures of README and docs again, from a demo of their own
	requirements/install base
	requirements/install test
	$(PY) -m tests.screenshots $(ARGS)

reset: ## Remove the demo's data (VAR); the next make demo starts over
	requirements/install base
	$(PY) -m config.supervisor reset

lock: ## Pin requirements/*.in again
	requirements/install dev
	for part in base test dev; do \
		$(PY) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
			--custom-compile-command "make lock" $(ARGS) requirements/$$part.in -o requirements/$$part.txt || exit 1; \
	done
