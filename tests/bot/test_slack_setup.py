"""docs/slack-setup.md against the manifest and the code: it is followed by the letter."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest

from agent.database.embedded import EmbeddedPostgres
from bot.audience import GUEST
from bot.manifest import load_manifest, manifest_path
from bot.readers import SHARED
from bot.settings import APP_TOKEN_HELP, BOT_TOKEN_HELP
from bot.store import Store
from bot.store.reader import reader_address

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/slack-setup.md").read_text(encoding="utf-8")
MANIFEST = load_manifest()
ROW = re.compile(r"\| `([^`]+)` \| (.+) \|")


def rows_of(heading: str) -> dict[str, str]:
    """Return the table under `heading`: what is named, and what is said of it."""
    lines = PAGE.split(f"\n| {heading} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    read = [ROW.fullmatch(line) for line in lines]
    assert None not in read, lines
    return {row[1]: row[2] for row in read if row is not None}


def test_each_scope_of_the_manifest_has_its_reason_and_no_other():
    assert list(rows_of("scope")) == MANIFEST["oauth_config"]["scopes"]["bot"]


def test_each_event_of_the_manifest_is_explained_and_no_other():
    assert list(rows_of("event")) == MANIFEST["settings"]["event_subscriptions"]["bot_events"]


@pytest.mark.parametrize("table", ["scope", "event"])
def test_a_reason_that_points_to_another_row_finds_it(table):
    rows = rows_of(table)
    pointed = {
        name for said in rows.values() for name in re.findall(r"as (?:with )?`([^`]+)`", said)
    }
    assert pointed
    assert pointed <= set(rows)


def test_command_shortcut_and_names_are_those_of_the_manifest():
    features = MANIFEST["features"]
    for command in features["slash_commands"]:
        assert f"`{command['command']}`" in PAGE
    for shortcut in features["shortcuts"]:
        assert f"*{shortcut['name']}*" in PAGE
    assert f"/invite @{features['bot_user']['display_name']}" in PAGE
    assert str(manifest_path().relative_to(ROOT)) in PAGE


def test_pages_where_the_tokens_are_have_the_names_that_the_bot_itself_gives():
    (bot_token,) = re.findall(r'page "([^"]+)"', BOT_TOKEN_HELP)
    (app_token,) = re.findall(r'page "([^"]+)"', APP_TOKEN_HELP)
    table = rows_of("variable in `.env`")
    assert f"*{bot_token}*" in table["SLACK_BOT_TOKEN"]
    assert f"*{app_token}*" in table["SLACK_APP_TOKEN"]
    assert "`connections:write`" in table["SLACK_APP_TOKEN"]
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert all(f"\n{name}=" in example for name in table)


def test_refusals_that_it_quotes_are_said_so():
    quoted = re.findall(r'"([^"]+)…"', PAGE)
    said = [SHARED, GUEST, "Working on it…"]
    assert [words for words in quoted if not any(each.startswith(words) for each in said)] == []
    assert len(quoted) >= 3


def test_links_lead_somewhere_and_the_readme_leads_here():
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        name, _, heading = target.partition("#")
        path = (ROOT / "docs" / name).resolve() if name else ROOT / "docs/slack-setup.md"
        assert path.is_file(), target
        titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
        assert not heading or heading in anchors, target
    assert "docs/slack-setup.md" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_nothing_of_the_record_is_left_after_what_it_says_of_taking_it_out():
    statements = re.findall(r"`(DROP [^`]+;)`", PAGE)
    left = "select nspname from pg_namespace where nspname like 'db%' union "
    left += "select rolname from pg_roles where rolname like 'db%'"
    with EmbeddedPostgres.throwaway() as server, psycopg.connect(server.url()) as owner:
        store = Store(server.url())
        store.open()
        store.close()
        reader_address(server.url())
        assert len(owner.execute(left).fetchall()) == 3
        for statement in statements:
            owner.execute(statement.encode())
        assert owner.execute(left).fetchall() == []


def test_variables_that_it_names_are_those_of_the_example():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:DB_AGENT|SLACK|DATABASE)_[A-Z_]+\b", PAGE))
    assert named
    assert {name for name in named if f"{name}=" not in example} == set()
