"""Charts of the demo database, side by side on one sheet, as wide and as dark as Slack shows them.

Run by name: `make charts`. Each chart goes the way of an answer's: a query through the guard, a
specification as a model writes it, our builder, the drawing process. The sheet has each twice: at
480 pixels on white, and at 360 on the ground of Slack's dark mode. Needs Chromium to put it
together. Writes the pictures, the sheet and the alternative texts into the folder that is named.
"""

from __future__ import annotations

import argparse
import base64
import html
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agent.charts.renderer import ProcessRenderer
from agent.charts.spec import ChartSpec
from agent.database.demo import demo_database
from agent.database.postgres import PostgresDatabase
from agent.messages import Chart
from agent.tools.chart import GenerateChart, generate_chart

Json = dict[str, Any]
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
WIDE, NARROW = 480, 360
STYLE: Final = f"""
body {{ margin: 0; font: 15px 'Liberation Sans', sans-serif; width: 1960px; }}
.half {{ display: flex; flex-wrap: wrap; gap: 18px; padding: 18px; align-items: flex-start; }}
.light {{ background: #fff; color: #1d1c1d; }} .dark {{ background: #1a1d21; color: #d1d2d3; }}
figure {{ margin: 0; }} figcaption {{ margin-bottom: 4px; }}
.light img {{ width: {WIDE - 16}px; }} .dark img {{ width: {NARROW}px; }}
img {{ display: block; border-radius: 8px; border: 1px solid #8884; }}
"""


@dataclass(frozen=True)
class Wanted:
    """A chart: its name on the sheet, the query, and what a model would say of it."""

    name: str
    sql: str
    mark: str
    encoding: Json
    title: str | None = None


REVENUE: Final = (
    "SELECT {} AS {}, sum(p.amount) AS revenue_usd FROM payment p"
    " JOIN rental r USING (rental_id) JOIN inventory i USING (inventory_id)"
    " JOIN film_category USING (film_id) JOIN category c USING (category_id)"
    " {} GROUP BY 1 ORDER BY 1"
)
MONTH: Final = "date_trunc('month', payment_date)::date"
CHARTS: Final = (
    Wanted(
        "many categories",
        "SELECT country, count(*) AS customers FROM customer JOIN address USING (address_id)"
        " JOIN city USING (city_id) JOIN country USING (country_id) GROUP BY 1",
        "bar",
        {"x": {"field": "country"}, "y": {"field": "customers"}},
        "Customers by country",
    ),
    Wanted(
        "currency, sorted",
        REVENUE.format("c.name", "category", ""),
        "bar",
        {"x": {"field": "category"}, "y": {"field": "revenue_usd", "format": "$,.0f"}},
        "Revenue by category, 2024 and 2025",
    ),
    Wanted(
        "negative values",
        "SELECT c.name AS category, sum(p.amount) FILTER (WHERE payment_date >= '2025-01-01')"
        " - sum(p.amount) FILTER (WHERE payment_date < '2025-01-01') AS change_usd"
        " FROM payment p JOIN rental USING (rental_id) JOIN inventory USING (inventory_id)"
        " JOIN film_category USING (film_id) JOIN category c USING (category_id) GROUP BY 1",
        "bar",
        {"x": {"field": "category"}, "y": {"field": "change_usd"}},
        "Change of revenue from 2024 to 2025 by category",
    ),
    Wanted(
        "line over two years",
        f"SELECT {MONTH} AS month, sum(amount) AS revenue_usd FROM payment GROUP BY 1",
        "line",
        {"x": {"field": "month"}, "y": {"field": "revenue_usd", "format": "$,.0f"}},
        "Revenue by month",
    ),
    Wanted(
        "line of days",
        "SELECT rental_date::date AS day, count(*) AS rentals FROM rental"
        " WHERE rental_date >= '2025-10-01' AND rental_date < '2026-01-01' GROUP BY 1",
        "line",
        {"x": {"field": "day"}, "y": {"field": "rentals"}},
        "Rentals by day, October to December 2025",
    ),
    Wanted(
        "several series",
        f"SELECT {MONTH} AS month, ci.city AS store, sum(amount) AS revenue_usd"
        " FROM payment p JOIN staff s USING (staff_id) JOIN store st ON st.store_id = s.store_id"
        " JOIN address a ON a.address_id = st.address_id JOIN city ci USING (city_id)"
        " GROUP BY 1, 2",
        "line",
        {"x": {"field": "month"}, "y": {"field": "revenue_usd"}, "color": {"field": "store"}},
        "Revenue by month and store",
    ),
    Wanted(
        "stacked",
        "SELECT date_trunc('quarter', rental_date)::date AS quarter, rating, count(*) AS rentals"
        " FROM rental JOIN inventory USING (inventory_id) JOIN film USING (film_id)"
        " GROUP BY 1, 2",
        "bar",
        {"x": {"field": "quarter"}, "y": {"field": "rentals"}, "color": {"field": "rating"}},
        "Rentals by quarter and rating",
    ),
    Wanted(
        "side by side",
        "SELECT to_char(payment_date, 'YYYY') AS year, c.name AS category, sum(amount) AS revenue"
        " FROM payment JOIN rental USING (rental_id) JOIN inventory USING (inventory_id)"
        " JOIN film_category USING (film_id) JOIN category c USING (category_id)"
        " WHERE c.name IN ('Sports', 'Horror', 'Family', 'Classics', 'Music') GROUP BY 1, 2",
        "bar",
        {
            "x": {"field": "category"},
            "y": {"field": "revenue", "stack": False, "format": "$,.0f"},
            "color": {"field": "year"},
        },
        "Revenue of five categories, 2024 beside 2025",
    ),
    Wanted(
        "percent",
        "SELECT c.name AS category, count(*) FILTER (WHERE return_date::date - rental_date::date"
        " > rental_duration)::numeric / count(*) AS late_share FROM rental"
        " JOIN inventory USING (inventory_id) JOIN film f USING (film_id)"
        " JOIN film_category USING (film_id) JOIN category c USING (category_id) GROUP BY 1",
        "bar",
        {"x": {"field": "category"}, "y": {"field": "late_share", "format": ".1%"}},
        "Share of discs returned late, by category",
    ),
    Wanted(
        "scripts",
        "SELECT * FROM (VALUES ('東京と大阪', 512), ('서울특별시', 430), ('القاهرة الكبرى', 388),"
        " ('मुंबई महानगर', 351), ('กรุงเทพ', 240), ('תל אביב', 180), ('Łódź & Gdańsk', 120),"
        " ('Reykjavík 🇮🇸 🎬', 64)) AS t (city, orders)",
        "bar",
        {"x": {"field": "city"}, "y": {"field": "orders"}},
    ),
    Wanted(
        "long labels",
        "SELECT title || ': ' || description AS film, count(*) AS rentals FROM rental"
        " JOIN inventory USING (inventory_id) JOIN film USING (film_id) GROUP BY 1"
        " ORDER BY 2 DESC LIMIT 6",
        "bar",
        {"x": {"field": "film"}, "y": {"field": "rentals"}},
        "The six films that went out most often, with what is said of them in the catalogue",
    ),
    Wanted(
        "one category",
        "SELECT city AS store, sum(amount) AS revenue_usd FROM payment JOIN staff s USING"
        " (staff_id) JOIN store st ON st.store_id = s.store_id JOIN address a"
        " ON a.address_id = st.address_id JOIN city USING (city_id) WHERE city = 'Porto'"
        " GROUP BY 1",
        "bar",
        {"x": {"field": "store"}, "y": {"field": "revenue_usd"}},
    ),
    Wanted(
        "parts of a whole",
        "SELECT c.name AS category, sum(amount) AS revenue FROM payment"
        " JOIN rental USING (rental_id) JOIN inventory USING (inventory_id)"
        " JOIN film_category USING (film_id) JOIN category c USING (category_id) GROUP BY 1",
        "arc",
        {"theta": {"field": "revenue"}, "color": {"field": "category"}},
    ),
    Wanted(
        "weekday and hour",
        "SELECT trim(to_char(rental_date, 'Day')) AS weekday,"
        " extract(hour FROM rental_date)::int AS hour, count(*) AS rentals FROM rental"
        " GROUP BY 1, 2",
        "rect",
        {"x": {"field": "hour"}, "y": {"field": "weekday"}, "color": {"field": "rentals"}},
        "Rentals by weekday and hour",
    ),
    Wanted(
        "distribution",
        "SELECT length FROM film",
        "bar",
        {"x": {"field": "length", "bin": True}, "y": {"aggregate": "count"}},
        "Films by length in minutes",
    ),
    Wanted(
        "large money",
        "SELECT date_trunc('month', payment_date)::date AS month, sum(amount) * 41000 AS sales_eur"
        " FROM payment WHERE payment_date >= '2025-01-01' AND payment_date < '2026-01-01'"
        " GROUP BY 1",
        "bar",
        {"x": {"field": "month"}, "y": {"field": "sales_eur"}},
    ),
)


def drawn(wanted: Wanted, database: PostgresDatabase, renderer: ProcessRenderer) -> Chart:
    """Return the chart as an answer would have it. Raises `ChartRejected` or `SqlFailed`."""
    said: Json = {"mark": wanted.mark, "encoding": wanted.encoding}
    spec = ChartSpec.model_validate(said | ({"title": wanted.title} if wanted.title else {}))
    observation = generate_chart(GenerateChart(spec=spec), [database.fetch(wanted.sql)], renderer)
    assert observation.chart is not None
    return observation.chart


def compose(named: Sequence[tuple[str, Chart]], sheet: Path) -> None:
    """Put the pictures on one sheet: light ones, then dark ones."""
    figures = [
        f'<figure><figcaption>{html.escape(name)}</figcaption><img src="data:image/png;base64,'
        f'{base64.b64encode(chart.png).decode()}"></figure>'
        for name, chart in named
    ]
    halves = "".join(
        f'<div class="half {ground}">{"".join(figures)}</div>' for ground in ("light", "dark")
    )
    page_text = f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{halves}"
    browser_path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser_path is None:
        raise SystemExit("no Chromium on this machine (on Debian: apt install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1960, "height": 1000})
        page.set_content(page_text)
        page.screenshot(path=sheet, full_page=True)
        browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("chart-sheet"))
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    named = []
    with demo_database() as demo, ProcessRenderer() as renderer:
        database = PostgresDatabase(demo.url)
        try:
            named = [(each.name, drawn(each, database, renderer)) for each in CHARTS]
        finally:
            database.close()
    for number, (name, chart) in enumerate(named, 1):
        (folder / f"{number:02}-{name.replace(' ', '-').replace(',', '')}.png").write_bytes(
            chart.png
        )
    texts = {name: chart.alt_text for name, chart in named}
    (folder / "alt-texts.json").write_text(json.dumps(texts, indent=1, ensure_ascii=False) + "\n")
    compose(named, folder / "sheet.png")
    print(folder / "sheet.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
