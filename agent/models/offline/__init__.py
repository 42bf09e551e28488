"""A model without a network: reads questions by rule, and asks where the rules do not reach."""

from agent.models.offline.model import OfflineModel

__all__ = ["OfflineModel"]
