-- A rental business of a few rows, with much that a login should not be able to use.

CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17');
CREATE TABLE language (language_id serial PRIMARY KEY, name text);
CREATE TABLE category (category_id serial PRIMARY KEY, name text);
CREATE TABLE country (country_id serial PRIMARY KEY, country text);
CREATE TABLE city (city_id serial PRIMARY KEY, city text, country_id int);
CREATE TABLE address (address_id serial PRIMARY KEY, address text, city_id int);
CREATE TABLE store (store_id serial PRIMARY KEY, manager_staff_id int, address_id int);
CREATE TABLE staff (staff_id serial PRIMARY KEY, first_name text, store_id int, password text);
CREATE TABLE actor (actor_id serial PRIMARY KEY, first_name text, last_name text);
CREATE TABLE film (film_id serial PRIMARY KEY, title text, description text, length int,
                   rating mpaa_rating, rental_rate numeric, release_year int);
CREATE TABLE film_actor (actor_id int, film_id int);
CREATE TABLE film_category (film_id int, category_id int);
CREATE TABLE inventory (inventory_id serial PRIMARY KEY, film_id int, store_id int);
CREATE TABLE customer (customer_id serial PRIMARY KEY, store_id int, first_name text, email text);
CREATE TABLE rental (rental_id serial PRIMARY KEY, rental_date timestamptz, inventory_id int,
                     customer_id int, return_date timestamptz, staff_id int);
CREATE TABLE payment (payment_id serial PRIMARY KEY, customer_id int, staff_id int, rental_id int,
                      amount numeric, payment_date timestamptz);
CREATE TABLE customer_audit_log (entry text);
CREATE VIEW film_list AS SELECT film_id AS fid, title FROM film;
CREATE VIEW staff_list AS SELECT staff_id AS id, first_name FROM staff;
CREATE MATERIALIZED VIEW rental_by_category AS SELECT name, 0 AS total FROM category;
CREATE SEQUENCE s;

INSERT INTO film (title, length, rating, rental_rate)
SELECT 'Film ' || n, 60 + n, 'R', 2.99 FROM generate_series(1, 5) AS n;
INSERT INTO store (manager_staff_id, address_id) VALUES (1, 1), (2, 2);
INSERT INTO staff (first_name, store_id, password) VALUES ('Ada', 1, 'hush'), ('Bob', 2, 'quiet');
INSERT INTO customer (store_id, first_name, email) SELECT 1, 'C', 'c@d.e' FROM generate_series(1, 4);
INSERT INTO inventory (film_id, store_id) SELECT n, 1 FROM generate_series(1, 5) AS n;
INSERT INTO rental (rental_date, inventory_id, customer_id, staff_id)
SELECT now(), n, 1, 1 FROM generate_series(1, 5) AS n;
INSERT INTO payment (customer_id, staff_id, rental_id, amount, payment_date)
SELECT 1, 1, n, 2.99, '2019-01-01' FROM generate_series(1, 5) AS n;
INSERT INTO category (name) VALUES ('Action'), ('Drama');
INSERT INTO actor (first_name, last_name) VALUES ('A', 'B');
INSERT INTO film_actor VALUES (1, 1);
REFRESH MATERIALIZED VIEW rental_by_category;
SELECT lo_from_bytea(4711, 'kept');

CREATE FUNCTION purge_rentals() RETURNS bigint LANGUAGE sql SECURITY DEFINER
    AS 'WITH gone AS (DELETE FROM rental RETURNING 1) SELECT count(*) FROM gone';
CREATE PROCEDURE nightly_job() LANGUAGE sql SECURITY DEFINER AS 'TRUNCATE rental';
CREATE FUNCTION get_customer_balance(int, timestamptz) RETURNS numeric LANGUAGE plpgsql
    AS 'BEGIN DELETE FROM payment; RETURN 0; END';
CREATE FUNCTION get_balance(int) RETURNS numeric LANGUAGE plpgsql
    AS 'BEGIN UPDATE payment SET amount = 0; RETURN 0; END';
CREATE FUNCTION public.lower(text) RETURNS text LANGUAGE plpgsql
    AS 'BEGIN INSERT INTO customer_audit_log VALUES ($1); RETURN $1; END';
CREATE FUNCTION plus(int, int) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
    AS 'BEGIN TRUNCATE payment; RETURN 0; END';
CREATE OPERATOR public.+ (LEFTARG = int, RIGHTARG = int, FUNCTION = plus);
CREATE OPERATOR *** (LEFTARG = int, RIGHTARG = int, FUNCTION = plus);
CREATE FUNCTION made_here() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
CREATE TYPE trojan AS (a int);
CREATE SCHEMA secret;
CREATE TABLE secret.film (title text);
CREATE EXTENSION dblink;
CREATE EXTENSION tablefunc;

-- On PostgreSQL 14 and earlier that is the default.
GRANT CREATE ON SCHEMA public TO PUBLIC;

CREATE ROLE app LOGIN;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;
