"""Settings are believed for a moment, and no longer than the record can be looked at."""

from __future__ import annotations

import psycopg
import pytest

from bot import channel_settings
from bot.channel_settings import ChannelRules
from bot.store import ChannelSettings

GUESTS = ChannelSettings(guests=True, set_by="U1")


@pytest.fixture
def forgetful(monkeypatch):
    """Nothing is believed."""
    monkeypatch.setattr(channel_settings, "KEPT_S", 0.0)


@pytest.fixture
def looks(store, monkeypatch):
    """Counts how often the store is asked."""
    asked = []
    ask = store.channel_settings
    monkeypatch.setattr(store, "channel_settings", lambda team: asked.append(team) or ask(team))
    return asked


def test_another_process_hears_of_new_settings_and_this_one_at_once(store, store_url, open_store):
    here, elsewhere = (ChannelRules(each, "T1") for each in (store, open_store(store_url)))
    assert here.of("C1").settings == elsewhere.of("C1").settings == ChannelSettings()
    here.set("C1", GUESTS)
    assert here.of("C1").settings.guests
    assert not elsewhere.of("C1").settings.guests  # it has just looked
    assert ChannelRules(store, "T1").of("C1").settings.guests
    assert not ChannelRules(store, "T2").of("C1").settings.guests


def test_what_is_believed_is_looked_up_again_after_a_moment(store, forgetful):
    rules = ChannelRules(store, "T1")
    assert not rules.of("C1").settings.guests
    store.set_channel("T1", "C1", GUESTS)
    assert rules.of("C1").settings.guests


def test_the_store_is_asked_once_in_a_while_for_all_channels(store, looks):
    rules = ChannelRules(store, "T1")
    for channel in ("C1", "C2", "C3"):
        rules.of(channel)
    assert looks == ["T1"]


def test_without_a_record_what_forbids_goes_on_and_what_lets_does_not(
    store, store_url, forgetful, looks
):
    rules = ChannelRules(store, "T1")
    store.set_channel(
        "T1",
        "C1",
        ChannelSettings(
            allowed=False,
            shared_with=frozenset({"T9"}),
            follow_ups=False,
            private=True,
            guests=True,
        ),
    )
    assert rules.of("C1").is_known
    with psycopg.connect(store_url, autocommit=True) as connection:
        connection.execute("alter table db_agent.channel_settings rename to away")
        try:
            rule = rules.of("C1")
            fresh = ChannelRules(store, "T1").of("C1")
        finally:
            connection.execute("alter table db_agent.away rename to channel_settings")
    assert not rule.is_known
    kept = rule.settings
    assert (kept.allowed, kept.follow_ups, kept.private) == (False, False, True)
    assert (kept.shared_with, kept.guests) == (None, False)
    assert (fresh.is_known, fresh.settings) == (False, ChannelSettings())
    assert rules.of("C1").settings.guests


def test_a_record_that_is_away_is_not_asked_with_each_question(store, looks):
    rules = ChannelRules(store, "T1")
    store.close()
    first = [rules.of("C1").is_known for _ in range(3)]
    assert first == [False, False, False]
    assert looks == ["T1"]
