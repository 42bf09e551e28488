"""What bounds the login on the server's side, whatever the bot itself does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from agent.database.link.pool import Connection
from agent.settings import AgentSettings
from bot.doctor.finding import Finding, note, ok, unchecked, wrong

MAX_WORK_MEM_KB: Final = 64 * 1024
"""Of memory for one sort; a query may have several, in several workers."""
_ADVISED_CONNECTIONS: Final = 20
_ADVISED: Final = {
    "default_transaction_read_only": "on",
    "statement_timeout": "'3s'",
    "lock_timeout": "'500ms'",
    "idle_in_transaction_session_timeout": "'10s'",
    "transaction_timeout": "'5s'",
    "work_mem": "'16MB'",
    "temp_file_limit": "'256MB'",
}
"""As db-agent provision sets them. A session of the bot sets the times anew, as it needs them."""
_SINCE: Final = {"transaction_timeout": 170_000}

_VALUES: Final = """
SELECT name, reset_val FROM pg_settings WHERE name = ANY (%s)
"""
_ROLE: Final = """
SELECT quote_ident(rolname), rolconnlimit, rolsuper FROM pg_roles WHERE rolname = session_user
"""
_CONNECTIONS: Final = """
SELECT current_setting('max_connections')::int,
       current_setting('superuser_reserved_connections')::int
           + coalesce(current_setting('reserved_connections', true)::int, 0),
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int
"""


def limits(connection: Connection) -> Iterator[Finding]:
    """Yield which limits the login lacks, with the lines that set them."""
    role, _, superuser = _role(connection)
    if superuser:
        yield unchecked("the limits of the login", "none holds a superuser")
        return
    advised = _advised(connection.info.server_version)
    rows: list[Any] = connection.execute(_VALUES, [list(advised)]).fetchall()
    values = {str(name): str(value) for name, value in rows}
    missing = [name for name in advised if _is_missing(name, values.get(name, ""))]
    if not missing:
        yield ok("the login has limits on time, memory and disk, and reads only by default")
        return
    lines = [f"ALTER ROLE {role} SET {name} = {advised[name]};" for name in missing]
    if "temp_file_limit" in missing:
        lines[missing.index("temp_file_limit")] += "  -- as a superuser"
    yield note(
        f"the login has no limit of its own for {_listed(missing)}",
        "the bot sets its own time limits; these hold whoever uses the login. db-agent provision"
        " sets them, or",
        *lines,
    )


def connections(connection: Connection, settings: AgentSettings) -> Iterator[Finding]:
    """Yield whether the server has room for as many connections as the bot may open."""
    name, limit, superuser = _role(connection)
    wanted = settings.database_connections
    if 0 <= limit < wanted and not superuser:
        yield wrong(
            f"the bot may open {wanted} connections, and the login may have {limit}",
            "allow more, or set DB_AGENT_DATABASE_CONNECTIONS lower",
            f"ALTER ROLE {name} CONNECTION LIMIT {max(wanted, _ADVISED_CONNECTIONS)};",
        )
        return
    if limit < 0 and not superuser:
        yield note(
            "the login may open any number of connections",
            "bound it",
            f"ALTER ROLE {name} CONNECTION LIMIT {max(wanted, _ADVISED_CONNECTIONS)};",
        )
    rows: list[Any] = connection.execute(_CONNECTIONS).fetchall()
    most, reserved, used = rows[0]
    # Our own connection is one of those in use.
    free = most - reserved - used + 1
    if free < wanted:
        yield note(
            f"the bot may open {wanted} connections, and {free} of the server's {most} are free",
            "raise max_connections, put a pooler before it, or set DB_AGENT_DATABASE_CONNECTIONS"
            " lower",
        )
    else:
        yield ok(f"the bot opens at most {wanted} connections, and the server has {free} free")


def _advised(server_version: int) -> dict[str, str]:
    return {
        name: value for name, value in _ADVISED.items() if server_version >= _SINCE.get(name, 0)
    }


def _is_missing(name: str, value: str) -> bool:
    match name:
        case "default_transaction_read_only":
            return value != "on"
        case "work_mem":
            return int(value) > MAX_WORK_MEM_KB
        case "temp_file_limit":
            return value == "-1"
        case _:
            return value == "0"


def _role(connection: Connection) -> tuple[str, int, bool]:
    rows: list[Any] = connection.execute(_ROLE).fetchall()
    name, limit, superuser = rows[0]
    return str(name), int(limit), bool(superuser)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
