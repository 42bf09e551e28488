"""The words of `db-agent serve`, and those that `doctor` shares with it."""

from __future__ import annotations

import argparse
from typing import Any, Final

from bot.http.port import Port

LOCAL: Final = "127.0.0.1"


def add_serve(commands: Any, *, model_help: str) -> None:
    """Add `serve` to the command's parsers."""
    serve = commands.add_parser("serve", help="serve a real Slack workspace")
    serve.add_argument("--model", metavar="MODEL", help=model_help)
    serve.add_argument(
        "--no-workers",
        action="store_true",
        help="take questions, and leave the answers to db-agent worker",
    )
    add_http(
        serve,
        "open this port for health checks at /healthz and /readyz, for measures at /metrics and, "
        "where SLACK_SIGNING_SECRET is set, for Slack's requests at /slack/events; 0: any that is "
        "free; without it no port is opened",
    )


def add_worker(commands: Any, *, model_help: str) -> None:
    """Add `worker`."""
    worker = commands.add_parser(
        "worker", help="answer questions that other processes on the same record take"
    )
    worker.add_argument("--model", metavar="MODEL", help=model_help)


def add_http(command: argparse.ArgumentParser, help_text: str) -> None:
    """Add --http and --host; `chosen_port` reads them."""
    command.add_argument("--http", metavar="PORT", type=port_number, help=help_text)
    command.add_argument(
        "--host",
        metavar="ADDRESS",
        help=f"the address that --http listens on; default: {LOCAL}, which a proxy on this machine "
        "reaches; 0.0.0.0 in a container",
    )


def chosen_port(options: argparse.Namespace) -> Port | None:
    """Return what --http and --host say; None where no port is wanted."""
    return Port(options.host or LOCAL, options.http) if options.http is not None else None


def port_number(text: str) -> int:
    """Read a port's number, for argparse."""
    if not text.isdecimal() or not 0 <= int(text) <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; choose one of 0 to 65535")
    return int(text)
