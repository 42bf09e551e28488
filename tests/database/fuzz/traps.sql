-- Everything here leaves a trace when it is called: a lock in a transaction that may only read, a row
-- and a number in one that may write.
CREATE SEQUENCE trap_seq;
CREATE TABLE trap_log (what text);
CREATE FUNCTION spring(what text) RETURNS int LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_catalog.pg_advisory_lock_shared(4711);
    IF pg_catalog.current_setting('transaction_read_only') = 'off' THEN
        PERFORM pg_catalog.nextval('public.trap_seq');
        INSERT INTO public.trap_log VALUES (what);
    END IF;
    RETURN 1;
END $$;

-- Functions: of their own names, and overloads of built-in ones.
CREATE FUNCTION trap() RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('trap') $$;
CREATE FUNCTION trap_int(int) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('int') $$;
CREATE FUNCTION trap_text(text) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('text') $$;
CREATE FUNCTION trap_row(film) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('row') $$;
CREATE FUNCTION trap_any(anyelement) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN public.spring('any'); END $$;
CREATE FUNCTION trap_lies(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN public.spring('lies'); END $$;
CREATE FUNCTION trap_default(a int, b int DEFAULT 1) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('default') $$;
CREATE FUNCTION trap_many(VARIADIC a int[]) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('many') $$;
CREATE FUNCTION trap_set() RETURNS SETOF int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('set') $$;
CREATE FUNCTION trap_owner() RETURNS int LANGUAGE sql SECURITY DEFINER AS $$ SELECT public.spring('owner') $$;
CREATE FUNCTION "Trap Quoted"(int) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('quoted') $$;
CREATE PROCEDURE trap_procedure() LANGUAGE sql AS $$ SELECT public.spring('procedure') $$;
CREATE FUNCTION initcap(int) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT public.spring('initcap')::text $$;
CREATE FUNCTION ascii(film) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('ascii') $$;
CREATE FUNCTION isfinite(text, text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN public.spring('isfinite') = 1; END $$;
CREATE FUNCTION version(film) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT public.spring('version')::text $$;
CREATE FUNCTION title(category) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT public.spring('title')::text $$;
CREATE FUNCTION spring_step(int, int) RETURNS int LANGUAGE sql AS $$ SELECT public.spring('aggregate') $$;
CREATE AGGREGATE trap_sum(int) (SFUNC = spring_step, STYPE = int, INITCOND = '0');
CREATE AGGREGATE bit_and(text) (SFUNC = textcat, STYPE = text);
CREATE SCHEMA extra;
CREATE FUNCTION extra.trap_extra(int) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('extra') $$;
CREATE FUNCTION extra.lower(film) RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT public.spring('lower') $$;

-- Operators: a name of their own, a built-in one for other types, one by its prefix.
CREATE FUNCTION spring_two(text, text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN public.spring('operator') = 1; END $$;
CREATE FUNCTION spring_rating(mpaa_rating, int) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN public.spring('operator') = 1; END $$;
CREATE FUNCTION spring_one(text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN public.spring('operator') = 1; END $$;
CREATE OPERATOR @@! (LEFTARG = text, RIGHTARG = text, FUNCTION = spring_two);
CREATE OPERATOR @#@ (LEFTARG = mpaa_rating, RIGHTARG = int, FUNCTION = spring_rating);
CREATE OPERATOR |/ (RIGHTARG = text, FUNCTION = spring_one);
CREATE OPERATOR extra.<-> (LEFTARG = text, RIGHTARG = text, FUNCTION = spring_two);

-- Types: domains with a check that calls, and what is made from them; casts; a shadow of a built-in.
CREATE FUNCTION spring_check(anyelement) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN public.spring('check') = 1; END $$;
CREATE DOMAIN trap_domain AS int CHECK (spring_check(VALUE));
CREATE DOMAIN trap_over AS trap_domain;
CREATE DOMAIN trap_list AS trap_domain[];
CREATE DOMAIN calm_domain AS int CHECK (VALUE > 0);
CREATE TYPE trap_pair AS (a trap_domain, b text);
CREATE TYPE trap_range AS RANGE (SUBTYPE = int4, SUBTYPE_DIFF = int4range_subdiff);
CREATE TYPE calm_pair AS (a int, b text);
CREATE TYPE mood AS ENUM ('up', 'down');
CREATE TABLE trapped (id int, word trap_over, pair trap_pair);
CREATE TABLE calm (id int, pair calm_pair, mood mood, words citext);
INSERT INTO calm VALUES (1, ROW(1, 'b'), 'up', 'A');
CREATE FUNCTION spring_cast(mood) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN public.spring('cast'); END $$;
CREATE FUNCTION spring_cast(calm_pair) RETURNS text LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN public.spring('cast')::text; END $$;
CREATE CAST (mood AS int) WITH FUNCTION spring_cast(mood);
CREATE CAST (calm_pair AS text) WITH FUNCTION spring_cast(calm_pair) AS ASSIGNMENT;
CREATE FUNCTION spring_json(mood) RETURNS json LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN to_json(public.spring('json')); END $$;
CREATE CAST (mood AS json) WITH FUNCTION spring_json(mood);
CREATE DOMAIN extra.int8range AS int CHECK (public.spring_check(VALUE));

-- Relations that the writer may not read.
CREATE VIEW trap_view AS SELECT public.spring('view') AS a;
CREATE TABLE hidden AS SELECT 'secret' AS word;

-- A large object to work on.
SELECT lo_from_bytea(4242, 'large');
