"""Which rights a login has that a reader needs not, found by asking the server itself."""

from agent.database.rights.excess import Excess, is_somebodys
from agent.database.rights.finding import CODES, MAKE_ONE, PROVISION, find_excess, find_excess_of

__all__ = [
    "CODES",
    "MAKE_ONE",
    "PROVISION",
    "Excess",
    "find_excess",
    "find_excess_of",
    "is_somebodys",
]
