-- A statement {s} and an honest query {h} in one text.
{s}
{h}; {s}
{s}; {h}
{h};{s};{h}
WITH x AS ({s}) {h}
WITH x AS ({s}) SELECT * FROM x
SELECT * FROM ({s}) q
SELECT ({s})
{h} UNION ALL {s}
({s})
{h} -- x\n; {s}
{h} /* ; */ {s}
WITH a AS ({h}), b AS ({s}) SELECT 1
SELECT ARRAY({s})
{h} INTO fuzz_into
{h} FOR UPDATE
SELECT * FROM ({h} FOR SHARE) q
{h} FOR UPDATE OF film
WITH RECURSIVE x AS (SELECT 1 UNION ALL {s}) {h}
EXPLAIN ANALYZE {s}
PREPARE p AS {h}
DECLARE c CURSOR FOR {h}
COPY ({h}) TO STDOUT
CREATE TABLE fuzz_t AS {h}
{s} \\; {h}
SELECT 1 WHERE EXISTS ({s})
{h}\0; {s}
'{h}'; {s}
$${h}$$; {s}
