"""Fonts for labels in other scripts than Latin, Greek, Cyrillic and Hebrew, which are built in."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

# A label whose characters are not all in one font is put together from two only where both make
# the same number of shapes of it, which fails for joined scripts beside Latin letters. So the fonts
# that have both come first: where two have a character, the one that was named first is taken.
PACKAGES: Final = (
    "fontpkg_noto_sans_arabic",
    "fontpkg_noto_sans_devanagari",
    "manimgx_fonts",  # emoji, and sixteen other scripts
    "noto_cjk_sans_jp_regular",  # Chinese, Japanese, Korean: the extra "fonts"
)


def font_folders() -> tuple[Path, ...]:
    """Return the folders of the font packages that are installed; none of them has to be.

    Fonts of the system are there besides, and are asked first.
    """
    specs = [find_spec(package) for package in PACKAGES]
    return tuple(Path(spec.origin).parent for spec in specs if spec is not None and spec.origin)
