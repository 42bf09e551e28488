"""What is left of a whole, sums of what is shown, buckets beyond a bound, keys, and none at all."""

from __future__ import annotations

from decimal import Decimal

import pytest

from agent.evidence import Sources, check_evidence
from agent.messages import Cell, Column, QueryResult


def _result(sql: str, columns: str, *rows: tuple[Cell, ...]) -> QueryResult:
    pairs = [pair.split() for pair in columns.split(",")]
    return QueryResult(sql, tuple(Column(name, kind) for name, kind in pairs), rows)


RESULTS = {
    "members": _result(
        "SELECT count(*) AS members, count(*) FILTER (WHERE is_active) AS active, "
        "count(email) AS with_email FROM members",
        "members bigint, active bigint, with_email bigint",
        (840, 791, 798),
    ),
    "tickets": _result(
        "SELECT count(*) AS closed, count(*) FILTER (WHERE late) AS overdue FROM tickets",
        "closed bigint, overdue bigint",
        (5210, 642),
    ),
    "regions": _result(
        "SELECT region, sum(amount) AS revenue FROM orders GROUP BY 1 ORDER BY 2 DESC",
        "region text, revenue numeric",
        ("North", Decimal("48210.55")),
        ("West", Decimal("39877.10")),
        ("South", Decimal("22145.90")),
        ("East", Decimal("18002.35")),
    ),
    "buckets": _result(
        "SELECT bucket, count(*) AS customers FROM b GROUP BY 1 ORDER BY min(n)",
        "bucket text, customers bigint",
        ("0", 12),
        ("1-4", 88),
        ("5-9", 143),
        ("10-19", 201),
        ("20+", 56),
    ),
    "days": _result(
        "SELECT day, count(*) AS visits FROM v WHERE day >= '2025-11-03' AND day < '2025-11-13' "
        "GROUP BY 1 ORDER BY 1",
        "day date, visits bigint",
        *(
            (f"2025-11-{day:02}", visits)
            for day, visits in enumerate((41, 38, 52, 47, 66, 71, 29, 44, 39, 55), start=3)
        ),
    ),
    "languages": _result(
        "SELECT language, count(f.id) AS films FROM l LEFT JOIN f USING (lid) GROUP BY 1",
        "language text, films bigint",
        ("English", 210),
        ("Polish", 75),
        ("Czech", 31),
        ("Greek", 0),
        ("Danish", 0),
    ),
    "invoices": _result(
        "SELECT invoice_id, customer, total FROM inv ORDER BY total DESC LIMIT 3",
        "invoice_id integer, customer text, total numeric",
        (96, "Hugo Reed", Decimal("21.86")),
        (194, "Ella Moss", Decimal("18.40")),
        (201, "Finn Gray", Decimal("18.40")),
    ),
    "rentals": _result(
        "SELECT rental_id, customer_id FROM rental LIMIT 1000",
        "rental_id integer, customer_id integer",
        *((number, 1 + number * 7 % 600) for number in range(1, 1001)),
    ),
    "halves": _result(
        "SELECT count(*) AS rentals FROM r WHERE d < '2025-07-01'", "rentals bigint", (3120,)
    ),
    "none": _result(
        "SELECT count(*) AS invoices FROM i WHERE country = 'Japan'", "invoices bigint", (0,)
    ),
    "empty": _result("SELECT name FROM c WHERE country = 'Iceland'", "name text"),
    "guests": _result(
        "SELECT count(*) AS invited, count(*) FILTER (WHERE paid) AS paid FROM guests",
        "invited bigint, paid bigint",
        (1450, 1090),
    ),
    "staff": _result(
        "SELECT employee_id, name, dept FROM e ORDER BY name",
        "employee_id integer, name text, dept text",
        (14, "Ada Bell", "Sales"),
        (3, "Cem Demir", "IT"),
        (41, "Emil Fox", "IT"),
        (8, "Fay Gold", "IT"),
    ),
    "weekdays": _result(
        "SELECT extract(dow FROM d) AS dow, count(*) AS rentals FROM r GROUP BY 1 ORDER BY 1",
        "dow integer, rentals bigint",
        (0, 2748),
        (1, 1712),
    ),
}
LATER = _result(
    "SELECT count(*) AS rentals FROM r WHERE d >= '2025-07-01'", "rentals bigint", (3871,)
)


def _holds(name: str, draft: str) -> bool:
    results = (RESULTS[name], LATER) if name == "halves" else (RESULTS[name],)
    return check_evidence(draft, Sources("How many are there?", results)).holds


@pytest.mark.parametrize(
    ("name", "honest", "lie"),
    [
        ("members", "Of our 840 members, 791 are active. The other 49 have left.",
         "Of our 840 members, 791 are active. The other 59 have left."),
        ("members", "791 members are active, out of 840 registered.",
         "840 members are active, out of 791 registered."),
        ("members", "42 of the 840 members have no e-mail address.",
         "798 of the 840 members have no e-mail address."),
        ("tickets", "4,568 of the 5,210 closed tickets were not overdue.",
         "4,568 of the 5,210 closed tickets were overdue."),
        ("tickets", "5,210 tickets were closed, of which 642 overdue.",
         "642 tickets were closed, of which 5,210 overdue."),
        ("regions", "North leads with $48,210.55 versus $39,877.10 for West, i.e. $8,333.45 more.",
         "North leads with $48,210.55 versus $39,877.10 for West, i.e. $8,333.45 less."),
        ("regions", "North and West bring in $88,087.65. If you include South, it's $110,233.55.",
         "North and West bring in $88,087.65. If you include South, it's $106,090.00."),
        ("buckets", "243 customers bought fewer than 10 times, including 12 who never bought.",
         "143 customers bought fewer than 10 times, including 12 who never bought."),
        ("days", "On 6, 7, 8 and 9 November there were 213 visits in all.",
         "On 6, 7, 8 and 9 November there were 231 visits in all."),
        ("languages", "Our films come in three languages: English (210), Polish (75), Czech (31).",
         "Our films come in four languages: English (210), Polish (75), Czech (31)."),
        ("invoices", "The biggest: no. 96 ($21.86), no. 194 and 201 ($18.40 each).",
         "The biggest: no. 96 ($21.86), no. 194 and 211 ($18.40 each)."),
        ("rentals", "At least 1,000 rentals: rental 1, rental 2, rental 3 and more.",
         "At least 1,000 rentals: rental 1, rental 2, rental 3003 and more."),
        ("halves", "3,120 in the first half and 3,871 in the second. That makes 6,991.",
         "3,120 in the first half and 3,871 in the second. That makes 7,991."),
        ("none", "Japan has no invoices.", "Japan has several invoices, mostly small ones."),
        ("empty", "Zero customers in Iceland.", "Three customers in Iceland."),
        ("weekdays", "Sunday had 2,748 rentals.", "Sunday had 2,848 rentals."),
        ("guests", "1,090 guests did pay, 360 did not.", "1,090 guests did not pay."),
        ("staff", "Four employees: three in IT (Cem Demir, Emil Fox, Fay Gold), one in Sales.",
         "Five employees: four in IT (Cem Demir, Emil Fox, Fay Gold), one in Sales."),
        ("staff", "IDs: 14, 3, 41 and 8.", "IDs: 14, 3, 41 and 9."),
        ("days", "In the first three days (3, 4 and 5 November) we had 131 visits.",
         "In the first three days (3, 4 and 5 November) we had 151 visits."),
    ],
)  # fmt: skip
def test_the_rows_tell_what_is_left_and_what_adds_up(name: str, honest: str, lie: str) -> None:
    assert _holds(name, honest)
    assert not _holds(name, lie)
