"""The words of `db-agent provision`; nothing heavy is loaded for them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from agent.errors import SettingsInvalid

_EPILOG = """\
Without --apply it only prints the SQL that is still to be run; with it, that is carried out in one
transaction. A second run changes nothing; one with other tables gives and takes what differs.
"""


def add_provision(commands: Any) -> None:
    """Add the command and its options to the parsers of `db-agent`."""
    parser = commands.add_parser(
        "provision",
        help="make a database login that can only read, or print the SQL that makes it",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--database-url",
        metavar="ADMIN_URL",
        required=True,
        help="the database to answer from, for a login that may make roles and grant its tables",
    )
    parser.add_argument("--role", metavar="NAME", default="agent_ro", help="default: agent_ro")
    _add_what_it_reads(parser)
    parser.add_argument(
        "--keep-public",
        action="store_true",
        help="take no right from PUBLIC; the bot then needs DB_AGENT_ACCEPT_PUBLIC_RIGHTS=1",
    )
    parser.add_argument(
        "--revoke-catalogue",
        action="store_true",
        help="take the server's functions that no reader needs from PUBLIC, too (superusers only; "
        "it reaches all logins of this database)",
    )
    secret = parser.add_mutually_exclusive_group()
    secret.add_argument(
        "--password-file", metavar="FILE", type=Path, help="holds the login's password; else a new "
        "login gets a random one, printed once",
    )  # fmt: skip
    secret.add_argument("--password-env", metavar="VARIABLE", help="the variable that holds it")
    parser.add_argument("--drop", action="store_true", help="remove the login and its rights here")
    parser.add_argument("--apply", action="store_true", help="do it, do not only print the SQL")


def _add_what_it_reads(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--schema", metavar="S", action="append", default=[],
        help="whose tables and views it may read; may be repeated; default: public",
    )  # fmt: skip
    parser.add_argument(
        "--tables", metavar="A,B", action="append", default=[],
        help="only these, such as film,sales.orders,report_*; default: all of the schemas",
    )  # fmt: skip
    parser.add_argument(
        "--hide", metavar="TABLE.COLUMN", action="append", default=[],
        help="columns that it may not read, such as staff.password,*.email",
    )  # fmt: skip
    parser.add_argument(
        "--unhide", metavar="TABLE.COLUMN", action="append", default=[],
        help="columns that it may read from now on, although an earlier run hid them",
    )  # fmt: skip


def run_provision(options: argparse.Namespace) -> int:
    """Run the command; returns its exit code."""
    from agent.database.provision import Wish
    from bot.commands.provision import provision
    from bot.commands.provision_password import Password

    _check_together(options)
    wish = Wish(
        options.role,
        tuple(options.schema),
        tuple(options.tables),
        tuple(options.hide),
        tuple(options.unhide),
        keep_public=options.keep_public,
        revoke_catalogue=options.revoke_catalogue,
    )
    return provision(
        wish,
        admin_url=options.database_url.strip(),
        password=Password(options.password_file, options.password_env),
        drop=options.drop,
        carry_out=options.apply,
    )


def _check_together(options: argparse.Namespace) -> None:
    lists = {
        "--schema": options.schema,
        "--tables": options.tables,
        "--hide": options.hide,
        "--unhide": options.unhide,
    }
    for option, values in lists.items():
        if not all(value.strip() for value in values):
            raise SettingsInvalid(f"{option} has nothing after it: is a shell variable not set?")
    if options.drop and (
        any(lists.values())
        or options.keep_public
        or options.revoke_catalogue
        or options.password_file is not None
        or options.password_env is not None
    ):
        raise SettingsInvalid("--drop goes with --role and --apply, and with nothing else.")
    if options.keep_public and options.revoke_catalogue:
        raise SettingsInvalid(
            "--revoke-catalogue takes functions from PUBLIC, and --keep-public takes nothing:"
            " choose one of them."
        )
