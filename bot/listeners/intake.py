"""The door that every question goes through: claimed once, handed to the bot's own threads."""

from __future__ import annotations

import logging
import threading
import uuid
from collections import OrderedDict

from bot.answer import Answerer, Claimed
from bot.clients import Clients
from bot.delivery import Place, ThreadMessage
from bot.listeners.incoming import Asked
from bot.pool import Pool
from bot.running import Running
from bot.store import Question, Store, StoreUnavailable, Thread

log = logging.getLogger(__name__)

REMEMBERED = 10_000
BUSY = (
    "I am working on as many questions as I can, and as many are waiting. Please ask again in a "
    "minute or two."
)


class Intake:
    """Takes questions from the listeners. Quick: a claim, then a place in the queue."""

    def __init__(
        self,
        *,
        store: Store,
        clients: Clients,
        answerer: Answerer,
        running: Running,
        questions: Pool,
        errands: Pool,
    ) -> None:
        """`questions` runs the answers, `errands` what is short, such as turning one away."""
        self._store = store
        self._clients = clients
        self._answerer = answerer
        self._running = running
        self._questions = questions
        self._errands = errands
        self._seen = Recent(REMEMBERED)

    def take(self, asked: Asked) -> None:
        """Answer a message in its thread, unless it was taken before."""
        place = ThreadMessage(self._clients, asked.question.thread)
        self.take_at(place, asked.question, from_outside=asked.from_outside)

    def take_at(
        self,
        place: Place,
        question: Question,
        *,
        from_outside: bool = False,
        asker_only: bool = False,
    ) -> None:
        """Answer a question at `place`, unless it was taken before."""
        key = f"{question.thread.team}/{question.thread.channel}/{question.ts}"
        if not self._seen.add(key):
            return
        try:
            run_id, recorded = self._claim(question)
        except BaseException:
            self._seen.forget(key)  # Slack sends it again, and then it must not look like a copy
            raise
        if run_id is None:
            return
        claimed = Claimed(question, run_id, place, recorded, from_outside, asker_only)
        self._running.begin(run_id, question.thread)
        if not self._questions.submit(lambda: self._answerer.answer(claimed)):
            self._running.end(run_id)
            self._errands.submit(lambda: self._answerer.turn_away(claimed, BUSY))

    def is_ours(self, thread: Thread) -> bool:
        """Has anyone asked us something in this thread? False where the store cannot say."""
        try:
            return self._store.engaged(thread)
        except StoreUnavailable as fault:
            log.error("a reply is not looked at: %s", fault.detail)
            return False

    def _claim(self, question: Question) -> tuple[str | None, bool]:
        """Return the run's id, None if someone else has the question; and whether it is kept."""
        try:
            return self._store.claim(question), True
        except StoreUnavailable as fault:
            log.error("a question is answered without a record: %s", fault.detail)
            return str(uuid.uuid4()), False


class Recent:
    """The newest keys, so many; stands in for the store while that is away."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._keys: OrderedDict[str, None] = OrderedDict()

    def add(self, key: str) -> bool:
        """Remember a key; False if it is known."""
        with self._lock:
            if key in self._keys:
                return False
            self._keys[key] = None
            if len(self._keys) > self._size:
                self._keys.popitem(last=False)
            return True

    def forget(self, key: str) -> None:
        """Not known any more."""
        with self._lock:
            self._keys.pop(key, None)
