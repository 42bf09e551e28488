"""Money: the published price times the tokens, to the last digit; no price, no guess."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.messages import Usage
from agent.prices import published_prices

PRICES = published_prices().models
cost_usd = published_prices().cost_usd
counts = st.integers(0, 10**7)
usages = st.builds(Usage, counts, counts, counts, counts)


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (Usage(input_tokens=1_000_000), "2"),
        (Usage(output_tokens=1_000_000), "10"),
        (Usage(cache_read_tokens=1_000_000), "0.2"),
        (Usage(cache_write_tokens=1_000_000), "2.5"),
        (Usage(3_217, 411, 18_402, 905), "0.0164869"),
        (Usage(1, 0, 0, 0), "0.000002"),
        (Usage(), "0"),
    ],
)
def test_each_kind_of_token_has_its_own_price(usage: Usage, dollars: str) -> None:
    assert cost_usd("claude-sonnet-5", usage) == Decimal(dollars)


@pytest.mark.parametrize(
    ("snapshot", "model"),
    [
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5"),
        ("claude-opus-4-20250514", "claude-opus-4"),
        ("claude-opus-4-0", "claude-opus-4"),
        ("claude-sonnet-4-5-latest", "claude-sonnet-4-5"),
    ],
)
def test_a_dated_snapshot_costs_what_its_model_costs(snapshot: str, model: str) -> None:
    usage = Usage(1_000, 2_000, 3_000, 4_000)
    assert cost_usd(snapshot, usage) == cost_usd(model, usage) is not None


def test_a_name_is_not_taken_for_one_that_it_begins_like() -> None:
    million = Usage(output_tokens=1_000_000)
    assert cost_usd("claude-opus-4", million) == 75
    assert cost_usd("claude-opus-4-5", million) == 25
    assert cost_usd("claude-opus-5", million) == 25
    assert cost_usd("claude-opus-5-5", million) == 20


@pytest.mark.parametrize(
    "name",
    [
        "",
        "claude",
        "claude-sonnet",
        "claude-sonnet-5-9",
        "claude-opus-50",
        "claude-haiku-4-5-fast",
        "gpt-6",
        "groq:claude-sonnet-5",
        "openai:gpt-6",
        "nvidia:any",
        "ollamas:any",
        "offline-2",
        "scriptedness",
        "CLAUDE-SONNET-5",
    ],
)
def test_an_unknown_model_has_no_price(name: str) -> None:
    assert cost_usd(name, Usage(1, 1, 1, 1)) is None


@pytest.mark.parametrize("name", ["offline", "scripted:turns.json", "ollama:qwen3", "vllm:any"])
def test_what_runs_here_costs_nothing(name: str) -> None:
    assert cost_usd(name, Usage(10**6, 10**6)) == Decimal(0)


@pytest.mark.parametrize("model", PRICES)
def test_the_prices_keep_the_order_that_every_published_one_has(model: str) -> None:
    """A slip of a digit in the table would break one of these."""
    price = PRICES[model]
    assert 0 < price.cache_read < price.input < price.cache_write < price.output
    assert price.output == 5 * price.input
    assert price.cache_write == price.input * Decimal("1.25")
    assert price.cache_read <= price.input / 10


@given(st.sampled_from(sorted(PRICES)), usages, usages)
def test_the_parts_of_a_run_cost_together_what_the_run_costs(
    model: str, one: Usage, other: Usage
) -> None:
    parts = [cost_usd(model, one), cost_usd(model, other)]
    assert None not in parts
    assert sum(part for part in parts if part is not None) == cost_usd(model, one + other)
