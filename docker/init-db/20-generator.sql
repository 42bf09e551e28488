-- What the rows are made with: a hash instead of random(), so that every server, on every run,
-- makes the same rows. The schema `seed` is dropped at the end (90).

CREATE SCHEMA seed;

-- A number from 0 to sides - 1 that depends on nothing but (purpose, n), evenly spread.
-- Each purpose is a stream of its own, so that one more draw for one thing moves no other thing.
CREATE FUNCTION seed.draw(purpose text, n bigint, sides integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    x bigint := 5381;
BEGIN
    FOR i IN 1 .. length(purpose) LOOP
        x := (x * 33 + ascii(substr(purpose, i, 1))) & 2147483647;
    END LOOP;
    x := (x + n * 1640531527) & 2147483647;
    FOR i IN 1 .. 3 LOOP
        x := (((x >> 15) # x) * 738410117) & 2147483647;
        x := (x + 374761393) & 2147483647;
    END LOOP;
    x := (x >> 13) # x;
    RETURN (x * sides) >> 31;
END $$;

-- One of `choices`.
CREATE FUNCTION seed.pick(purpose text, n bigint, choices anyarray) RETURNS anyelement
LANGUAGE sql IMMUTABLE AS $$
    SELECT choices[1 + seed.draw(purpose, n, cardinality(choices))]
$$;

-- A word list written as one comma-separated line.
CREATE FUNCTION seed.words(line text) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$ SELECT string_to_array(line, ',') $$;

-- The moment at which every last_update lies: the evening the data was taken.
CREATE FUNCTION seed.taken() RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$ SELECT timestamptz '2026-01-01 00:00:00+00' $$;
