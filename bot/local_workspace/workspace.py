"""The workspace as its methods see it: the state, and the ways out to apps and pages."""

from __future__ import annotations

from bot.local_workspace.deliveries import Deliveries
from bot.local_workspace.live import Changes
from bot.local_workspace.rate_limits import RateLimits
from bot.local_workspace.socket_mode import SocketMode
from bot.local_workspace.world import World


class Workspace:
    """What a method needs at hand."""

    def __init__(self, world: World, deliveries: Deliveries) -> None:
        self.world = world
        self.deliveries = deliveries
        deliveries.faults = world.faults
        self.socket_mode = SocketMode(deliveries)
        self.changes = Changes()
        self.limits = RateLimits(world.faults)
