"""What is settled so far of one draft, handed from step to step."""

from __future__ import annotations

from dataclasses import dataclass

from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Draft
from agent.models.offline.filters import Filters
from agent.models.offline.places import Places
from agent.models.offline.values import Values


@dataclass
class Work:
    """What is settled so far of one draft."""

    draft: Draft
    atlas: Atlas
    values: Values
    subject: str | None
    places: Places
    filters: Filters
