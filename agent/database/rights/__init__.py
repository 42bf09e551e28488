"""Which rights a login has that a reader needs not, found by asking the server itself."""

from agent.database.rights.excess import Excess, is_somebodys
from agent.database.rights.finding import CODES, find_excess, find_excess_of
from agent.database.rights.kinds import MAKE_ONE, PROVISION

__all__ = [
    "CODES",
    "MAKE_ONE",
    "PROVISION",
    "Excess",
    "find_excess",
    "find_excess_of",
    "is_somebodys",
]
