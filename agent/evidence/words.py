"""Words that say how figures are meant: more and less, highest and lowest, totals and averages."""

from __future__ import annotations

import re
from typing import Final

UP: Final = re.compile(
    r"\b(?:(?<!make )(?<!makes )(?<!made )(?<!making )(?<!gave )(?<!giving )(?<!give )"
    r"(?<!eat )(?<!eats )(?<!ate )(?<!take )(?<!takes )(?<!took )(?<!uses )(?<!used )up|"
    r"r[io]ses?|risen|rising|grew|"
    r"grow(?:s|th|n|ing)?|increas\w*|gain\w*|climb\w*|jump\w*|more|higher|above|ahead|larger|"
    r"bigger|greater|longer|over|surge\w*|improv\w*|added|adding|extra|expan\w*|boost\w*|lead\w*|"
    r"exceed\w*|outsold|outperform\w*|better|beat\w*|soar\w*|plus|additional|pricier|dearer|"
    r"costlier|on top|outearn\w*|heavier|stronger|put on)\b|\+",
    re.IGNORECASE,
)
DOWN: Final = re.compile(
    r"\b(?:down|f[ae]ll\w*|drop\w*|declin\w*|decreas\w*|less|fewer|lower|below|behind|"
    r"shr[aiu]nk\w*|lost|loss\w*|slip\w*|dip\w*|smaller|shorter|under|trail\w*|reduc\w*|worse|"
    r"minus|cheaper|shy|short|slump\w*|sank|slid|plung\w*|contract\w*|lag\w*|los(?:e|es|ing)|"
    r"shed\w*|g[ai]v(?:e|es|ing|en) (?:up|back)|weaker|lighter|cool\w*|"
    r"eas(?:ed|es|ing))\b",
    re.IGNORECASE,
)
ROSE: Final = re.compile(
    r"\b(?:r[io]ses?|risen|grew|grow\w*|increas\w*|gain\w*|climb\w*|jump\w*|higher|more|above|"
    r"(?<!gave )(?<!giving )(?<!give )up|added|adding|improv\w*|positive|expand\w*|better|put on|"
    r"picked up|won)\b",
    re.IGNORECASE,
)
FELL: Final = re.compile(
    r"\b(?:f[ae]ll(?:s|en|ing)?|down|drop(?:s|ped|ping)?|declin(?:e|es|ed|ing)|"
    r"decreas(?:e|es|ed|ing)|lost|los(?:e|es|ing)|loss(?:es)?|shr[aiu]nk|shed(?:s|ding)?|"
    r"g[ai]v(?:e|es|ing|en) (?:up|back)|eased|lag(?:s|ged)?|sliding|slumped|plunged|less|fewer|"
    r"lower|"
    r"negative|minus|"
    r"below|behind|shortfall|slip(?:s|ped)?|dip(?:s|ped)?|shrinking|reduction|reduced|sank|slid|"
    r"worse|deficit|contract(?:ed|ion)|cut)\b",
    re.IGNORECASE,
)
IN_THE_RED: Final = re.compile(
    r"\b(?:in the red|deficits?|shortfalls?|loss(?:es)?|negative)\b", re.IGNORECASE
)
GAP: Final = re.compile(
    r"\b(?:difference|diff|gap|margin|spread|change|swing|apart|delta|var(?:y|ies|ied)|compar\w*|"
    r"versus|vs|range|distance|slower|faster|older|younger|separat\w*|"
    r"between (?:them|the two|both)|year[- ]over[- ]year|yoy|"
    r"month[- ]over[- ]month|mom)\b",
    re.IGNORECASE,
)
HIGHEST: Final = re.compile(
    r"\b(?:highest|most|top|best|largest|biggest|peak(?:ed|s)?|leader|leading|maximum|longest|"
    r"strongest|busiest|number one|first place|record|greatest)\b",
    re.IGNORECASE,
)
LOWEST: Final = re.compile(
    r"\b(?:lowest|least|fewest|smallest|weakest|worst|minimum|shortest|slowest|quietest|bottom|"
    r"low point|trough|last place)\b",
    re.IGNORECASE,
)
NEXT: Final = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next|runner-up|followed|2nd|"
    r"3rd|4th|then|other|another)\b",
    re.IGNORECASE,
)
TOTAL: Final = re.compile(
    r"\b(?:together(?! with)|"
    r"total(?:s|led|ed|ling|ing)?|overall|in all|altogether|combined|sum|company-?wide|"
    r"across all|grand total|insgesamt|gesamt)\b",
    re.IGNORECASE,
)
AVERAGE: Final = re.compile(
    r"\b(?:average|averag(?:es|ed|ing)|avg|mean|typical|typically|median)\b", re.IGNORECASE
)
TOGETHER: Final = re.compile(
    r"\b(?:together|sum|sums|summed|jointly|both|collectively|between them|adds?|adding|"
    r"cumulative\w*|across|all|whole|entire|company|chain|amount\w*|for the year|year to date|"
    r"quarter|half|first|last|top|leaders|rest|others?|remaining)\b|=",
    re.IGNORECASE,
)
REST: Final = re.compile(
    r"\b(?:other|others|rest|remaining|remainder|everything else|elsewhere|non|not|never|balance|"
    r"left)\b",
    re.IGNORECASE,
)
FIRST: Final = re.compile(
    r"\b(?:top|first|leading|biggest|largest|best|strongest|last|bottom|smallest|weakest|lowest)\b",
    re.IGNORECASE,
)
THESE: Final = re.compile(
    r"\b(?:these|together|combined|shown|listed|leaders|those)\b", re.IGNORECASE
)
