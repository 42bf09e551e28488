"""What a run remembers, told with each transition, so that another process can go on from there."""

from agent.checkpoint.recorded import Recorded

__all__ = ["Recorded"]
