"""The lists in `templates`: one template a line, with names in braces for what is put in."""

from __future__ import annotations

from pathlib import Path

from .arena import Arena

HERE = Path(__file__).parent / "templates"


def templates(name: str) -> list[str]:
    r"""Return the templates of a list; `\n`, `\0` and `\\` stand for one character there."""
    lines = (HERE / f"{name}.sql").read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if line and not line.startswith("--")]
    return [
        line.replace("\\n", "\n").replace("\\0", "\x00").replace("\\\\", "\\") for line in found
    ]


def put(template: str, **pieces: object) -> str:
    """Return a template with `pieces` for the names in braces; other braces stay as they are."""
    for name, piece in pieces.items():
        template = template.replace(f"{{{name}}}", str(piece))
    return template


def fill(template: str, arena: Arena, sleeper: int) -> str:
    """Return a template with the names of this arena."""
    return put(template, folder=arena.folder, dblink=arena.dblink, sleeper=sleeper)
