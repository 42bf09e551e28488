"""Whether a model's server can be at an address; any model's adapter may ask. Pure."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

BARE: Final = "without a user name, a password, or anything behind a ? or # in it"
"""What an address has to be, beyond being one. The SDKs log addresses whole, so a secret in one
would be written down; and what stands behind a ? or # gets lost where a path is put to it."""


def is_address(url: str) -> bool:
    """Say whether `url` is the address of a server, and nothing beside that."""
    if any(mark in url for mark in "@?#") or any(ord(c) <= 32 or ord(c) == 127 for c in url):
        return False
    try:
        address = urlsplit(url)
        host, port = address.hostname or "", address.port
        host.encode("idna")  # as whoever looks up the name does
        return address.scheme in ("http", "https") and bool(host) and port != 0
    except ValueError:  # of the address, its port, or its name
        return False
