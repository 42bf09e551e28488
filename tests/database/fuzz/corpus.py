"""Honest queries over the demo database, to be accepted as they are, and to be made worse."""

from __future__ import annotations

import json
from pathlib import Path

import loaded_databases as databases

HERE = Path(__file__).parent
_CASES = HERE.parent / "guard_cases" / "accepted.jsonl"
_SHARED = HERE.parents[3] / "shared" / "cases" / "sql_guard.jsonl"


def honest() -> list[str]:
    """Return the honest queries on the demo database that there are."""
    own = (HERE / "honest.sql").read_text(encoding="utf-8").split(";\n")
    found = [text.strip() for text in own if text.strip()]
    found += [json.loads(line)["sql"] for line in _lines(_CASES)]
    found += [query.text for query in databases.honest_queries()]
    found += [query.text for query in databases.own_queries() if query.database == "demo"]
    for line in _lines(_SHARED):
        case = json.loads(line)
        if case["expect"] == "accept":
            found.append(case["sql"])
    return [text for text in dict.fromkeys(found) if len(text) < 2_000]


def golds() -> list[str]:
    """Return the published queries on the databases of `gold_scripts`."""
    known = gold_scripts()
    return [q.text for q in databases.gold_queries() if q.database in known and len(q.text) < 2_000]


def gold_scripts() -> dict[str, Path]:
    """Return small databases with published queries: name and script. None in most places."""
    files = {name: databases.DATA / parts[0] for name, parts in databases.FILES.items() if parts}
    return {
        name: path for name, path in files.items() if path.exists() and path.parts[-3] == "defog"
    }


def known_attacks() -> list[str]:
    """Return what is refused as it stands, to be mutated as well."""
    found = [json.loads(line)["sql"] for line in _lines(_CASES.with_name("refused.jsonl"))]
    cases = [json.loads(line) for line in _lines(_SHARED)]
    found += [case["sql"] for case in cases if case["expect"] == "reject"]
    return [text for text in dict.fromkeys(found) if 0 < len(text) < 2_000]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
