"""Operators are told once when the bot can work no more, and once when it can again."""

from __future__ import annotations

import logging

import pytest

from bot.health_news import HealthNews


class Story:
    """A bot whose health changes as a test says, and what was told of it."""

    def __init__(self):
        self.now, self.trouble, self.told, self.reaches = 0.0, "", [], True
        self._news = HealthNews(lambda: self.trouble, self._tell, clock=lambda: self.now)

    def _tell(self, words):
        if self.reaches:
            self.told.append(words)
        return self.reaches

    def goes_on(self, seconds, trouble=""):
        self.trouble = trouble
        for _ in range(int(seconds // 10)):
            self._news.look()
            self.now += 10


@pytest.fixture
def story():
    return Story()


def test_each_change_is_told_once(story):
    story.goes_on(100)
    story.goes_on(100, "its record is away")
    story.goes_on(100)
    red, green = story.told
    assert "can answer no questions:* its record is away." in red
    assert "again.* For 100 s I could not: its record is away." in green


def test_a_trouble_that_is_soon_over_is_not_told(story):
    for _ in range(10):
        story.goes_on(20, "no connection")
        story.goes_on(20)
    assert story.told == []


def test_a_flapping_bot_floods_nobody(story):
    for _ in range(30):
        story.goes_on(40, "no connection")
        story.goes_on(20)
    assert len(story.told) <= 2 * (1 + 1800 / 300)
    assert "times since my last word" in str(story.told)


def test_what_slack_did_not_take_is_told_once_it_does(story, caplog):
    caplog.set_level(logging.WARNING)
    story.reaches = False
    story.goes_on(600, "no event connection to Slack")
    story.goes_on(50)
    story.reaches = True
    story.goes_on(100)
    (green,) = story.told
    assert "no event connection to Slack" in green
    assert sum("no question is answered" in each for each in caplog.messages) == 1
    assert sum("answered again" in each for each in caplog.messages) == 1


def test_a_bot_whose_record_is_away_says_so_in_their_channel(
    start_bot, store, workspace, you, monkeypatch
):
    monkeypatch.setitem(HealthNews.__init__.__kwdefaults__, "sure_after_s", 0.0)
    start_bot(operators_channel=workspace.channels["general"], options={"round_s": 0.05})
    store.close()
    you.told("general", "I can answer no questions")
    you.settled()
    assert len([each for each in you.from_bot("general") if "🔴" in str(each)]) == 1
