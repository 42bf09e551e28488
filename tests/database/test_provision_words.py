"""The words of `db-agent provision`: what its options take, and whose password is whose."""

from __future__ import annotations

import getpass
import re
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from bot.cli import main

PASSWORDS = [
    ("", r": it is empty"),
    ("one\ntwo\n", r": it has several lines"),
    ("tab\tand more\n", r": it holds characters that nobody can type"),
]


def say(capsys: pytest.CaptureFixture[str], url: str, *words: str, code: int = 0) -> str:
    done = main(["provision", "--database-url", url, *words])
    captured = capsys.readouterr()
    assert done == code, captured
    return captured.out + captured.err


def test_words_that_mean_nothing_are_refused_before_anything_is_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    nowhere = "postgresql://me@127.0.0.1:1/shop"
    for option in ("--tables", "--hide", "--unhide", "--schema"):
        said = say(capsys, nowhere, option, "", code=2)
        assert f"{option} has nothing after it: is a shell variable not set?" in said
        said = say(capsys, nowhere, "--drop", option, "a.b", code=2)
        assert "--drop goes with --role and --apply, and with nothing else" in said
    assert "--drop goes with" in say(
        capsys, nowhere, "--drop", "--apply", "--password-env", "X", code=2
    )


def test_password_that_cannot_be_taken_is_named_with_what_is_wrong(
    scratch_database: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "secret"
    said = say(capsys, scratch_database, "--apply", "--password-file", str(file), code=2)
    assert f"--password-file {file}: there is no such file" in said
    for text, wrong in PASSWORDS:
        file.write_text(text)
        said = say(capsys, scratch_database, "--apply", "--password-file", str(file), code=2)
        assert re.search(re.escape(f"--password-file {file}") + wrong, said)
        monkeypatch.setenv("SECRET", text)
        said = say(capsys, scratch_database, "--apply", "--password-env", "SECRET", code=2)
        assert re.search(f"--password-env SECRET{wrong}", said)


def test_short_password_gets_a_note_and_odd_schemas_are_read_as_the_bot_does(
    scratch_database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "short")
    with psycopg.connect(scratch_database, autocommit=True) as admin:
        admin.execute('CREATE SCHEMA "Sales Dept"; CREATE TABLE "Sales Dept".orders (id int)')
        words = ("--role", "reader", "--schema", '"Sales Dept"', "--apply")
        said = say(capsys, scratch_database, *words, "--password-env", "SECRET")
        assert "the password has fewer than 12 characters" in said
        assert "Checked: reader logs in" in said
        admin.execute("DROP OWNED BY reader; DROP ROLE reader")


def test_own_password_may_come_from_elsewhere(
    scratch_database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = urlsplit(scratch_database)
    user, _, place = parts.netloc.partition("@")
    name, _, password = user.partition(":")
    bare = urlunsplit(parts._replace(netloc=f"{name}@{place}"))
    with psycopg.connect(scratch_database, autocommit=True) as admin:
        admin.execute("CREATE TABLE orders (id int)")
    monkeypatch.setenv("PGPASSFILE", "/nowhere")
    said = say(capsys, bare, "--role", "reader", code=1)
    assert "refused the login" in said
    assert "PGPASSWORD or ~/.pgpass" in said
    monkeypatch.setenv("PGPASSWORD", password)
    assert "CREATE ROLE" in say(capsys, bare, "--role", "reader")
    monkeypatch.delenv("PGPASSWORD")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(getpass, "getpass", lambda prompt: password)
    assert "CREATE ROLE" in say(capsys, bare, "--role", "reader")
