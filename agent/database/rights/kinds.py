"""The kinds of rights that a reader needs not: how each is found, told of and taken away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, LiteralString

from agent.database.rights import queries

PROVISION: Final = "db-agent provision --database-url ADMIN_URL"
MAKE_ONE: Final = f"log in as a role that can only read: {PROVISION} makes one"


@dataclass(frozen=True)
class Kind:
    """One kind of right."""

    code: str
    query: LiteralString
    what: Callable[[str], str]
    """The objects, as a list, to what the login may do."""
    remedy: Callable[[str, str], str]
    """The objects and the holder to the SQL that takes the right away."""
    since: int = 0
    """The server version that has such a right."""


KINDS: Final = (
    Kind(
        "predefined_role", queries.PREDEFINED,
        lambda names: f"is a member of {names}",
        lambda names, holder: f"REVOKE {names} FROM {holder};",
    ),
    Kind(
        "owner", queries.OWNED,
        lambda names: f"owns {names}",
        lambda names, holder: MAKE_ONE,
    ),
    Kind(
        "write", queries.WRITABLE_TABLES,
        lambda names: f"may write to {names}",
        lambda names, holder: f"REVOKE {{privileges}} ON {names} FROM {holder};",
    ),
    Kind(
        "grant_option", queries.GRANT_OPTIONS,
        lambda names: f"may pass on to others what it may do with {names}",
        lambda names, holder: f"REVOKE GRANT OPTION FOR ALL ON {names} FROM {holder};",
    ),
    Kind(
        "sequence", queries.SEQUENCES,
        lambda names: f"may advance the sequences {names}",
        lambda names, holder: f"REVOKE USAGE, UPDATE ON SEQUENCE {names} FROM {holder};",
    ),
    Kind(
        "create_in_schema", queries.CREATE_IN_SCHEMAS,
        lambda names: f"may create tables and functions in the schema {names}",
        lambda names, holder: f"REVOKE CREATE ON SCHEMA {names} FROM {holder};",
    ),
    Kind(
        "create_schema", queries.CREATE_IN_DATABASE,
        lambda names: f"may create schemas in the database {names}",
        lambda names, holder: f"REVOKE CREATE ON DATABASE {names} FROM {holder};",
    ),
    Kind(
        "temporary_tables", queries.TEMPORARY_TABLES,
        lambda names: f"may create temporary tables in the database {names}",
        lambda names, holder: f"REVOKE TEMPORARY ON DATABASE {names} FROM {holder};",
    ),
    Kind(
        "tablespace", queries.TABLESPACES,
        lambda names: f"may create objects in the tablespace {names}",
        lambda names, holder: f"REVOKE CREATE ON TABLESPACE {names} FROM {holder};",
    ),
    Kind(
        "foreign_server", queries.FOREIGN_SERVERS,
        lambda names: f"may use the foreign server {names}",
        lambda names, holder: f"REVOKE USAGE ON FOREIGN SERVER {names} FROM {holder};",
    ),
    Kind(
        "foreign_data_wrapper", queries.FOREIGN_DATA_WRAPPERS,
        lambda names: f"may make servers of the foreign data wrapper {names}",
        lambda names, holder: f"REVOKE USAGE ON FOREIGN DATA WRAPPER {names} FROM {holder};",
    ),
    Kind(
        "large_object", queries.LARGE_OBJECTS,
        lambda names: f"may write to the large object {names}",
        lambda names, holder: f"REVOKE UPDATE ON LARGE OBJECT {names} FROM {holder};",
    ),
    Kind(
        "security_definer", queries.SECURITY_DEFINER,
        lambda names: f"may call {names}, which runs with its owner's rights (SECURITY DEFINER)",
        lambda names, holder: f"REVOKE EXECUTE ON ROUTINE {names} FROM {holder};",
    ),
    Kind(
        "server_function", queries.KEPT_BACK,
        lambda names: f"may call {names}, which is kept for administrators",
        lambda names, holder: f"REVOKE EXECUTE ON FUNCTION {names} FROM {holder};",
    ),
    Kind(
        "reaching_out", queries.REACHING_OUT,
        lambda names: f"may call {names}, which reach beyond this database",
        lambda names, holder: f"REVOKE EXECUTE ON FUNCTION {names} FROM {holder};",
    ),
    Kind(
        "server_setting", queries.PARAMETERS,
        lambda names: f"may change the server's setting {names}",
        lambda names, holder: f"REVOKE SET, ALTER SYSTEM ON PARAMETER {names} FROM {holder};",
        since=150_000,
    ),
)  # fmt: skip
