"""The Home tab: one's own questions with links, what may be read, this month's use, help."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.database.postgres import PostgresDatabase
from agent.messages import AgentResult, Outcome
from bot.store import Question, StoreUnavailable, Thread


@pytest.fixture
def home():
    """Opens the Home tab of somebody, and gives its blocks once it says `words`."""

    def blocks(person, words):
        person.client.api_call("workspace.openAppHome", json={"tab": "home"})

        def shown():
            view = person.client.api_call("workspace.boot")["apps"][0]["home"]
            return view["blocks"] if view and words in str(view["blocks"]) else None

        return person.eventually(shown)

    return blocks


def test_it_shows_ones_own_questions_with_links(bot, you, mia, home):
    card = you.card("data", you.ask("data", "how many films?"))
    mia.card("data", mia.ask("data", "how many actors?"))
    shown = str(home(you, "how many films?"))
    assert f"message={card['ts']}" in shown
    assert f"<@{you.id}>" not in shown
    assert "how many actors?" not in shown


def test_private_questions_are_on_it_for_their_asker_alone(bot, you, mia, home):
    you.command("data", "private how many secrets?")
    you.told("data", "You asked:")
    assert "how many secrets?" in str(home(you, "secrets"))
    assert "secrets" not in str(home(mia, "asked me nothing yet"))


def test_it_tells_what_may_be_read_and_what_was_used(start_bot, you, home, demo_catalogue):
    start_bot(options={"catalogue": demo_catalogue})
    you.card("data", you.ask("data", "how many films?"))
    shown = str(home(you, "What I may read"))
    assert f"What I may read: {len(demo_catalogue.tables())} tables" in shown
    assert "`payment` (partitioned table, about 16,175 rows)" in shown
    assert "This month: 1 question" in shown
    assert "Ask me about your data in plain words" in shown
    assert "Which five customers have the most rentals?" in shown
    assert "Top five categories by revenue" not in shown  # the general examples


def test_it_fits_slacks_limits_with_five_hundred_questions(
    start_bot, store, workspace, you, home, catalogue_of
):
    plain = AgentResult("?", Outcome.ANSWERED, False, "1", "", (), (), (), (), "given", 1, 1, ())
    for number in range(500):
        thread = Thread("T0LOCALDEV", workspace.channels["data"], f"1.{number:06}")
        question = f"{number}: {'<&> ' * 300}"
        run_id = store.claim(Question(thread, thread.ts, you.id, question))
        store.finish(run_id, replace(plain, question=question))
    remark = "& < >" * 100
    sql = (f"create table a{n} (i int); comment on table a{n} is '{remark}'" for n in range(300))
    start_bot(options={"catalogue": catalogue_of("; ".join(sql))})
    blocks = home(you, "What I may read: 300 tables")
    assert len(blocks) <= 100
    assert "more tables" in str(blocks)


def test_outsiders_see_the_help_and_nothing_else(start_bot, you, newcomer, home, demo_catalogue):
    start_bot(options={"catalogue": demo_catalogue})
    stranger = newcomer("stranger", is_stranger=True)
    shown = str(home(stranger, "Ask me about your data"))
    assert "film" not in shown.replace("films", "")
    assert "What I may read" not in shown
    assert "recent questions" not in shown


def test_where_record_or_database_are_away_it_says_so(start_bot, store, you, home, monkeypatch):
    def away(*_, **__):
        raise StoreUnavailable("My record cannot be reached.")

    nowhere = PostgresDatabase("postgresql://nobody:word@127.0.0.1:1/nothing")
    start_bot(options={"catalogue": nowhere})
    monkeypatch.setattr(store, "find_runs", away)
    shown = str(home(you, "What I may read"))
    assert "I cannot reach my own record at the moment" in shown
    assert "I cannot look at the database at the moment" in shown
    assert "Ask me about your data" in shown
