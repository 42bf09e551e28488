-- The generator has done its work; the planner gets its statistics.

DROP SCHEMA seed CASCADE;
ANALYZE;
