"""What was set before a process began holds in it, also where the record goes away at once."""

from __future__ import annotations

import psycopg


def test_a_private_channel_stays_private_though_nobody_has_asked_there_yet(
    start_bot, store_url, was_set, workspace, you, mia, told_alone
):
    was_set(workspace.channels["data"], private=True)
    start_bot()
    with psycopg.connect(store_url, autocommit=True) as connection:
        connection.execute("alter table db_agent.channel_settings rename to away")
        try:
            ts = you.ask("data", "how many films?")
            you.eventually(lambda: "You asked: how many films?" in str(you.seen("data", ts)))
        finally:
            connection.execute("alter table db_agent.away rename to channel_settings")
    told_alone(you, "data", ts)
    assert "You asked" not in str(mia.seen("data", ts))
