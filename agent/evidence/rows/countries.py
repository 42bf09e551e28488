"""The codes of countries: "CA", "FR", "DEU"."""

from __future__ import annotations

from typing import Final

_CODES: Final = """
argentina:AR ARG|australia:AU AUS|austria:AT AUT|belgium:BE BEL|brazil:BR BRA|bulgaria:BG BGR|
canada:CA CAN|chile:CL CHL|china:CN CHN|colombia:CO COL|croatia:HR HRV|czech republic:CZ CZE|
czechia:CZ CZE|denmark:DK DNK|egypt:EG EGY|estonia:EE EST|finland:FI FIN|france:FR FRA|
germany:DE DEU GER|greece:GR GRC|hungary:HU HUN|iceland:IS ISL|india:IN IND|indonesia:ID IDN|
iran:IR IRN|ireland:IE IRL|israel:IL ISR|italy:IT ITA|japan:JP JPN|kenya:KE KEN|latvia:LV LVA|
lithuania:LT LTU|luxembourg:LU LUX|malaysia:MY MYS|mexico:MX MEX|morocco:MA MAR|
netherlands:NL NLD|new zealand:NZ NZL|nigeria:NG NGA|norway:NO NOR|peru:PE PER|
philippines:PH PHL|poland:PL POL|portugal:PT PRT|romania:RO ROU|russia:RU RUS|
russian federation:RU RUS|saudi arabia:SA KSA|serbia:RS SRB|singapore:SG SGP|slovakia:SK SVK|
slovenia:SI SVN|south africa:ZA ZAF|south korea:KR KOR|spain:ES ESP|sweden:SE SWE|
switzerland:CH CHE|taiwan:TW TWN|thailand:TH THA|turkey:TR TUR|ukraine:UA UKR|
united kingdom:GB GBR|uk:GB GBR|united states:US USA|usa:US|venezuela:VE VEN|vietnam:VN VNM
"""
COUNTRY_CODES: Final = {
    name.strip(): tuple(codes.lower().split())
    for name, _, codes in (one.partition(":") for one in _CODES.replace("\n", "").split("|"))
}
"""By the country's name in lower case."""
