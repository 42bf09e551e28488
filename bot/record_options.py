"""The commands that look into the bot's own record or see to it: their options, and what runs."""

from __future__ import annotations

import argparse
from typing import Any, Final

RECORD: Final = frozenset({"trail", "migrate", "forget"})
"""The names of these commands."""


def add_record(commands: Any) -> None:
    """Add the commands to a parser's."""
    trail = commands.add_parser("trail", help="tell what a run did and why")
    trail.add_argument("run", metavar="RUN", help="its id, or a beginning of it")
    trail.add_argument("--steps", action="store_true", help="list each transition, too")

    migrate = commands.add_parser(
        "migrate", help="bring the schema of the bot's own record up to date"
    )
    migrate.add_argument(
        "--check",
        action="store_true",
        help="change nothing; the exit code is 0 where it is up to date, 3 where it is not",
    )

    forget = commands.add_parser(
        "forget", help="delete what a person's questions have produced, from the bot's own record"
    )
    forget.add_argument("user", metavar="USER", help="the member's id, such as U0123ABCD")
    forget.add_argument(
        "--team", metavar="ID", help="the workspace, where the person is known in several"
    )
    forget.add_argument("--yes", action="store_true", help="delete it without asking")
    forget.add_argument(
        "--messages",
        action="store_true",
        help="list the messages in Slack first, which stay: channel, timestamp, what it is",
    )


def run_record(options: argparse.Namespace) -> int:
    """Run one of `RECORD`; returns the exit code. Raises what the command does."""
    match options.command:
        case "migrate":
            from bot.commands.migrate import migrate

            return migrate(check=options.check)
        case "forget":
            from bot.commands.forget import forget

            return forget(
                options.user, team=options.team, yes=options.yes, messages=options.messages
            )
        case _:
            from bot.commands.trail import trail

            return trail(options.run, steps=options.steps)
