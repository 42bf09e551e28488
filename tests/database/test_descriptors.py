"""Sockets: none is left behind, none is taken from somebody else, none is shared with a fork."""

from __future__ import annotations

import os

from agent.database.guard import AcceptedSql
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.errors import DatabaseUnavailable

END = AcceptedSql("SELECT pg_terminate_backend(pg_backend_pid())")
PID = AcceptedSql("SELECT pg_backend_pid()")


def test_connections_that_the_server_ends_leave_no_descriptor(demo_admin_url: str) -> None:
    database = AnalyticsDatabase(demo_admin_url, pool_size=1, allow_strong_role=True)
    before = os.listdir("/dev/fd")
    for _ in range(5):
        try:
            with get_agent_session(database) as session:
                session.fetch(END)
        except DatabaseUnavailable:
            continue
    assert len(os.listdir("/dev/fd")) == len(before)


def test_fork_makes_a_connection_of_its_own(demo_database_url: str) -> None:
    database = AnalyticsDatabase(demo_database_url, pool_size=1)
    with get_agent_session(database) as session:
        mine = session.fetch(PID).rows
    reading, writing = os.pipe()
    if not (child := os.fork()):
        try:
            with get_agent_session(database) as session:
                os.write(writing, str(session.fetch(PID).rows).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with open(reading, "rb") as answer:
        said = answer.read().decode()
    assert said.startswith("((")
    assert said != str(mine)
    with get_agent_session(database) as session:
        assert session.fetch(PID).rows == mine
    database.pool.close()
