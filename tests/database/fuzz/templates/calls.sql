-- Where a call {f} can stand that is more than an expression.
SELECT * FROM {f}
SELECT * FROM {f} AS x LIMIT 3
SELECT x FROM {f} x LIMIT 3
SELECT * FROM film f, LATERAL {f} AS x LIMIT 3
SELECT * FROM language CROSS JOIN {f} AS x LIMIT 3
SELECT * FROM {f} WITH ORDINALITY AS x LIMIT 3
SELECT * FROM ROWS FROM ({f}, generate_series(1, 2)) LIMIT 3
SELECT * FROM ROWS FROM (generate_series(1, 2), {f}) WITH ORDINALITY LIMIT 3
SELECT * FROM {f} AS x(a int, b text) LIMIT 3
SELECT ({f}).*
SELECT {f} OVER ()
SELECT {f} FILTER (WHERE true)
SELECT {f} WITHIN GROUP (ORDER BY 1)
SELECT (SELECT {f} FROM {f} x LIMIT 1)
