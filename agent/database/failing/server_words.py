"""The words of which PostgreSQL's own messages are made, as far as a query can bring them about.

A word of a message that is neither here nor in the query comes from the data, or from a function
that somebody wrote: it is not passed on.
"""

from __future__ import annotations

from typing import Final

_TEXT: Final = """
a above absolute accept accepts access accumulate active actual add added additional administrator
after aggregate aggregates aggregation alias aliases all allow allowed already also always
ambiguous among an and another any anyarray anycompatible anycompatiblearray
anycompatiblemultirange anycompatiblenonarray anycompatiblerange anyelement anyenum anymultirange
anynonarray anyrange appear appears applicable applied apply are aren't argument arguments array
arrays as asc assignment at attempt attribute available avg balanced base base64 based be because
been before being below between beyond bigint binary bit bits body bool boolean both bound bounds
box bpchar brackets broke btrim buffer build but by byte bytea bytes call called calling calls can
can't cancel canceling cancelled cancelling cannot canonical cardinality case cast casts change
changed char character characters check child cidr circle class clause clauses clock close closed
closest coalesce code coerced coercible collatable collate collation collations column columns
comma command common compare comparison compatible composite compute concatenate concurrent
conditions configuration conflict conflicting conflicts connection connections constant constants
constraint contain contained containing contains context conversion convert converted correlation
could count create cross cstring cte cube current cursor cycle data database datatype date
date_part dates datetime day days deadlock decimal declared decode decoding default defined
definition definitions delimiter denied dependency depth derived destination determine
deterministic dictionary did differ different digit digits dimension dimensional dimensions direct
disallowed discard disk displacement dissimilar distinct division do document does doesn't domain
domains don't dotted double down dropped due duplicate duration during each either element elements
empty encode encoding end ended ends enough entirely entries entry enum epoch equal equality
equivalent error escape escaped even exact exactly exceed exceeded exceeds except exclude excluded
execute executed exist exists expected expects explicit expression expressions extract factorial
fail failed fails false feature few fewer field fields filter find finite first fit fixed flag
flags float float4 float8 follow followed following for form format formats found frame from full
function functions general generate generated get get_bit get_byte given got greater group grouping
groups handle has hash have having hexadecimal higher hint histogram hour hypothetical identical
identifier identify identity idle idle_in_transaction ignored ilike implement implemented implicit
improper in inclusive inconsistent incorrect index indexes inet infinite infinity inheritance
initial inner input inside instead insufficient int int2 int4 int4multirange int4range int8
int8multirange int8range integer intermediate internal interpretation interpretations intersect
interval intervals into invalid ip is isn't isolation it item items its join joined joins json
json_array json_object json_query json_table json_value jsonb jsonpath key keyless keys keyword
kind known label large last lateral lc least left length less level levels lexeme lexemes like
like_escape limit line list lists literal local locale lock logarithm logical long longer lower
lseg macaddr macaddr8 malformed many map mask match matched matches matching materialized maximum
may meant member memory merge message method methods microsecond might milliseconds minimum minute
mismatch misplaced missing mistake mode modifier modifiers money month more most multidimensional
multiple multirange multiranges must name named names nan natural nchar near need negative nested
netmask new newline next no node non nondeterministic nonnegative nonstandard normal normalization
normalize not notation nothing nth_value ntile null nullif nulls number numbers numeric
nummultirange numrange object objects obtain octal of off offset oid old oldest on once one only
open operand operating operation operations operator operators option or order ordered ordering
ordinality other out outer output outside over overflow overflows overlaps overlay own pair
parallel parameter parameters parent parentheses parenthesis parse parser parsing part partition
path pattern percentile perhaps permission permit permitted pg_catalog place placeholder please
point points polygon polymorphic position positions positive possible power preceding precision
previous privilege procedure program property pseudo qualified quantifier queries query quote
quoted range ranges reached read real recognized record recovery recursion recursive reduced
redundant refer reference referenced references referencing reg regclass regexp regular relation
relations remaining repeat repeatable representation represented request requested require required
requires reserved resolve resource resources restart result results return returned returning
returns reversed right role rollup root row rows run same sample sampled sampling savepoint scalar
scalars scale schema scope search second seconds seed select self semicolon sequence serializable
serialize server session set setof sets setting several share shared short should shutting side
sign similar simple single singleton size sizes skip skipping slice slot small smallint snapshot
some sort source space specific specification specified specifier specify specifying sql sqlstate
square stack standard start starting startup state statement statements step storage strict string
strings strip structure subfield subquery subscript subscripted subscripts subset substring
subtract subtype sum superuser support supported surrogate switch symbol syntax system table tables
tablesample take taken target task temporary term terminating terminator text than that the their
there these they this those tid time timeout timestamp timestamps timestamptz timetz timezone to
toast together too top total trailing transaction transition translate treated trim trimmed true
truncated try tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector twice two type typed
types typmod unary unbounded undefined under underflow unequal unescaped unexpected ungrouped
unicode union unique unit unknown unmatched unnamed unqualified unrecognized unsafe unsupported
unterminated up upper use used user using utf utf8 uuid valid value values varbit varchar variable
variables variadic varying vector version view views violates void volatile was weight when where
whether which while whole width will window with within without word words would write wrong xid
xml xmlelement xmlparse xmltable year years yet yields you your zero zone
"""

WORDS: Final = frozenset(_TEXT.split())
