"""What a person sees while a run is under way: each step, and nothing that no check has passed."""

from __future__ import annotations

import io
import json
import threading
from urllib.parse import unquote_plus

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.messages import Severity, ToolCall, Turn, Verdict
from agent.run import Agent
from agent.testing import ScriptedJudge, ScriptedModel, call, text
from bot.progress import Progress

SQL = "SELECT staff_id, sum(amount) AS revenue FROM payment GROUP BY 1 ORDER BY 1"
LOOK = call("get_schema", table_name="payment")
SUM = call("execute_read_only_sql", query=SQL)
RIGHT = text("Both sold about the same.")
QUESTION = "revenue by staff"
FALSE = ("67,416", "67416", "67.416", "67 416", "sixty-seven thousand")


class Wire:
    """The workspace's door: every request that is not a person's, in order."""

    def __init__(self, workspace):
        self.heard = []
        self._people = set(workspace.user_tokens.values())
        server = workspace._server
        self._site, server.app = server.app, self

    def __call__(self, environ, start_response):
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(body)
        if environ.get("HTTP_AUTHORIZATION", "").removeprefix("Bearer ") not in self._people:
            words = body.decode("utf-8", "replace")
            if "json" in environ.get("CONTENT_TYPE", ""):
                words = json.dumps(json.loads(words or "{}"), ensure_ascii=False)
            target = f"{environ['PATH_INFO']}?{environ.get('QUERY_STRING', '')}"
            self.heard.append(unquote_plus(f"{target} {words}"))
        return self._site(environ, start_response)

    def before_the_card(self):
        """What was said until the message became the card, with its buttons; and the card."""
        at = next(at for at, words in enumerate(self.heard) if '"action_id": "why"' in words)
        return self.heard[:at], self.heard[at]


class Turnstile:
    """Where a run waits until it is let on."""

    def __init__(self):
        self.at = ""
        self._been = set()
        self._free = threading.Semaphore(0)

    def stop(self, name):
        """Wait here, the first time."""
        if name in self._been:
            return
        self._been.add(name)
        self.at = name
        assert self._free.acquire(timeout=60)

    def go_on(self):
        self.at = ""
        self._free.release()


class HeldModel:
    """Plays a script, a turn at a time."""

    name = "scripted"

    def __init__(self, turnstile, *turns):
        self._turnstile, self._script, self._asked = turnstile, ScriptedModel(*turns), 0

    def respond(self, system, messages, tools, *, timeout_s):
        self._asked += 1
        self._turnstile.stop(f"turn {self._asked}")
        return self._script.respond(system, messages, tools, timeout_s=timeout_s)


class HeldDatabase:
    """The real database, whose answers to the model's calls are waited for."""

    def __init__(self, turnstile, database):
        self._turnstile, self._database = turnstile, database
        self.find_tables, self.ping = database.find_tables, database.ping

    def in_zone(self, zone):
        return HeldDatabase(self._turnstile, self._database.in_zone(zone))

    def get_table(self, name):
        self._turnstile.stop("look")
        return self._database.get_table(name)

    def fetch(self, sql):
        if sql == SQL:
            self._turnstile.stop("query")
        return self._database.fetch(sql)


@pytest.fixture(scope="module")
def renderer():
    renderer = ProcessRenderer()
    yield renderer
    renderer.close()


@pytest.fixture(scope="module")
def database(demo_database_url):
    database = PostgresDatabase(demo_database_url)
    yield database
    database.close()


class Unthrottled(Progress):
    """Leaves out nothing that might be shown: the worst that a person could see."""

    def _note(self):
        self._show(list(self._steps), self._plan)


@pytest.fixture
def wire(workspace):
    return Wire(workspace)


@pytest.fixture(params=["streamed", "edited"])
def run(request, wire, start_bot, database, renderer, you, monkeypatch):
    """Asks a bot whose model plays these turns; gives the card."""
    monkeypatch.setattr("bot.answer.Progress", Unthrottled)
    if request.param == "edited":
        you.without_streams()

    def run_it(*turns, judge=None, question=QUESTION):
        start_bot(agent=Agent(ScriptedModel(*turns), database, renderer, judge))
        return you.card("data", you.ask("data", question), within=60)

    return run_it


def steps_of(message):
    """The lines of a message that says how far a run is, streamed or edited."""
    first = message["blocks"][0]
    if first["type"] == "section":
        return str(first["text"]["text"]).replace("*", "").split("\n")
    marks = {"in_progress": "⏳", "complete": "✓", "error": "✗"}
    return [
        first["title"],
        *(f"{marks[each['status']]} {each['title']}" for each in first["tasks"]),
    ]


@pytest.mark.parametrize("streams", [True, False], ids=["streamed", "edited"])
def test_each_turn_and_each_call_is_seen_as_it_begins_and_as_it_ends(
    start_bot, database, renderer, you, monkeypatch, streams
):
    if not streams:
        you.without_streams()
    monkeypatch.setitem(Progress.__init__.__kwdefaults__, "every_s", 0.0)
    turnstile = Turnstile()
    model = HeldModel(turnstile, LOOK, SUM, RIGHT)
    start_bot(agent=Agent(model, HeldDatabase(turnstile, database), renderer))
    ts = you.ask("data", QUESTION)

    def seen(*lines):
        shown = steps_of(you.from_bot("data", ts)[0])
        return len(shown) == len(lines) and all(map(str.startswith, shown, lines))

    expected = (
        ("turn 1", ["⏳ Thinking about your question…"]),
        ("look", ["✓ I chose the next step", "⏳ Looking at payment…"]),
        ("turn 2", ["✓ I looked at payment", "⏳ Thinking about the next step…"]),
        ("query", ["✓ I chose the next step", "⏳ Running a query…"]),
        ("turn 3", ["✓ I ran a query: 7 rows in ", "⏳ Thinking about the next step…"]),
    )
    done = ["Working on it…"]
    for name, (*ended, begun) in expected:
        you.eventually(lambda name=name: turnstile.at == name, within=30)
        done += ended
        you.eventually(lambda lines=(*done, begun): seen(*lines), within=30)
        turnstile.go_on()
    assert "Both sold about the same." in you.card("data", ts)["text"]


def assert_unsaid(heard, figures=FALSE):
    assert len(heard) >= 3  # a first message and its changes
    assert [(figure, words) for words in heard for figure in figures if figure in words] == []


@pytest.mark.parametrize(
    "drafts",
    [
        ["The revenue is 67,416 USD."],
        ["About sixty-seven thousand dollars came in.", "Staff 1 took 67416.51 USD."],
    ],
    ids=["once", "by the check, then by the judge"],
)
def test_figures_of_refused_drafts_are_seen_nowhere(run, wire, drafts):
    judge = ScriptedJudge(
        lambda case: Verdict("same" in case.draft, "It is not what the rows say.", Severity.MINOR)
    )
    card = run(LOOK, SUM, *map(text, drafts), RIGHT, judge=judge)
    assert "Both sold about the same." in card["text"]
    before, shown = wire.before_the_card()
    assert_unsaid([*before, shown])
    assert "My answer did not pass its checks" in str(before)


def test_figure_that_passes_with_a_warning_is_seen_only_beside_it(run, wire):
    run(LOOK, SUM, text("The revenue is 67,416 USD."), text("It comes to 67,416 USD."))
    before, card = wire.before_the_card()
    assert_unsaid(before)
    assert "⚠️ *No row of a query supports “67,416 USD”.*" in card
    assert card.index("No row of a query supports") < card.index("67,416")
    assert "It comes to 67,416 USD." in card


def test_drafts_that_go_to_a_person_are_not_seen_by_who_asked(run, wire, you):
    judge = ScriptedJudge(lambda case: Verdict(False, "It leaves out who.", Severity.MINOR))
    drafts = [text(f"Staff 1 sold 67,416 films{end}") for end in (".", "!", ", I think.", "?")]
    card = run(LOOK, SUM, *drafts, judge=judge)
    before, shown = wire.before_the_card()
    assert_unsaid(before)
    assert "There is no answer yet" in card["text"]
    assert "It leaves out who." in shown
    assert "sold 67,416" not in shown


def test_figures_of_plans_thoughts_and_failed_calls_are_seen_nowhere(run, wire, you):
    plan = "Plan:\n1. See whether revenue is 71,555.\n2. Compare with sixty-seven thousand.\n"
    planned = ("71,555", "sixty-seven")
    beside = "It is 67,416 USD, I guess."
    wrong = (
        ("get_schema", {"table_name": "67,416"}),
        ("the 67,416 tool", {}),
        ("execute_read_only_sql", {"query": "SELECT '67416'::mpaa_rating"}),
    )
    failing = [Turn(beside, (ToolCall("c", *each),), "tool_use") for each in wrong]
    first = Turn(plan, LOOK.tool_calls, "tool_use")
    sums = call("calculate", expression="67416 / 0")
    other = call("get_schema", table_name="staff")
    turns = (first, failing[0], SUM, failing[1], other, failing[2], sums, RIGHT)
    card = run(*turns, question="revenue of 2 staff")
    assert "Both sold about the same." in card["text"]
    before, shown = wire.before_the_card()
    assert_unsaid([*before, shown], (*FALSE, *planned))
    said = "\n".join(before)
    for words in ("1. See whether revenue is", "I could not look at …", "'the … tool'"):
        assert words in said
    assert "My query failed: ˋ…ˋ is not one of the values" in said.replace("`", "ˋ")
    you.click(card, "why")
    you.cards("data", card["thread_ts"], 2)
    assert_unsaid(wire.heard, planned)
