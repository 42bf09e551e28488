"""The rows of a run as a file: those that were kept, or all, read anew where some were not."""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from agent.errors import AgentError
from agent.messages import QueryResult
from agent.watching import word_for
from bot.protocols import Catalogue
from bot.render import render_csv
from bot.render.counting import counted
from bot.render.people import moment
from bot.render.text import plain
from bot.store import RunRecord

log = logging.getLogger(__name__)

LONGEST_NAME: Final = 40
"""Letters of the name of a file, without its ending."""
_WORD: Final = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class Attachment:
    """A file for a person, and the mrkdwn that stands above it."""

    name: str
    title: str
    content: bytes
    comment: str


@dataclass(frozen=True)
class RowsFile:
    """Makes the file of a run's rows."""

    catalogue: Catalogue | None
    """What can run a query of the record once more; None: nothing can."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def of(self, record: RunRecord, *, may_read_anew: bool) -> Attachment | None:
        """Return the rows that the run's card shows, all up to a cap; None where there are none.

        Where the record has only the first of them, its query is run once more, by the same guard
        and the same login as at first, if `may_read_anew`. The file's name and the words above it
        say where it ends, and whether it was read anew; its last line is a row like all others, so
        that no program takes a remark for data. Rows that are no longer kept are read anew too.
        """
        results = [each for each in record.results if each.columns and (each.rows or _gone(each))]
        if not results:
            return None
        shown, name = results[-1], file_name(record.question.text)
        if _gone(shown):
            return self._in_place_of(shown, record) if may_read_anew else None
        if not shown.truncated:
            return _attachment(shown, f"{_rows(shown)} as CSV, all of them.", name)
        whole = self._anew(shown, record) if may_read_anew else None
        if whole is None:
            words = (
                f"The first {_rows(shown)} as CSV, those that the answer was made of."
                f" *The file ends there*: {_remark(shown)}"
            )
            return _attachment(shown, words, name)
        words = (
            f"{_rows(whole)} as CSV, read anew ({moment(self.now())}): the answer was made of the"
            f" first {len(shown.rows):,}, and the data may have changed since."
        )
        ends = f" *The file ends there*: {_remark(whole)}" if whole.truncated else " These are all."
        return _attachment(whole, words + ends, name)

    def _in_place_of(self, gone: QueryResult, record: RunRecord) -> Attachment | None:
        whole = self._anew(gone, record)
        if whole is None:
            return None
        words = (
            f"{_rows(whole)} as CSV, read anew ({moment(self.now())}): the rows that the answer was"
            " made of are no longer kept, and the data may have changed since."
        )
        ends = f" *The file ends there*: {_remark(whole)}" if whole.truncated else " These are all."
        return _attachment(whole, words + ends, file_name(record.question.text))

    def _anew(self, shown: QueryResult, record: RunRecord) -> QueryResult | None:
        if self.catalogue is None:
            return None
        try:
            whole = self.catalogue.fetch_for_file(shown.sql, time_zone=record.time_zone)
        except AgentError as error:
            log.warning(
                "the rows of run %s could not be read anew: %s",
                record.id,
                word_for(error),
                extra={"private": str(error)},
            )
            return None
        return whole if whole.rows and whole.columns else None


def file_name(question: str) -> str:
    """Return a short name of letters, digits and hyphens that says what was asked."""
    bare = unicodedata.normalize("NFKD", question).encode("ascii", "ignore").decode().lower()
    name = ""
    for word in _WORD.findall(bare.replace("'", "")):
        if len(name) + len(word) >= LONGEST_NAME:
            break
        name += f"-{word}" if name else word
    return name or "rows"


def _attachment(result: QueryResult, comment: str, name: str) -> Attachment:
    first = f"first-{len(result.rows)}-" if result.truncated else ""
    title = f"First {_rows(result)}" if result.truncated else f"All {_rows(result)}"
    return Attachment(f"{first}{name}.csv", title, render_csv(result), comment)


def _gone(result: QueryResult) -> bool:
    """Had the result rows that are no longer kept?"""
    return result.truncated and not result.rows


def _rows(result: QueryResult) -> str:
    return counted(len(result.rows), "row")


def _remark(result: QueryResult) -> str:
    return plain(" ".join(result.notes)) or "there are more rows than these."
