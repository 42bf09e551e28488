"""Slack's text as its author meant it."""

from __future__ import annotations

import pytest

from bot.wording import plain_words

NAMES = {"U0MIA": "Mia Torres"}


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("<@U0BOT> how many films?", "how many films?"),
        ("<@U0BOT|db-agent> how many films?", "how many films?"),
        ("how many films? <@U0BOT>", "how many films?"),
        ("hey <@U0BOT> how many?", "hey how many?"),
        ("  <@U0BOT>\u00a0 ", ""),
        ("", ""),
        ("orders by <@U0MIA>", "orders by @Mia Torres"),
        ("orders by <@U0GONE>", "orders by @U0GONE"),
        ("orders by <@U0GONE|sam>", "orders by @sam"),
        ("in <#C0DATA|data> and <#C0DATA>", "in #data and #C0DATA"),
        ("<!here> and <!channel>", "@here and @channel"),
        ("<!subteam^S0TEAM|@sales> and <!subteam^S0TEAM>", "@sales and @subteam"),
        ("since <!date^1700000000^{date}|14 Nov 2023>", "since 14 Nov 2023"),
        ("see <https://example.com/x|the page>", "see the page"),
        ("see <https://example.com/?a=1&amp;b=2>", "see https://example.com/?a=1&b=2"),
        ("mail <mailto:a@b.example|a@b.example>", "mail a@b.example"),
        ("a &lt; b &amp;&amp; b &gt; c", "a < b && b > c"),
        ("the text &amp;lt; stays", "the text &lt; stays"),
        ("&lt;@U0MIA&gt; typed by hand", "<@U0MIA> typed by hand"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("two\nlines  here", "two\nlines here"),
        ("Umsatz für 🎬 · כמה סרטים", "Umsatz für 🎬 · כמה סרטים"),
    ],
)
def test_words_are_those_that_were_meant(said, meant):
    assert plain_words(said, own_mention="<@U0BOT>", name_of=NAMES.get) == meant
