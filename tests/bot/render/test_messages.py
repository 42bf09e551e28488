"""The smaller messages: steps, SQL, notices, help."""

from __future__ import annotations

from bot.render import (
    Doing,
    Mark,
    render_help,
    render_notice,
    render_sql,
    render_why,
    render_working,
)


def done(words):
    return Doing(words, Mark.DONE)


def test_work_under_way_shows_its_steps_and_who_works(read):
    failed = Doing("My query failed: there is no column `x`.", Mark.FAILED)
    steps = [done("I looked at film."), failed, Doing("Running a query.")]
    card = render_working(steps, model="offline")
    assert read(card) == [
        "*Working on it…*",
        "✓ I looked at film.",
        "✗ My query failed: there is no column ˋxˋ.",
        "⏳ Running a query…",
        "(offline)",
    ]
    assert card.text == "Working on it… Running a query…"


def test_step_that_has_ended_is_not_shown_as_under_way(read):
    assert read(render_working([done("I looked at film.")], model="offline"))[1:2] == [
        "✓ I looked at film."
    ]


def test_of_many_steps_the_last_ones_are_shown_and_the_rest_counted(read):
    steps = [*(done(f"Step {n}.") for n in range(1, 30)), Doing("Step 30.")]
    lines = read(render_working(steps, model="offline"))
    assert lines[1:3] == ["✓ 18 earlier steps", "✓ Step 19."]
    assert lines[-2] == "⏳ Step 30…"


def test_each_query_is_numbered_and_shown_as_it_was_sent(read):
    card = render_sql(["SELECT a\nFROM b\nWHERE c < 1", "SELECT '```'"])
    assert read(card) == [
        *["*Query 1*", "```", "SELECT a", "FROM b", "WHERE c &lt; 1", "```"],
        *["*Query 2*", "```", "SELECT 'ˋˋˋ'", "```"],
    ]
    assert card.text == "The SQL of this answer: 2 queries."


def test_a_long_query_is_cut_and_says_so(read):
    lines = read(render_sql(["SELECT " + "a < b OR " * 2_000]))
    assert lines[2].startswith("SELECT a &lt; b OR")
    assert lines[-2] == "```"
    assert "Cut here" in lines[-1]


def test_no_sql_is_said_in_words(read):
    assert read(render_sql([])) == ["No query was run, so there is no SQL to show."]


def test_a_notice_is_its_words(read):
    card = render_notice("I only answer colleagues. Ask an administrator & try again.")
    assert read(card) == ["I only answer colleagues. Ask an administrator &amp; try again."]
    assert card.text == read(card)[0]


def test_help_says_how_to_ask_and_who_answers(read):
    lines = read(render_help(model="claude-sonnet-5"))
    assert lines[0].startswith("*Ask me about your data in plain words.*")
    assert lines[-1] == "(Model: claude-sonnet-5)"


def test_the_plan_stands_below_the_steps_while_work_goes_on(read):
    plan = ("Look at payment.", "Add it up.")
    assert read(render_working([Doing("Looking at payment.")], model="offline", plan=plan)) == [
        "*Working on it…*",
        "⏳ Looking at payment…",
        "(Plan: 1. Look at payment · 2. Add it up)",
        "(offline)",
    ]


def test_queries_that_were_set_aside_stand_apart(read):
    card = render_sql(["SELECT a"], ["SELECT b", "SELECT c"])
    lines = read(card)
    assert lines[0] == "*Query 1*"
    assert lines[4] == "*Set aside:* these ran, but nothing on the card rests on them."
    assert [line for line in lines if line.startswith("*Set aside ")] == [
        "*Set aside 1*",
        "*Set aside 2*",
    ]
    assert card.text == "The SQL of this answer: 1 query, 2 set aside."


def test_many_queries_are_counted_where_they_do_not_fit(read):
    lines = read(render_sql(["SELECT a"] * 19, ["SELECT b"] * 5))
    assert lines[-1] == "(4 more queries did not fit here.)"


def test_a_story_keeps_its_names_as_code_and_pings_nobody(read):
    card = render_why("I looked at `film_category`.\n\nA <!channel> asked & I told *all*.")
    assert read(card) == [
        "*What I did, and why*",
        "",
        "I looked at `film_category`.",
        "",
        "A &lt;!channel&gt; asked &amp; I told _all_.",
    ]


def test_help_names_what_ask_tells_of_the_bots_own_record():
    text = str(render_help(model="offline").blocks)
    for words in ("/ask why", "/ask queue", "/ask log failed this week", "/ask about yourself:"):
        assert words in text
