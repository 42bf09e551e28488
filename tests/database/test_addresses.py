"""A database's address is read or refused, and no message shows a part of its password."""

from __future__ import annotations

from contextlib import closing
from urllib.parse import quote

import psycopg
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from agent.database.failing.failures import unavailable
from agent.database.link.address import read_address
from agent.database.postgres import PostgresDatabase
from agent.errors import Fault, SettingsInvalid
from bot.cli import main
from bot.commands.record import store_url
from bot.settings import StorePlace
from bot.store.reader import reader_address

PASSWORDS = st.text("abXY07@:/#?%&=[] ,.;!$'\"\\é", min_size=4, max_size=20)
SCHEMES = st.sampled_from(["postgresql://", "postgres://", "postgresql+psycopg://", "mysql://", ""])
ENDS = st.sampled_from(["/northwind", "/northwind?sslmode=disable", "/", "", "?user=q"])
# Names that share no four characters with a password.
LOGIN, SERVER = "reader_ro", "127.0.0.1:1"


def said_of(url: str) -> str:
    """All that is said of an address, to whoever reads it, until a connection is tried."""
    try:
        with closing(PostgresDatabase(url, pool_size=1)) as database:
            database.ping()
    except Fault as fault:
        return f"{fault} {fault.detail}"
    raise AssertionError("nobody answers there")


def parts_of(password: str) -> set[str]:
    return {password[at : at + 4] for at in range(len(password) - 3)}


@given(scheme=SCHEMES, password=PASSWORDS, end=ENDS)
@example(scheme="postgresql://", password="p@ss:w/ord", end="/northwind")
@example(scheme="postgresql://", password="12/3456", end="/northwind")
@example(scheme="postgresql://", password="abcd?user=abX0", end="/northwind")
@example(scheme="postgresql://", password="a/abXY?user=abX0", end="/northwind")
@example(scheme="postgresql://", password="a?host=abXY", end="")
@settings(deadline=None, max_examples=150)
def test_no_part_of_a_password_is_in_any_message(scheme: str, password: str, end: str) -> None:
    given_whole = f"{scheme}{LOGIN}:{password}@{SERVER}{end}"
    known = said_of(f"{scheme}{LOGIN}:{quote('x', '')}@{SERVER}{end}")
    said = said_of(given_whole)
    shown = {part for part in parts_of(password) if part in said and part not in known}
    assert shown == set()


@pytest.mark.parametrize("sign", "@/")
def test_a_password_that_ends_too_early_is_told_how_to_be_written(sign: str) -> None:
    url = f"postgresql://agent_ro:p{sign}ss:word@127.0.0.1:5432/northwind"
    with pytest.raises(SettingsInvalid, match="in the password write @ as %40, : as %3A, / as %2F"):
        read_address(url)
    right = read_address(url.replace(f"p{sign}ss", f"p{quote(sign, '')}ss"))
    assert right["password"] == f"p{sign}ss:word"
    assert right["dbname"] == "northwind"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:a:b#c?d@h:1,g:2/db?sslmode=require",
        "postgresql://u:p@[::1]:5432/d",
        "postgresql:///db?host=/tmp&user=x",
        "postgresql://u:p@%2Ftmp/d",
        "host=/tmp user=u password=p@ss/word dbname=d",
        " service=shop\n",
    ],
)
def test_whatever_the_library_reads_as_it_was_meant_is_read(url: str) -> None:
    assert read_address(url)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("foo", "cannot be read: it looks like"),
        ("postgresql://u:seventeen/d", "cannot be read: it looks like"),
        ("dbname=postgresql://u:seventeen@h/d", "cannot be read: it looks like"),
        ("'postgresql://u:seventeen@h/d'", "take away the quotation marks"),
        ("postgresql://agent_ro:PASSWORD@HOST:5432/DATABASE", "as in .env.example"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_the_name_it_has(url: str, words: str) -> None:
    with pytest.raises(SettingsInvalid, match=words) as caught:
        read_address(url, name="DB_AGENT_STORE_URL")
    assert str(caught.value).startswith("DB_AGENT_STORE_URL ")
    assert "seventeen" not in str(caught.value)


def test_the_addresses_of_the_record_are_read_the_same_way() -> None:
    torn = "postgresql://bot:p@seventeen/word@127.0.0.1:1/store"
    place = StorePlace(store_url=SecretStr(torn))
    with (
        pytest.raises(SettingsInvalid, match=r"DB_AGENT_STORE_URL cannot be read: .*%40"),
        store_url(place, None, say=print),
    ):
        pass
    with pytest.raises(SettingsInvalid, match="DB_AGENT_STORE_READER_URL cannot be read"):
        reader_address("postgresql://bot:word@127.0.0.1:1/store", torn)


@pytest.mark.parametrize("blank", [" ", "\n"])
def test_a_blank_around_an_address_is_no_part_of_it(
    capsys: pytest.CaptureFixture[str], blank: str
) -> None:
    url = f"{blank}postgresql://me:seventeen%21@127.0.0.1:1/shop{blank}"
    assert main(["provision", "--database-url", url]) == 1
    said = capsys.readouterr().err
    assert "The database shop on 127.0.0.1 cannot be reached" in said
    assert "seventeen" not in said


def test_what_the_driver_cannot_read_is_not_quoted() -> None:
    quoting = psycopg.ProgrammingError('missing "=" after "seventeen"')
    fault = unavailable(quoting, "shop on 127.0.0.1")
    assert "seventeen" not in f"{fault} {fault.detail}"
