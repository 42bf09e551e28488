"""What dates, times and periods look like, the longest forms first.

Groups: y year, m month in digits, mn month by name, d day, q and qn quarter, half and hn half-year,
w week, h hour, i minute, ap half of the day, dec decade; d2, h2, w2 and y2 end a range.
"""

from __future__ import annotations

import re
from typing import Final

_MONTHS: Final = (
    "january januar janvier jan jänner", "february februar février feb", "march märz mars mar mär",
    "april avril apr", "may mai", "june juni juin jun", "july juli juillet jul",
    "august août aug", "september septembre sep sept", "october oktober octobre oct okt",
    "november novembre nov", "december dezember décembre dec dez",
)  # fmt: skip
MONTH_NUMBERS: Final = {
    word: number for number, words in enumerate(_MONTHS, start=1) for word in words.split()
}
_MONTH = r"(?:" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_YEAR = r"(?:1[5-9]|20|21)\d\d"
_SHORT_YEAR = r"(?:" + _YEAR + r"|'\d\d)"
_CLOCK = r"(?:[01]?\d|2[0-4])"
_AM = r"(?:a\.?m\b\.?|p\.?m\b\.?)"

PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<y>{_YEAR})-(?P<m>\d\d)-(?P<d>\d\d)"
        r"(?:[T ](?P<h>\d\d):(?P<i>\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?",
        rf"(?P<d>{_DAY})(?:st|nd|rd|th|\.)?\s*(?:-|–|to|and|until|through|bis)\s*(?P<d2>{_DAY})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<mn>{_MONTH})(?:,?\s+(?P<y>{_SHORT_YEAR}))?",
        rf"(?P<mn>{_MONTH})\s+(?P<d>{_DAY})(?:st|nd|rd|th)?\s*(?:-|–|to|and|until|through)\s*(?P<d2>{_DAY})(?:st|nd|rd|th)?(?![\d:.,]\d)(?:,?\s+(?P<y>{_YEAR}))?",
        rf"(?P<d>{_DAY})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<mn>{_MONTH})(?:,?\s+(?P<y>{_SHORT_YEAR}))?",
        rf"(?P<mn>{_MONTH})\s+(?:the\s+)?(?P<d>{_DAY})(?:st|nd|rd|th)?(?![\d%]|[.,:]\d)(?:,?\s+(?P<y>{_YEAR}))?",
        rf"(?P<mn>{_MONTH})(?:,)?\s*(?:of\s+|-)?(?P<y>{_SHORT_YEAR})",
        rf"(?P<y>{_YEAR})[-/](?P<m>0[1-9]|1[0-2])(?![\d/-])",
        rf"(?P<y>{_YEAR})\s*[-–/]\s*(?P<y2>{_YEAR}|\d\d)(?![\d-])",
        rf"(?P<d>{_DAY})\.(?P<m>0?[1-9]|1[0-2])\.(?P<y>{_YEAR}|\d\d)",
        rf"(?P<d>{_DAY})\.(?P<m>0?[1-9]|1[0-2])\.(?!\d)",
        rf"(?P<m>{_DAY})/(?P<d>{_DAY})/(?P<y>{_YEAR}|\d\d)",
        rf"(?P<m>0?[1-9]|1[0-2])/(?P<y>{_YEAR})",
        rf"(?P<y>{_YEAR})\s*[-/]?\s*Q(?P<q>[1-4])",
        rf"Q(?P<q>[1-4])(?:\s*(?:of\s+|/|-)?\s*(?P<y>{_SHORT_YEAR}|FY\d\d))?",
        r"(?P<qn>first|second|third|fourth|last|final|1st|2nd|3rd|4th) quarters?\b"
        rf"(?:(?: of)? (?P<y>{_YEAR}))?",
        rf"(?P<y>{_YEAR})\s*[-/]?\s*H(?P<half>[12])",
        rf"H(?P<half>[12])(?:\s*(?:of\s+)?(?P<y>{_YEAR}))?",
        rf"(?P<hn>first|second) half(?: (?:of )?(?P<y>{_YEAR}))?",
        r"(?:(?:calendar )?weeks|CW|KW)\s?(?P<w>\d\d?)\s*(?:-|–|to|and|through)\s*(?P<w2>\d\d?)",
        rf"(?:(?:calendar )?week|CW|KW)\s?(?P<w>\d\d?)(?:,? (?:of )?(?P<y>{_YEAR}))?",
        rf"(?P<y>{_YEAR})-?W(?P<w>\d\d)",
        rf"(?P<h>{_CLOCK})(?::(?P<i>\d\d))?(?:\s*{_AM})?\s*(?:-|–|to|and|until)\s*(?P<h2>{_CLOCK})(?::(?P<i2>\d\d))?\s?(?P<ap>{_AM})",
        rf"(?P<h>{_CLOCK}):(?P<i>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<ap>{_AM}))?",
        rf"(?P<h>{_CLOCK})\s?(?P<ap>{_AM})",
        rf"(?P<h>{_CLOCK})\s*(?:-|–|to|and|until)\s*(?P<h2>{_CLOCK})\s?(?:Uhr|o'clock)\b",
        rf"(?P<h>{_CLOCK})(?:\s?Uhr| o'clock|h(?P<i>[0-5]\d))",
        r"(?P<noon>noon|midday|midnight)",
        rf"(?:the\s+)?(?P<dec>{_YEAR[:-4]}\d0)s",
        r"(?:the |')(?P<dec>[3-9]0)s",
        r"(?<![\w'])(?P<y>'\d\d)(?![\w'])",
        rf"(?:FY\s?)?(?P<y>{_YEAR})",
        rf"(?P<mn>{_MONTH})",
    )
)  # fmt: skip
