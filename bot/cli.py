"""The `db-agent` command: reads its words, runs one command, says what went wrong in one line."""

from __future__ import annotations

import argparse
import io
import logging
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from agent.errors import Fault, QuestionInvalid, SettingsInvalid
from bot.logs.set_up import set_up_log
from bot.provision_options import add_provision, run_provision
from bot.record_options import RECORD, add_record, run_record
from bot.serve_options import add_http, add_serve, add_worker, chosen_port, port_number

EXIT_FAILED = 1
"""The run failed, or something that we need is out of reach."""
EXIT_USAGE = 2
"""A mistake in the command's use or in the settings."""

MODEL_HELP = (
    "offline, claude-… (such as claude-sonnet-5), openai:MODEL (or nvidia:, groq:, ollama:, vllm:, "
    "compatible:), or scripted:FILE"
)

AREAS = ("database", "slack", "model", "store", "machine")
"""What `doctor` looks at; `bot.doctor.AREAS` has them too, but takes long to load."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code.

    0 for an answer or a question back, 1 for a run that failed, 2 for a mistake in its use or in
    the settings; for `check-sql`, 2 for whatever kept it from judging.
    """
    _prepare_streams()
    parser = _parser()
    options = parser.parse_args(arguments)
    if getattr(options, "host", None) and options.http is None:
        parser.error("--host says where --http listens, which is not given")
    # To `check-sql` a 1 is a verdict: whatever keeps it from one is told apart.
    failed = EXIT_USAGE if options.command == "check-sql" else EXIT_FAILED
    try:
        set_up_log(options.command, verbose=options.verbose)
        return _run(options)
    except (SettingsInvalid, QuestionInvalid) as mistake:
        return _complain(mistake, EXIT_USAGE)
    except Fault as fault:
        return _complain(fault, failed)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Who read our output has closed it (`db-agent ask … | head`): nobody is left to tell.
        sys.stderr.close()
        return failed


def _prepare_streams() -> None:
    """Give each standard stream that is closed a place, and let any text through to the output.

    Else the next file that is opened would stand where the stream was, and a letter that the
    terminal's encoding lacks would cost the whole answer.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (open to the end)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _complain(fault: Fault, code: int) -> int:
    print(f"db-agent: {fault}", file=sys.stderr)
    logging.getLogger(__name__).debug("detail: %s", fault.detail)
    return code


def _run(options: argparse.Namespace) -> int:
    # Each command imports what it needs: `ask` shall not wait for Slack's libraries to load.
    match options.command:
        case "ask":
            from bot.commands.ask import ask

            return ask(
                " ".join(options.question),
                database_url=options.database_url,
                model=options.model,
                as_json=options.json,
                chart=options.chart,
            )
        case "demo":
            from bot.commands.demo import demo

            return demo(
                port=options.port,
                browser=not options.no_browser,
                model=options.model,
                cast=options.cast,
                place=options.without_bot,
            )
        case "check-sql":
            from bot.commands.check_sql import check_sql

            return check_sql(
                options.file,
                database_url=options.database_url,
                relations=options.relations,
                jsonl=options.jsonl,
            )
        case "doctor":
            from bot.commands.doctor import doctor

            return doctor(
                only=options.only,
                json_text=options.json,
                model=options.model,
                port=chosen_port(options),
            )
        case "provision":
            return run_provision(options)
        case "new-token-key":
            from bot.installations.seal import new_key

            print(new_key())
            return 0
        case name if name in RECORD:
            return run_record(options)
        case _:
            from bot.commands.serve import serve_as

            return serve_as(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="db-agent",
        description="Answers questions about a PostgreSQL database, in Slack or here.",
    )
    parser.add_argument("--verbose", action="store_true", help="log what happens inside")
    parser.add_argument("--version", action="version", version=f"db-agent {version('db-agent')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    ask = commands.add_parser("ask", help="answer one question here")
    ask.add_argument("question", metavar="QUESTION", nargs="+", help="best in quotes")
    ask.add_argument(
        "--database-url",
        metavar="URL",
        help="postgresql://… of the database to ask; else DATABASE_URL, else the demo database",
    )
    ask.add_argument("--model", metavar="MODEL", help=MODEL_HELP)
    ask.add_argument("--json", action="store_true", help="print the whole result as JSON")
    ask.add_argument("--chart", metavar="FILE.png", type=Path, help="write the chart here")

    demo = commands.add_parser("demo", help="start everything, with a workspace in the browser")
    demo.add_argument("--port", type=port_number, default=8765, metavar="N", help="default: 8765")
    demo.add_argument("--no-browser", action="store_true", help="do not open the page")
    demo.add_argument(
        "--cast",
        action="store_true",
        help="more people: an administrator, guests, somebody of another organisation, another bot",
    )
    demo.add_argument(
        "--without-bot",
        metavar="FILE",
        type=Path,
        help="start no bot, and write what serve and worker need for this workspace to FILE",
    )
    demo.add_argument("--model", metavar="MODEL", help=MODEL_HELP)

    add_serve(commands, model_help=MODEL_HELP)
    add_worker(commands, model_help=MODEL_HELP)
    _add_check_sql(commands)
    _add_doctor(commands)

    add_provision(commands)

    commands.add_parser(
        "new-token-key", help="print a new DB_AGENT_TOKEN_KEY, to serve several workspaces"
    )

    add_record(commands)
    return parser


def _add_check_sql(commands: Any) -> None:
    check = commands.add_parser(
        "check-sql", help="say whether a query may be run, without running it"
    )
    check.add_argument("file", metavar="FILE", nargs="?", default="-", help="default: -, the input")
    check.add_argument(
        "--database-url",
        metavar="URL",
        help="judge by this server's tables, functions and types; DATABASE_URL is not looked at",
    )
    check.add_argument(
        "--relations",
        metavar="FILE|NAME,NAME",
        help="the tables that may be read, such as film,sales.orders, or a file with one on each "
        "line; without it, and without --database-url, any but those of the system",
    )
    check.add_argument(
        "--jsonl",
        action="store_true",
        help='read lines {"id", "sql"}, write lines {"id", "accepted", "code", "reason"}',
    )


def _add_doctor(commands: Any) -> None:
    doctor = commands.add_parser(
        "doctor", help="check the set-up from end to end, and say what to do"
    )
    doctor.add_argument(
        "--only",
        metavar="AREA,AREA",
        type=_areas,
        default=(),
        help=f"look at these alone: {', '.join(AREAS)}",
    )
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    doctor.add_argument("--model", metavar="MODEL", help=MODEL_HELP)
    add_http(doctor, "look at what serve needs with the same --http PORT")


def _areas(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    unknown = [name for name in names if name not in AREAS]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"there is no area {unknown[0]!r}; choose from {', '.join(AREAS)}"
        )
    return names


if __name__ == "__main__":
    sys.exit(main())
