"""The line of questions that wait for a worker, on the store's PostgreSQL."""

from bot.queue.again import Again
from bot.queue.line import Queue
from bot.queue.workers import Lease, Workers

__all__ = ["Again", "Lease", "Queue", "Workers"]
