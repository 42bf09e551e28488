"""Tokens at rest: encrypted with a key that is in the settings, and nowhere in the store."""

from __future__ import annotations

import re
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from agent.errors import SettingsInvalid

SETTING: Final = "DB_AGENT_TOKEN_KEY"
HOW_TO_MAKE_ONE: Final = "db-agent new-token-key prints a new one"
NO_KEY: Final = f"must be keys of 44 letters, with commas between them; {HOW_TO_MAKE_ONE}"


def new_key() -> str:
    """Return a new key, at random."""
    return Fernet.generate_key().decode()


class TokensUnreadable(SettingsInvalid):
    """What the store keeps was encrypted with a key that is not set any more."""

    @classmethod
    def of(cls, workspace: str) -> TokensUnreadable:
        """Return the fault for the tokens of a workspace; it says what to do."""
        return cls(
            f"The tokens of workspace {workspace} cannot be read: {SETTING} lacks the key that they"
            " were kept with. Add that key after the first, with a comma; or have the app installed"
            " there anew. Nothing was changed."
        )


class Seal:
    """Encrypts with the first key, and reads what any of the keys has encrypted."""

    def __init__(self, keys: str) -> None:
        """`keys` are Fernet's, with commas between them. Raises ValueError for what is none."""
        names = [each for each in re.split(r"[,\s]+", keys) if each]
        try:
            self._keys = MultiFernet([Fernet(each) for each in names])
        except ValueError:
            raise ValueError(NO_KEY) from None

    def close(self, secret: str | None) -> str | None:
        """Return a secret encrypted; nothing stays nothing."""
        return self._keys.encrypt(secret.encode()).decode() if secret else None

    def open(self, sealed: str | None, workspace: str) -> str | None:
        """Return the secret behind what `close` gave. Raises `TokensUnreadable`."""
        if not sealed:
            return None
        try:
            return self._keys.decrypt(sealed.encode()).decode()
        except InvalidToken:
            raise TokensUnreadable.of(workspace) from None
