"""Files that a click brings: put into the thread, or sent to the one who clicked."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from bot.listeners.clicks import Click, Clicks
from bot.render import render_notice
from bot.render.messages import render_words
from bot.render.people import in_a_line
from bot.rows_file import Attachment
from bot.slack_errors import SLACK_TROUBLE, error_code, what_went_wrong
from bot.store import RunRecord

log = logging.getLogger(__name__)

NO_FILE = "Slack did not take the file. Please try again in a moment."
NO_ROOM = "Slack did not take the file: this workspace has no room for it, or it is too large."
NO_RIGHT = (
    "Slack did not take the file: I may not upload any. Whoever runs me can change that"
    " (`db-agent doctor` names what is missing)."
)
FILE_SENT = "I sent it to you as a file, in a direct message."
_FULL = frozenset(
    {
        *("file_upload_size_restricted", "file_upload_size_exceeded", "storage_limit_reached"),
        *("over_file_storage_limit", "file_uploads_disabled"),
    }
)


@dataclass(frozen=True)
class FileDesk:
    """Hands files to people."""

    clicks: Clicks

    def hand_over(
        self, click: Click, record: RunRecord, file: Attachment, *, only_to_them: bool = False
    ) -> None:
        """Put a file into the thread of a card, or say why that cannot be.

        A file cannot be for one reader of a channel only: what belongs to a private card, and what
        is `only_to_them`, goes to the direct messages of whoever clicked.
        """
        is_private = click.is_ephemeral or (only_to_them and not click.thread.is_direct)
        try:
            channel, thread_ts = click.thread.channel, click.thread.ts
            if is_private:
                channel, thread_ts = self._direct(click, record)
            self.clicks.clients.patient.files_upload_v2(
                channel=channel,
                thread_ts=thread_ts,
                filename=file.name,
                title=file.title,
                content=file.content,
                initial_comment=file.comment,
            )
        except SLACK_TROUBLE as error:
            # Not the file's name: it is made of the question.
            log.error("a file of run %s was not shared: %s", record.id, what_went_wrong(error))
            self.clicks.tell(click, render_notice(_why_not(error)))
            return
        if is_private:
            self.clicks.tell(click, render_notice(FILE_SENT))

    def _direct(self, click: Click, record: RunRecord) -> tuple[str, str]:
        """Begin a thread in the direct messages; its channel and ts. Raises a SLACK_TROUBLE."""
        card = render_words(f"What belongs to {in_a_line(record.question.text)}:")
        answer = self.clicks.clients.patient.chat_postMessage(
            channel=click.user,
            text=card.text,
            blocks=card.blocks,
            unfurl_links=False,
            unfurl_media=False,
        )
        return str(answer["channel"]), str(answer["ts"])


def _why_not(error: BaseException) -> str:
    code = error_code(error)
    if code in _FULL:
        return NO_ROOM
    return NO_RIGHT if code in ("missing_scope", "not_allowed_token_type") else NO_FILE
