"""Differences, growth, ratios, fractions, units: what the rows imply, and a slip away from it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from agent.evidence import Sources, check_evidence
from agent.messages import Cell, Column, QueryResult


def _result(sql: str, columns: str, *rows: tuple[Cell, ...]) -> QueryResult:
    """Make a result; `columns` are "name type" pairs, apart by commas; numerics come as texts."""
    pairs = [pair.split() for pair in columns.split(",")]
    made = tuple(Column(name, kind) for name, kind in pairs)
    return QueryResult(sql, made, tuple(_typed(row, made) for row in rows))


def _typed(row: tuple[Cell, ...], columns: tuple[Column, ...]) -> tuple[Cell, ...]:
    return tuple(
        Decimal(str(cell)) if column.type_name == "numeric" and cell is not None else cell
        for cell, column in zip(row, columns, strict=True)
    )


RESULTS = {
    "months": _result(
        "SELECT to_char(paid_at, 'YYYY-MM') AS month, sum(amount) AS revenue FROM invoice "
        "WHERE paid_at >= '2025-01-01' GROUP BY 1 ORDER BY 1",
        "month text, revenue numeric",
        ("2025-01", "18204.55"),
        ("2025-02", "17391.20"),
        ("2025-03", "21077.80"),
        ("2025-04", "20480.15"),
        ("2025-05", "20437.51"),
        ("2025-06", "23910.02"),
    ),
    "quarters": _result(
        "SELECT to_char(day, 'YYYY-\"Q\"Q') AS quarter, sum(amount) AS revenue, "
        "count(DISTINCT customer_id) AS customers FROM sales GROUP BY 1 ORDER BY 1",
        "quarter text, revenue numeric, customers bigint",
        ("2024-Q1", "1204500.00", 412),
        ("2024-Q2", "1312800.00", 431),
        ("2024-Q3", "1250300.00", 428),
        ("2024-Q4", "1633900.00", 502),
        ("2025-Q1", "1389700.00", 467),
        ("2025-Q2", "1521100.00", 490),
    ),
    "years": _result(
        "SELECT extract(year FROM paid_at)::int AS year, sum(amount) AS revenue, "
        "count(*) AS invoices FROM invoice GROUP BY 1 ORDER BY 1",
        "year integer, revenue numeric, invoices bigint",
        (2023, "198411.20", 2310),
        (2024, "241007.95", 2785),
        (2025, "228550.40", 2612),
    ),
    "regions": _result(
        "SELECT region, sum(amount) AS revenue, count(*) AS orders FROM orders GROUP BY 1",
        "region text, revenue numeric, orders bigint",
        ("North", "84120.75", 910),
        ("South", "61344.10", 722),
        ("West", "40233.90", 415),
        ("East", "20551.05", 268),
    ),
    "changes": _result(
        "SELECT segment, sum(a) FILTER (WHERE y = 2025) - sum(a) FILTER (WHERE y = 2024) AS "
        "change_usd, round(100.0 * (sum(a) FILTER (WHERE y = 2025) / sum(a) FILTER "
        "(WHERE y = 2024) - 1), 1) AS change_pct FROM s GROUP BY 1 ORDER BY 2 DESC",
        "segment text, change_usd numeric, change_pct numeric",
        ("Online", "18060.00", "150.0"),
        ("Retail", "11044.00", "22.0"),
        ("Kiosk", "-51.97", "-0.6"),
    ),
    "latency": _result(
        "SELECT endpoint, round(avg(duration_ms)) AS avg_ms FROM requests GROUP BY 1",
        "endpoint text, avg_ms numeric",
        ("export", 184000),
        ("search", 2450),
    ),
    "jobs": _result(
        "SELECT job, duration_seconds FROM jobs",
        "job text, duration_seconds integer",
        ("reindex", 8700),
        ("backup", 5400),
    ),
    "sizes": _result(
        "SELECT table_name, total_bytes FROM sizes",
        "table_name text, total_bytes bigint",
        ("events", 48318382080),
        ("orders", 3221225472),
    ),
    "plans": _result(
        "SELECT plan, sum(amount_cents) AS amount_cents FROM charges GROUP BY 1",
        "plan text, amount_cents bigint",
        ("Pro", 1829900),
        ("Basic", 604350),
    ),
    "channels": _result(
        "SELECT channel, round(1.0 * count(*) FILTER (WHERE bought) / count(*), 3) AS "
        "conversion_rate, count(*) AS visits FROM visits GROUP BY 1",
        "channel text, conversion_rate numeric, visits bigint",
        ("Email", "0.079", 10420),
        ("Search", "0.052", 48200),
    ),
    "carriers": _result(
        "SELECT carrier, round(avg(cost), 2) AS avg_cost FROM parcels GROUP BY 1",
        "carrier text, avg_cost numeric",
        ("Swift", "12.00"),
        ("Postal", "9.00"),
        ("Barge", "6.10"),
    ),
    "stores": _result(
        "SELECT store, revenue, costs, revenue - costs AS profit FROM pl",
        "store text, revenue numeric, costs numeric, profit numeric",
        ("Oslo", 910000, 655200, 254800),
        ("Narva", 212000, 236850, -24850),
    ),
    "returns": _result(
        "SELECT count(*) AS orders, count(*) FILTER (WHERE returned) AS returned FROM orders",
        "orders bigint, returned bigint",
        (2315, 386),
    ),
    "loans": _result(
        "SELECT max(returned::date - lent::date) AS longest FROM loans",
        "longest integer",
        (19,),
    ),
    "prices": _result(
        "SELECT product, price, old_price FROM products",
        "product text, price numeric, old_price numeric",
        ("Desk", "349.00", "299.00"),
        ("Lamp", "44.95", "59.95"),
    ),
}

CASES = (
    # differences whose other side, or name, only the question tells
    ("months", "How did May do against April?", "May lagged by a mere $42.64.", "$42.64", "$52.64"),
    ("months", "How did May do against April?", "May lagged by a mere $42.64.", "lagged", "led"),
    ("regions", "How far is South behind North?", "By $22,776.65.", "22,7", "27,2"),
    ("years", "2024 vs 2023?", "That's $42,596.75 on top.", "42,5", "45,2"),
    ("years", "Did 2025 bring more than 2024?", "No, $12,457.55 less.", "less", "more"),
    ("regions", "More orders in North than East?", "Yes, 642 more (910 vs 268).", "more", "less"),
    ("regions", "", "North 910, East 268: 642 apart.", "642", "652"),
    ("channels", "By how much does Email lead Search?", "2.7 pp.", "2.7 pp", "2.1 pp"),
    ("regions", "", "North has 40.8%, 11.1 pp more than South (29.7%).", "11.1", "12.1"),
    ("regions", "North against South?", "188 more than South's 722, so 26% more.", "26%", "36%"),
    ("regions", "", "North has 26% more orders than South: 910 to 722.", "26%", "20%"),
    ("carriers", "Compare Postal and Barge", "Barge is $2.90 cheaper.", "cheaper", "dearer"),
    ("returns", "", "1,929 of the 2,315 orders stayed sold.", "1,929", "1,992"),
    # growth beside short figures, and in steps of time
    ("years", "", "Revenue rose 21.5% to $241.0k, up from $198.4k in 2023.", "21.5", "27.5"),
    ("years", "", "Revenue slid about 5% to $228.6k, down from $241.0k in 2024.", "5% to", "9% to"),
    ("quarters", "How did Q2 2025 go?", "Up 9.5% QoQ and 15.9% YoY.", "9.5% QoQ", "9.5% YoY"),
    ("quarters", "How did Q2 2025 go?", "Up 9.5% QoQ and 15.9% YoY.", "15.9% YoY", "15.9% QoQ"),
    ("months", "Q1 vs Q2?", "Q1 made $56,673.55, Q2 $64,827.68, 14.4% more.", "14.4", "20.4"),
    ("years", "", "2025 is $30,139.20 ahead of 2023, about 15% higher.", "higher", "lower"),
    ("carriers", "", "Postal is a quarter cheaper than Swift.", "cheaper", "dearer"),
    ("carriers", "", "Swift is a third dearer than Postal.", "dearer", "cheaper"),
    ("prices", "", "Desk went up $50, by 16.7%.", "16.7", "14.3"),
    ("prices", "", "Lamp is $15 cheaper than before.", "cheaper", "dearer"),
    # signs: in the verb, in brackets, before the figure
    ("changes", "", "Kiosk was the only one to shrink, losing $51.97.", "losing", "gaining"),
    ("changes", "", "Kiosk gave up $51.97.", "gave up", "picked up"),
    ("changes", "", "Change in Kiosk: (51.97).", "Kiosk: (51.97)", "Retail: (11,044.00)"),
    ("changes", "", "Retail grew 22.0%.", "grew", "fell"),
    ("stores", "", "Narva made a loss of $24,850.", "loss", "profit"),
    ("stores", "Margins?", "Oslo runs at a 28% margin, Narva at -11.7%.", "28%", "38%"),
    # ratios and multiples
    ("regions", "Value of an order in North?", "$92.44 (84,120.75 over 910).", "92.44", "94.22"),
    ("years", "Did the average invoice grow?", "From $86.54 to $87.50: 1.1%.", "1.1%", "2.1%"),
    ("regions", "", "West's revenue is about twice East's.", "twice", "three times"),
    ("carriers", "", "Swift costs about two times Barge's $6.10.", "two", "three"),
    ("years", "Average month in 2025?", "About $19.0k a month.", "19.0", "91.0"),
    ("regions", "", "North earns four times East's $20,551.05.", "four", "six"),
    ("quarters", "", "Revenue per customer: $3,046 in Q2 2024, now $3,104.", "3,046", "3,406"),
    # fractions
    ("returns", "", "About every sixth order comes back.", "sixth", "eighth"),
    ("returns", "", "Roughly one order in six comes back.", "six", "nine"),
    ("regions", "", "East makes $20,551.05, about half of West's $40,233.90.", "half", "a third"),
    ("stores", "", "Narva earns $212,000, less than a quarter of Oslo's.", "quarter", "fifth"),
    # units
    ("latency", "", "export takes just over three minutes (184 s).", "minutes", "hours"),
    ("latency", "", "search takes 2.45 seconds.", "2.45", "24.5"),
    ("jobs", "", "reindex runs 2h 25m, 55 minutes longer than backup.", "25m", "52m"),
    ("jobs", "", "reindex runs 2 h 25 min, 55 minutes longer than backup.", "55 min", "35 min"),
    ("jobs", "", "145 and 90 minutes.", "145", "154"),
    ("sizes", "", "events takes 48.3 GB (45 GiB).", "GB", "MB"),
    ("plans", "", "Pro made $18,299.00, three times Basic's $6,043.50.", "18,299.00", "1,829,900"),
    ("channels", "", "7.9% of Email's 10,420 visits, so about 823, convert.", "823", "923"),
    ("loans", "How many days do loans last?", "The longest ran 19 days.", "days", "weeks"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "question", "draft", "true", "slip"), CASES)
def test_what_the_rows_imply_holds_and_a_slip_does_not(
    name: str, question: str, draft: str, true: str, slip: str
) -> None:
    sources = Sources(question, (RESULTS[name],))

    honest = check_evidence(draft, sources)
    lying = check_evidence(draft.replace(true, slip, 1), sources)

    assert true in draft
    assert honest.holds, (honest.untraced, honest.faults)
    assert not lying.holds, [(figure.text, figure.source) for figure in lying.figures]
