-- Two honest queries {a} and {b} in one.
SELECT * FROM ({a}\n) a, ({b}\n) b LIMIT 3
WITH a AS ({a}\n) {b}
SELECT EXISTS ({a}\n), ({b}\n) IS NULL
({a}\n) UNION ALL ({b}\n)
SELECT ({a}\n)
SELECT * FROM ({a}\n) a LEFT JOIN LATERAL ({b}\n) b ON true LIMIT 3
WITH RECURSIVE r AS ({a}\n) SELECT count(*) FROM r
SELECT ARRAY({a}\n)
SELECT row_to_json(a) FROM ({a}\n) a LIMIT 2
WITH film AS ({a}\n) {b}
