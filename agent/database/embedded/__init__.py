"""PostgreSQL without an installation: programs from a wheel, started by a launcher of ours."""

from agent.database.embedded.errors import EmbeddedPostgresError, gravest
from agent.database.embedded.server import EmbeddedPostgres, server_version

__all__ = ["EmbeddedPostgres", "EmbeddedPostgresError", "gravest", "server_version"]
