"""What is set for a channel is found again, for its own workspace, and replaced as a whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.store import ChannelSettings


def test_a_channel_that_nobody_has_set_is_not_there(store):
    assert store.channel_settings("T1") == {}


def test_what_is_set_is_found_by_every_process(store, store_url, open_store):
    given = ChannelSettings(False, frozenset({"T9", "T8"}), False, True, True, set_by="U1")
    kept = store.set_channel("T1", "C1", given)
    assert abs(kept.set_at - datetime.now(UTC)) < timedelta(minutes=1)
    assert open_store(store_url).channel_settings("T1") == {"C1": kept}
    assert store.channel_settings("T2") == {}


def test_the_newest_settings_replace_the_older_ones(store):
    store.set_channel("T1", "C1", ChannelSettings(guests=True, shared_with=frozenset()))
    store.set_channel("T1", "C2", ChannelSettings(private=True))
    newest = store.set_channel("T1", "C1", ChannelSettings(follow_ups=False, set_by="U2"))
    assert store.channel_settings("T1")["C1"] == newest
    assert (newest.guests, newest.shared_with, newest.follow_ups) == (False, None, False)


def test_nobody_and_whoever_slack_does_not_name_are_told_apart(store):
    nobody = store.set_channel("T1", "C1", ChannelSettings())
    unnamed = store.set_channel("T1", "C2", ChannelSettings(shared_with=frozenset()))
    assert (nobody.shared_with, unnamed.shared_with) == (None, frozenset())
