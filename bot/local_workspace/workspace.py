"""The workspace as its methods see it: the state, and the ways out to apps and pages."""

from __future__ import annotations

from bot.local_workspace.deliveries import Deliveries
from bot.local_workspace.live import Changes
from bot.local_workspace.rate_limits import RateLimits
from bot.local_workspace.socket_mode import SocketMode
from bot.local_workspace.world import World


class Workspace:
    """What a method needs at hand."""

    def __init__(
        self, world: World, deliveries: Deliveries, beside: Workspace | None = None
    ) -> None:
        """`beside`: a workspace that the same server holds already; the ways out are the same."""
        self.world = world
        self.deliveries = deliveries
        deliveries.faults = world.faults
        self.socket_mode: SocketMode = beside.socket_mode if beside else SocketMode(deliveries)
        self.changes: Changes = beside.changes if beside else Changes()
        self.limits: RateLimits = beside.limits if beside else RateLimits(world.faults)
        self.teams: dict[str, Workspace] = beside.teams if beside else {}
        """All that this server holds, by the id of the team."""
        self.teams[world.team_id] = self

    def of(self, team_id: str) -> Workspace:
        """The workspace of a team; this one where the team is not named."""
        return self.teams.get(team_id, self)

    def of_member(self, user_id: str) -> Workspace:
        """The workspace that a person or a bot belongs to; this one where nobody knows them."""
        team = self.world.commons.team_of(user_id)
        return self.teams[team.team_id] if team else self
