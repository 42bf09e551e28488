"""The function words of a question: what asks, counts, compares, groups, orders and negates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agent.models.offline.reading import Token, listed


@dataclass(frozen=True)
class Mark:
    """What a function word does. `value` narrows the kind: which aggregate, which operator."""

    kind: str
    value: str = ""


_TABLE: Final = """
count               | how many; number of; numbers of; the number of; total number of; count of;
                      counts of; count; total count of; quantity of; how many times; how often; #
                      of; #
much                | how much
agg sum             | total; sum of; sum; sum up; add up; combined; totals; the sum of; total up;
                      all together; altogether; overall; cumulative; in total; aggregate
agg avg             | average; averages; mean; avg; avg.; on average; average of; typical; averaged
agg median          | median
agg min             | minimum; min; minimal
agg max             | maximum; max; maximal
top desc            | most; highest; largest; biggest; greatest; top; best; leading; hottest;
                      topmost; strongest
top asc             | least; fewest; lowest; smallest; bottom; worst; weakest; slowest; tiniest
rank desc length    | longest; lengthiest
rank asc length     | shortest; briefest
rank desc price     | most expensive; priciest; costliest; dearest; most costly
rank asc price      | cheapest; least expensive; least costly; most affordable; most inexpensive
rank desc date      | latest; newest; most recent; last; most recently; recent; youngest
rank asc date       | earliest; oldest; first; longest standing
rank desc height    | tallest
rank asc height     | smallest height
rank desc weight    | heaviest
rank asc weight     | lightest
rank desc sold      | best selling; best-selling; top selling; top-selling; bestselling; most sold;
                      best seller; best sellers; bestsellers; bestseller; selling the most
rank asc sold       | worst selling; least sold; worst-selling
rank desc popular   | most popular; popularity; most in demand; most successful
rank asc popular    | least popular; unpopular
rank desc population| most populous; most populated
rank asc population | least populous; least populated
rank desc area      | most spacious
than > length       | longer than; lasting more than; lasting over; that last more than
than < length       | shorter than; lasting less than; lasting under
than > price        | more expensive than; costlier than; pricier than; dearer than
than < price        | cheaper than; less expensive than
than > date         | newer than; later than; younger than
than < date         | older than; earlier than
than > height       | taller than
than > weight       | heavier than
than < weight       | lighter than
cmp >=              | at least; no less than; not less than; minimum of; a minimum of; no fewer
                      than; not fewer than; >=; or above; greater than or equal to; min of; at
                      minimum; upwards of
cmp <=              | at most; no more than; not more than; maximum of; a maximum of; up to; <=;
                      less than or equal to; max of; not exceeding; at maximum
cmp >               | more than; over; above; greater than; larger than; bigger than; higher than;
                      exceeding; exceeds; exceed; in excess of; >; beyond; greater; better than;
                      exceeded
cmp <               | less than; fewer than; under; below; smaller than; lower than; <; worse than;
                      fewer
cmp =               | exactly; equal to; equals; equal; =; precisely; just exactly
cmp !=              | !=; <>; not equal to
ormore              | or more; or longer; or higher; or over; or better; or greater; and more; and
                      over; and above; and up; upwards
orless              | or less; or fewer; or shorter; or lower; or under; or below; and less; and
                      below; and under
between             | between; ranging from; in the range
by                  | by; per; for each; for every; for each of; in each; in every; of each; of
                      every; at each; at every; within each; within every; from each; from every; on
                      each; each; every; broken down by; split by; grouped by; group by; across; by
                      each; breakdown by; broken out by; segmented by; according to; split up by;
                      divided by; with each; to each; each of; separately for; under each; depending
                      on; as a function of; per each
contains            | contains; contain; containing; containing the word; contains the word; with
                      the word; containing; containing the text; including the word; have the word;
                      has the word; contain the word; contains the text; that contain the word
starts              | starting with; starting with the letter; starts with the letter; start with
                      the letter; starts with; start with; beginning with; begins with; begin with;
                      begins with the letter; beginning with the letter; begin with the letter;
                      whose name starts with; starting with a; starting in
ends                | ending with; ends with; end with; ending in; ends in; end in; ending on
order               | sorted by; ordered by; order by; sort by; sort on; ranked by; rank by; order
                      them by; sort them by; sort it by; sorted on; in order of; sort this by; sort
                      that by; order it by; rank them by; arranged by; order them; sort them
dir asc             | ascending; in ascending order; ascending order; from lowest to highest; from
                      smallest to largest; lowest first; smallest first; asc; increasing; oldest
                      first; earliest first; from low to high; from shortest to longest; shortest
                      first; cheapest first; in increasing order; from fewest to most;
                      chronologically; in chronological order
dir desc            | descending; in descending order; descending order; from highest to lowest;
                      from largest to smallest; highest first; largest first; desc; decreasing;
                      newest first; latest first; biggest first; from high to low; most first; from
                      longest to shortest; longest first; in decreasing order; from most to fewest;
                      from most to least; the other way round; reversed; in reverse order; in
                      reverse
alpha               | alphabetically; sorted alphabetically; ordered alphabetically; in alphabetical
                      order; alphabetical order; alphabetical; from a to z; a to z
share               | share of; percentage of; percent of; percentages of; what percent; what
                      percentage; proportion of; fraction of; % of; share; percentage; percent;
                      proportion; %; as a percentage; percentages; shares; shares of; what fraction;
                      part of the total; ratio of total; pct of; portion of; what portion of
neg                 | not; never; no; without; except; excluding; except for; other than; nor; none
                      of; lack; lacking; lacks; neither; apart from; minus; isn't; aren't; wasn't;
                      weren't; don't; doesn't; didn't; haven't; hasn't; hadn't; cannot; can't; do
                      not; does not; did not; have not; has not; are not; is not; were not; was not;
                      have never; has never; have no; has no; had no; with no; having no; zero;
                      leave out; but not; outside; outside of; exclude; leaving out; yet to be;
                      still to be; any other than; unlike; missing; lacking any; have yet to; but no
distinct            | distinct; different; unique; various; individual
chart bar           | bar chart; bar graph; bar plot; column chart; bars; horizontal bar chart; as
                      bars; barchart; histogram; as a bar chart; as bar chart; in a bar chart; bar
                      diagram; column graph; vertical bar chart; as a bar graph; as bar graph
chart line          | line chart; line graph; line plot; as a line; lines; linechart; as a line
                      chart; as line chart; in a line chart; line diagram; curve; as a line graph
chart area          | area chart; area graph; as an area chart; stacked area chart
chart arc           | pie chart; donut chart; doughnut chart; pie; donut; piechart; as a pie chart;
                      as a pie; in a pie chart; pie graph; as a donut chart
chart point         | scatter plot; scatter chart; scatterplot; scatter; dot plot; as a scatter
                      plot; point chart
chart rect          | heat map; heatmap; as a heatmap
nochart             | no chart; without a chart; without the chart; without chart; not the chart;
                      as a table; in a table; as table;
                      just the table; table only; no graph; not a chart
attr length         | how long; how lengthy
attr price          | how expensive; how costly; how pricey
attr height         | how tall; how high
attr weight         | how heavy
attr size           | how big; how large
long length         | long; in length; of length; in duration
long height         | tall; high; in height
long weight         | heavy; in weight
common desc         | busiest; most active; most common; most frequent; commonest; most often; most
                      frequently; most used; most usual; most commonly; most prevalent
common asc          | quietest; least active; least busy; least common; rarest; least frequent;
                      least often; least used; least frequently
chart               | chart; graph; plot; diagram; visualize; visualise; visualisation;
                      visualization; draw; plotted; draw me; as a chart; as a graph; chart it; plot
                      it
both                | both
or                  | or; either
and                 | and; &; as well as; along with; plus; together with; and also; also; and
                      their; with their; including their; including the; and its; and the
time                | over time; across time; trend; trends; development; evolution; timeline; time
                      series; evolve; evolved; through time; change over time; changed over time;
                      month over month; vary over time
compare             | compared to; compared with; versus; vs; vs.; compare; comparison; comparing;
                      against; compared
growth              | growth; increase; decrease; decline; growth rate; grew; grow; rise; drop in;
                      change in; grown; difference between; difference; differ
grain day           | daily; day; days; date; dates; day by day; calendar day; per-day
grain week          | weekly; week; weeks; week by week; calendar week
grain month         | monthly; month; months; month by month; calendar month
grain quarter       | quarterly; quarter; quarters
grain year          | yearly; annually; annual; year; years; calendar year; year by year
grain weekday       | weekday; weekdays; day of the week; day of week; days of the week; week day;
                      day-of-week; weekday name
grain hour          | hour; hourly; hour of the day; hour of day; hours of the day; time of day
grain monthofyear   | month of the year; month of year; months of the year
exists              | is there; are there any; is there any; are there; do we have any; do we have;
                      have we got; do you have; does any; do any
each                | respective; respectively; corresponding
whether             | empty; blank; null; unknown; missing values
which               | which; what; who; whose; whom; when
that                | that; those; these; this; it; them; they
all                 | all; every one of
"""

STOP: Final = frozenset(
    listed("""
    a an the of is are was were be been being am do does did have has had having please show me
    give tell list us i we our my you your can could would should will shall may might want like
    know see find get display return output report present print what's whats who's where there
    here to for in at on from with into onto out about as so then than such its their his her he
    she just only now also too even still already ever currently yet all any some many much more
    let lets let's hi hello hey thanks thank ok okay kindly database db data table tables records
    record rows row entries entry system our we've i'd how when while if anything something
    someone anyone anybody somebody everything everyone everybody nothing nobody up off made make
    makes making did done do doing got gets getting come comes coming came go goes went using use
    used based name named called provide produce identify need question answer info information
    details detail result results together themselves each's who which what that exist exists
    existing within during through across via been belong belongs belonging whose registered
    recorded stored available contain contains contained containing include includes including
    included appear appears appeared appearing show shows shown look looking regarding concerning
    related respect figure figures value values us fetch retrieve pull compute calculate determine
    generate quick quickly brief briefly tell again instead same one ones were simply exactly
    individually separately another else there's here's wanna gimme lemme plz pls want wants
    wanted i'm it's processed handled served placed issued generated owned works work working
    stocked offered held assigned associated connected linked attached received obtained collected
    performed visited serve serves handle handles handling process processes currently present
    amongst among inside whole entire complete full fully actual actually respectively please
    altogether counted broken comprise comprises comprising consist consists catalogue catalog
    collection dataset breakdown overview summary distribution split statistics stats total-of
    most-of set say bring brings brought take takes took given gives gave giving hold holds held
    live lives living lived located based placed situated sit sits do take place happen happens
    happened happening occur occurred occurs made
    """)
)


@lru_cache(maxsize=1)
def _phrases() -> dict[str, list[tuple[tuple[str, ...], Mark]]]:
    by_first: dict[str, list[tuple[tuple[str, ...], Mark]]] = {}
    for line in re.sub(r"\n {2,}", " ", _TABLE.strip()).splitlines():
        head, _, listed = line.partition("|")
        kind, _, value = head.strip().partition(" ")
        for phrase in listed.split(";"):
            words = tuple(phrase.split())
            by_first.setdefault(words[0], []).append((words, Mark(kind, value.strip())))
    for options in by_first.values():
        options.sort(key=lambda option: -len(option[0]))
    return by_first


def match_mark(tokens: Sequence[Token], at: int) -> tuple[Mark, int] | None:
    """Return the function word that begins at token `at`, and how many tokens it takes."""
    if tokens[at].quoted:
        return None
    for words, mark in _phrases().get(tokens[at].low, ()):
        if tuple(token.low for token in tokens[at : at + len(words)]) == words:
            return mark, len(words)
    return None


def known_words() -> frozenset[str]:
    """Return every single function word, so that a typo in one can be told from a name."""
    return frozenset(
        words[0] for group in _phrases().values() for words, _ in group if len(words) == 1
    )
