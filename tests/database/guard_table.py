"""The guard's cases, and the made-up database that they are judged for."""

from __future__ import annotations

import json
from pathlib import Path

from agent.database.guard import GuardPolicy

COLUMNS = {
    "film": "film_id title description release_year language_id rental_duration rental_rate length"
    " replacement_cost rating special_features fulltext version",
    "customer": "customer_id first_name last_name email active create_date",
    "rental": "rental_id rental_date inventory_id customer_id return_date staff_id",
    "payment": "payment_id customer_id staff_id rental_id amount payment_date",
    "inventory": "inventory_id film_id store_id",
    "category": "category_id name",
    "film_category": "film_id category_id",
    "staff": "staff_id first_name last_name",
    "Odd Table": "Ünïcode value",
}
POLICY = GuardPolicy(
    relations={("public", name): frozenset(text.split()) for name, text in COLUMNS.items()},
    user_types=frozenset({("public", "mpaa_rating")}),
)

CASES = Path(__file__).parent / "guard_cases"


def read_cases(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


ACCEPTED = read_cases(CASES / "accepted.jsonl")
REFUSED = read_cases(CASES / "refused.jsonl")
