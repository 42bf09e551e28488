# Each target does its own set-up; the only things a machine must bring are make and Python 3.11 or later.
.PHONY: setup demo test check compare fuzz chaos chaos-slack image-check deploy-check deploy-render golds bench-guard bench-slack bench-processes bench-day bench-overhead bench-prompts bench-loop bench-bill charts bombs walk kills outages rolling format clean help
.DEFAULT_GOAL := help

# The first interpreter that is new enough, unless PYTHON names one.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
BENCH := .venv/bench/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 15

setup: .venv/.dev ## build .venv with everything in it

demo: .venv/.product ## start everything and open a Slack workspace in the browser
	@$(BIN)/db-agent demo $(ARGS)

# Compiled once: else each test process, and each of the commands that they start, does it again.
test: .venv/.dev ## run all tests
	@$(BIN)/python -m compileall -q -j 0 agent bot
	@$(BIN)/python -m pytest -n auto --maxprocesses=4 $(ARGS)

check: .venv/.dev ## format, lint, types, contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

compare: .venv/.dev ## the state machine beside one plain loop, with a model that lies
	@$(BIN)/python tests/benchmarks/compare_with_a_plain_loop.py

golds: .venv/.dev ## every right answer that is known, beside what psql gives for it
	@$(BIN)/python tests/benchmarks/gold_queries.py

bench-guard: .venv/.dev ## how long the guard takes for a query, beside one EXPLAIN
	@$(BIN)/python tests/benchmarks/guard_time.py

bench-bill: .venv/.dev ## what it takes to ask for a call of a model where money has its ceilings
	@$(BIN)/python tests/benchmarks/bill_line.py

bench-slack: .venv/.dev ## two hundred mentions at once: how soon Slack hears that each has arrived
	@$(BIN)/python tests/benchmarks/slack_load.py $(ARGS)

bench-processes: .venv/.dev ## 2,000 questions with a slow model at one, two and five bots on one store (fifteen minutes)
	@$(BIN)/python tests/benchmarks/many_processes.py $(ARGS)

bench-day: .venv/.dev ## 50,000 questions: what the bot holds after the first thousand and at the end (fifteen minutes)
	@$(BIN)/python tests/benchmarks/long_day.py $(ARGS)

bench-overhead: .venv/.dev ## what the bot takes by itself, beside a bare Bolt app (three minutes)
	@$(BIN)/python tests/benchmarks/overhead.py $(ARGS)

bench-prompts: .venv/.bench ## what a question costs in prompts, beside LangChain and pydantic-ai
	@$(BENCH)/python tests/benchmarks/prompt_cost.py

bench-loop: .venv/.bench ## the processor time of the loop alone, beside LangGraph and pydantic-ai
	@$(BENCH)/python tests/benchmarks/loop_overhead.py

charts: .venv/.dev ## sixteen charts of the demo database on one sheet, as Slack would show them
	@$(BIN)/python tests/benchmarks/chart_sheet.py $(ARGS)

bombs: .venv/.dev ## queries that cost far more than they look: what each takes (a quarter of an hour)
	@$(BIN)/python -m pytest tests/database/test_bombs.py -m slow $(ARGS)

fuzz: .venv/.dev ## many hostile texts: the server judges what the guard lets through
	@PYTHONPATH=tests/database $(BIN)/python -m fuzz $(ARGS)

chaos: .venv/.dev ## runs among model servers that fail in every way there is (two minutes)
	@PYTHONPATH=tests/models $(BIN)/python -m chaos $(ARGS)

walk: .venv/.dev ## a walk through everything a person meets, with a picture of each in build/walk
	@mkdir -p build/walk
	@SCREENSHOTS_IN=build/walk $(BIN)/python -m pytest -q -m slow tests/browser/test_walk.py $(ARGS)

chaos-slack: .venv/.dev ## a crowd that asks, in a Slack where everything goes wrong at random (three minutes)
	@PYTHONPATH=tests/bot $(BIN)/python -m crowd $(ARGS)

deploy-check: .venv/.dev .venv/.deploy ## the chart, the image's recipe, compose and systemd units, by the tools that read them
	@$(BIN)/python -m pytest tests/deploy -m "slow or not slow" $(ARGS)

deploy-render: .venv/.dev .venv/.deploy ## write down what Helm makes of the chart, after a change of it
	@$(BIN)/python tests/deploy/render_chart.py

image-check: ## build the image in a clean root and try it there (root; Debian's buildah and mmdebstrap)
	@tests/deploy/image_check.sh
kills: .venv/.dev ## processes that are killed at every point of a question's way (ten minutes and more)
	@$(BIN)/python -m tests.bot.kills $(ARGS)

outages: .venv/.dev ## the store, the database, the model and Slack go away in every combination (ten minutes)
	@$(BIN)/python -m pytest -q -m slow tests/bot/outages $(ARGS)

rolling: .venv/.dev ## three workers are brought up to date one after the other, while people ask (a minute)
	@$(BIN)/python -m pytest -q -m slow tests/command/test_worker.py $(ARGS)

format: .venv/.dev ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove the virtual environment and caches
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "db-agent needs Python 3.11 or later; none was found. Install it, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "building .venv with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "Python's venv module is incomplete here (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }

.venv/.product: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing db-agent and what it needs (a minute or two the first time)"
	@$(PIP) install -c constraints.txt hatchling editables
	@$(PIP) install -c constraints.txt --no-build-isolation -e .
	@touch $@

.venv/.dev: .venv/.product
	@echo "installing what the tests need"
	@$(PIP) install -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@

# An environment of its own: what these packages bring along (one of them is a plugin of pytest's)
# must not change what the tests run with.
.venv/.bench: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing what the benchmarks compare with (a minute or two the first time)"
	@$(BIN)/python -m venv .venv/bench
	@$(BENCH)/python -m pip --quiet --disable-pip-version-check install -c constraints.txt hatchling editables
	@$(BENCH)/python -m pip --quiet --disable-pip-version-check install -c constraints.txt --no-build-isolation -e '.[bench]'
	@touch $@

# Tools that read what lies in deploy/ and docker/. They are big (460 MB), and no part of the product.
.venv/.deploy: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing what reads Helm charts, Kubernetes' objects and compose files (a minute)"
	@$(BIN)/python -m venv .venv/deploy
	@.venv/deploy/bin/python -m pip --quiet --disable-pip-version-check install -c constraints.txt helm-python-sdk kubernetes-validate compose-spec
	@touch $@
