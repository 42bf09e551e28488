"""What the server itself writes for a query, and whether our cells say the same.

The judge is psql with CSV output; where there is none, a plain cursor in text format.
"""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import psycopg

from agent.errors import AgentError, SqlFailed
from agent.messages import Cell, QueryResult
from agent.protocols import Database

Text = str | None
Row = tuple[Text, ...]

SETTINGS: Final = {
    "TimeZone": "UTC", "DateStyle": "ISO", "IntervalStyle": "postgres", "extra_float_digits": "1",
    "bytea_output": "hex", "default_transaction_read_only": "on", "cursor_tuple_fraction": "1.0",
    "jit": "off", "max_parallel_workers_per_gather": "0", "statement_timeout": "60s",
}  # fmt: skip
"""As our session sets them; no parallel plan, since a cursor has none."""
_OPTIONS: Final = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
_BATCH_BYTES: Final = 100_000


@dataclass(frozen=True)
class Answer:
    """The server's answer: labels and rows as text (NULL is None), or the code of its refusal."""

    labels: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    sqlstate: str = ""


def ask_psql(psql: str, address: str, texts: Sequence[str]) -> list[Answer]:
    """Return psql's answer to each text; all go through as they are, none is interpolated."""
    answers: list[Answer] = []
    for batch in _batches(texts):
        answers += _ask_batch(psql, address, batch)
    assert len(answers) == len(texts), "psql lost an answer"
    return answers


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for text in texts:
        if batch and sum(len(each.encode()) for each in (*batch, text)) > _BATCH_BYTES:
            yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch


def _ask_batch(psql: str, address: str, texts: list[str]) -> list[Answer]:
    mark = uuid.uuid4().hex
    command = [psql, "-X", "-q", "--csv", "-P", f"null={mark}", "-d", address]
    for text in texts:
        command += ["-c", text, "-c", f"\\echo {mark} :SQLSTATE"]
    environment = {"PATH": os.environ["PATH"], "PGCLIENTENCODING": "UTF8", "PGOPTIONS": _OPTIONS}
    outcome = subprocess.run(command, env=environment, capture_output=True, check=False)
    output = outcome.stdout.decode()
    parts = re.split(rf"^{mark} (\w{{5}})\n", output, flags=re.MULTILINE)
    return [
        _read_csv(table, mark) if state == "00000" else Answer(sqlstate=state)
        for table, state in zip(parts[0::2], parts[1::2], strict=False)
    ]


def _read_csv(table: str, mark: str) -> Answer:
    lines = [line or [""] for line in csv.reader(io.StringIO(table, newline=""))]
    if lines[0] == [""]:  # a query without a column
        return Answer()
    rows = tuple(tuple(None if cell == mark else cell for cell in line) for line in lines[1:])
    return Answer(tuple(lines[0]), rows)


def ask_plainly(address: str, texts: Sequence[str]) -> list[Answer]:
    """Return the server's answer to each text through psycopg, undecoded: for want of psql."""
    answers = []
    with psycopg.connect(address, options=_OPTIONS, autocommit=True) as connection:
        for text in texts:
            try:
                result = connection.execute(text.encode()).pgresult
            except psycopg.Error as error:
                answers.append(Answer(sqlstate=error.sqlstate or "?"))
                continue
            assert result is not None
            fields = range(result.nfields)
            values = ([result.get_value(row, i) for i in fields] for row in range(result.ntuples))
            rows = [tuple(None if v is None else bytes(v).decode() for v in row) for row in values]
            labels = tuple((result.fname(i) or b"").decode() for i in fields)
            answers.append(Answer(labels, tuple(rows)) if labels else Answer())
    return answers


def refusals(address: str, texts: Sequence[str]) -> list[str]:
    """Return for each text "" if the server takes it for one query, else its SQLSTATE.

    A cursor is declared over the extended protocol, which takes one statement, and never read.
    """
    codes = []
    with psycopg.connect(address, options=_OPTIONS, autocommit=True) as connection:
        for text in texts:
            declare = b"DECLARE c CURSOR FOR\n" + text.encode()
            connection.execute("BEGIN")
            result = connection.pgconn.exec_params(declare, None)
            failed = result.status != psycopg.pq.ExecStatus.COMMAND_OK
            code = result.error_field(psycopg.pq.DiagnosticField.SQLSTATE) if failed else b""
            codes.append((code or b"").decode())
            connection.execute("ROLLBACK")
    return codes


def difference(database: Database, text: str, expected: Answer) -> str:
    """Return how our answer to `text` differs from the server's, "" where it is the same."""
    try:
        result = database.fetch(text)
    except SqlFailed as failure:
        if failure.sqlstate == expected.sqlstate:
            return ""
        return f"we fail with {failure}, the server says {expected.sqlstate or 'yes'}"
    except AgentError as error:
        return f"we refuse: {error}"
    if expected.sqlstate:
        return f"the server refuses with {expected.sqlstate}, we do not"
    return compare(result, expected)


def compare(result: QueryResult, expected: Answer) -> str:
    """Return how our rows, in their order, differ from the server's; "" where they do not."""
    if result.truncated:
        return f"cut: {' '.join(result.notes)}"
    labels = [column.name for column in result.columns]
    if not _same_labels(labels, expected.labels):
        return f"labels {labels} for {list(expected.labels)}"
    kinds = [column.type_name for column in result.columns]
    ours = [
        tuple(server_text(cell, kind) for cell, kind in zip(row, kinds, strict=True))
        for row in result.rows
    ]
    theirs = [
        tuple(_as_documented(cell, kind) for cell, kind in zip(row, kinds, strict=True))
        for row in expected.rows
    ]
    if ours == theirs:
        return ""
    missing, extra = Counter(theirs) - Counter(ours), Counter(ours) - Counter(theirs)
    if not missing and not extra:
        return "another order"
    return f"only the server has {list(missing)[:3]}, only we have {list(extra)[:3]}"


def _same_labels(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Ours are made unique by a number, and those without a name get one."""
    return len(ours) == len(theirs) and all(
        label in (written, f"column {number}" if written == "?column?" else written)
        or re.fullmatch(rf"(?:{re.escape(written)}|column {number}) \(\d+\)", label)
        for number, (label, written) in enumerate(zip(ours, theirs, strict=True), start=1)
    )


_FLOATS: Final = ("real", "double precision")
_INTEGERS: Final = ("smallint", "integer", "bigint", "oid")


def server_text(cell: Cell, kind: str) -> Text:
    """Return the text that the server writes for a value of type `kind` that became `cell`.

    A cell of the wrong Python type gives a text that no server writes.
    """
    base = kind.partition("(")[0]
    if cell is None:
        return None
    if base == "boolean":
        return {True: "t", False: "f"}.get(cell) if isinstance(cell, bool) else f"?{cell!r}"
    if isinstance(cell, str):
        return cell if base not in _INTEGERS else f"?{cell!r}"
    if base in _INTEGERS and type(cell) is int:
        return str(cell)
    if base == "numeric" and type(cell) is Decimal:
        return f"{cell:f}"  # with all its digits, and the scale it came with
    if base in _FLOATS and type(cell) is float:
        return repr(cell)
    return f"?{cell!r}"


def _as_documented(text: Text, kind: str) -> Text:
    """Return the server's text after what our cells are documented to leave out of it."""
    base = kind.partition("(")[0]
    if text is None:
        return None
    if base == "bytea":
        size = (len(text) - 2) // 2
        return f"({size:,} byte{'' if size == 1 else 's'})"
    if base == "character":  # char(n): trailing blanks mean nothing
        return text.rstrip(" ")
    if base in _FLOATS and text.lstrip("-") not in ("NaN", "Infinity"):
        return repr(float(text))  # the shortest text of the same number, in Python's spelling
    return text
