"""What the catalogue is asked for: for each kind of right, the objects and who holds it.

Every query gives rows (object, holder, from_public): the object as SQL writes it, the role that
the right was given to (the login itself, or one that it could become), and whether everybody has
it; of an extension's functions, its name besides. `{me}` stands for the roles that are asked about
(such as `ME`), `{privileges}` for privileges that the server's version knows, `{schemas}` for
schemas that they will be let into, `{most}` for how many objects are told of.
"""

from __future__ import annotations

from typing import Final, LiteralString

ME: Final[LiteralString] = (
    "(SELECT oid, rolname FROM pg_roles"
    " WHERE pg_has_role({role}, oid, 'MEMBER') AND rolname !~ '^pg_')"
)
EVERYBODY: Final[LiteralString] = "(SELECT 0::oid AS oid, 'PUBLIC'::name AS rolname)"
"""What a role will have that nothing was ever given to: to PostgreSQL, PUBLIC is the role 0."""

ATTRIBUTES: Final[LiteralString] = """
SELECT quote_ident({login}::text), quote_ident({role}::text), quote_ident(r.rolname), r.rolsuper,
       r.rolcreaterole, r.rolcreatedb, r.rolreplication, r.rolbypassrls
FROM pg_roles r WHERE pg_has_role({role}, r.oid, 'MEMBER')
ORDER BY r.rolname <> {role}, r.rolname
"""

# A predefined role (pg_read_all_data, pg_write_server_files, pg_monitor, …) is more than a reader.
PREDEFINED: Final[LiteralString] = """
SELECT quote_ident(g.rolname), quote_ident(m.rolname), false
FROM pg_auth_members a JOIN pg_roles g ON g.oid = a.roleid JOIN {me} m ON m.oid = a.member
WHERE g.rolname ~ '^pg_' ORDER BY 1
"""

OWNED: Final[LiteralString] = """
SELECT pg_describe_object(d.classid, d.objid, 0), quote_ident(m.rolname), false
FROM pg_shdepend d JOIN {me} m ON m.oid = d.refobjid
WHERE d.deptype = 'o' AND d.refclassid = 'pg_authid'::regclass
  AND d.dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
ORDER BY d.classid <> 'pg_class'::regclass, 1 LIMIT {most}
"""

WRITABLE_TABLES: Final[LiteralString] = """
SELECT format('%I.%I', n.nspname, c.relname), quote_ident(m.rolname),
       has_table_privilege('public', c.oid, {privileges})
       OR has_any_column_privilege('public', c.oid, 'INSERT, UPDATE, REFERENCES')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN {me} m
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_(toast|temp)'
  AND c.oid <> 'pg_settings'::regclass  -- everybody may change their own there
  AND NOT pg_has_role(m.oid, c.relowner, 'USAGE')
  AND (has_table_privilege(m.oid, c.oid, {privileges})
       OR has_any_column_privilege(m.oid, c.oid, 'INSERT, UPDATE, REFERENCES'))
ORDER BY n.nspname <> 'public', 1 LIMIT {most}
"""

# Passing a right on changes what others may do.
GRANT_OPTIONS: Final[LiteralString] = """
SELECT format('%I.%I', n.nspname, c.relname), quote_ident(m.rolname), false
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN aclexplode(c.relacl) a
JOIN {me} m ON m.oid = a.grantee
WHERE a.is_grantable AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_'
  AND n.nspname <> 'information_schema' AND NOT pg_has_role(m.oid, c.relowner, 'USAGE')
ORDER BY 1 LIMIT 50
"""

SEQUENCES: Final[LiteralString] = """
SELECT format('%I.%I', n.nspname, c.relname), quote_ident(m.rolname),
       has_sequence_privilege('public', c.oid, 'USAGE, UPDATE')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN {me} m
WHERE c.relkind = 'S' AND n.nspname !~ '^pg_' AND NOT pg_has_role(m.oid, c.relowner, 'USAGE')
  -- PostgreSQL may look at the privileges before the kind, and then complains of the kind.
  AND CASE WHEN c.relkind = 'S' THEN has_sequence_privilege(m.oid, c.oid, 'USAGE, UPDATE') END
ORDER BY 1 LIMIT {most}
"""

CREATE_IN_SCHEMAS: Final[LiteralString] = """
SELECT quote_ident(n.nspname), quote_ident(m.rolname),
       has_schema_privilege('public', n.oid, 'CREATE')
FROM pg_namespace n CROSS JOIN {me} m
WHERE n.nspname !~ '^pg_(toast|temp)' AND NOT pg_has_role(m.oid, n.nspowner, 'USAGE')
  AND has_schema_privilege(m.oid, n.oid, 'CREATE')
ORDER BY 1 LIMIT {most}
"""

CREATE_IN_DATABASE: Final[LiteralString] = """
SELECT quote_ident(d.datname), quote_ident(m.rolname),
       has_database_privilege('public', d.oid, 'CREATE')
FROM pg_database d CROSS JOIN {me} m
WHERE d.datname = current_database() AND NOT pg_has_role(m.oid, d.datdba, 'USAGE')
  AND has_database_privilege(m.oid, d.oid, 'CREATE')
"""

TEMPORARY_TABLES: Final[LiteralString] = """
SELECT quote_ident(d.datname), quote_ident(m.rolname),
       has_database_privilege('public', d.oid, 'TEMPORARY')
FROM pg_database d CROSS JOIN {me} m
WHERE d.datname = current_database() AND NOT pg_has_role(m.oid, d.datdba, 'USAGE')
  AND has_database_privilege(m.oid, d.oid, 'TEMPORARY')
"""

TABLESPACES: Final[LiteralString] = """
SELECT quote_ident(t.spcname), quote_ident(m.rolname),
       has_tablespace_privilege('public', t.oid, 'CREATE')
FROM pg_tablespace t CROSS JOIN {me} m
WHERE NOT pg_has_role(m.oid, t.spcowner, 'USAGE')
  AND has_tablespace_privilege(m.oid, t.oid, 'CREATE')
ORDER BY 1 LIMIT {most}
"""

FOREIGN_SERVERS: Final[LiteralString] = """
SELECT quote_ident(s.srvname), quote_ident(m.rolname),
       has_server_privilege('public', s.oid, 'USAGE')
FROM pg_foreign_server s CROSS JOIN {me} m
WHERE NOT pg_has_role(m.oid, s.srvowner, 'USAGE') AND has_server_privilege(m.oid, s.oid, 'USAGE')
ORDER BY 1 LIMIT {most}
"""

# Enough to make servers of that kind.
FOREIGN_DATA_WRAPPERS: Final[LiteralString] = """
SELECT quote_ident(w.fdwname), quote_ident(m.rolname),
       has_foreign_data_wrapper_privilege('public', w.oid, 'USAGE')
FROM pg_foreign_data_wrapper w CROSS JOIN {me} m
WHERE NOT pg_has_role(m.oid, w.fdwowner, 'USAGE')
  AND has_foreign_data_wrapper_privilege(m.oid, w.oid, 'USAGE')
ORDER BY 1 LIMIT {most}
"""

LARGE_OBJECTS: Final[LiteralString] = """
SELECT l.oid::text, quote_ident(coalesce(m.rolname, 'PUBLIC')), x.grantee = 0
FROM pg_largeobject_metadata l CROSS JOIN aclexplode(l.lomacl) x
LEFT JOIN {me} m ON m.oid = x.grantee AND m.oid <> l.lomowner
WHERE x.privilege_type = 'UPDATE' AND (m.oid IS NOT NULL OR x.grantee = 0)
ORDER BY 1 LIMIT {most}
"""

# Runs with its owner's rights. A trigger's function cannot be called, one of a schema that may not
# be used cannot be named: but it may stand behind a cast, an operator, a domain's check, a view, a
# policy or another function. What an aggregate is made of is called with its owner's right to call.
SECURITY_DEFINER: Final[LiteralString] = """
WITH definer AS (
    SELECT p.oid, p.proowner AS owner, p.pronamespace, EXISTS (
               SELECT FROM pg_depend d LEFT JOIN pg_constraint c
                   ON d.classid = 'pg_constraint'::regclass AND c.oid = d.objid
               WHERE d.refclassid = 'pg_proc'::regclass AND d.refobjid = p.oid
                 AND (c.contypid <> 0 OR d.classid IN (
                     'pg_cast'::regclass, 'pg_operator'::regclass, 'pg_rewrite'::regclass,
                     'pg_policy'::regclass, 'pg_type'::regclass, 'pg_proc'::regclass))
           ) AS is_part
    FROM pg_proc p
    WHERE p.prosecdef AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
), callable AS (
    SELECT * FROM definer
    UNION ALL
    SELECT a.oid, definer.owner, a.pronamespace, false
    FROM pg_aggregate g JOIN pg_proc a ON a.oid = g.aggfnoid
    JOIN definer ON definer.oid IN (g.aggtransfn, g.aggfinalfn, g.aggcombinefn, g.aggmtransfn,
                                    g.aggminvtransfn, g.aggmfinalfn)
)
SELECT DISTINCT format('%I.%I(%s)', n.nspname, p.proname,
                       pg_get_function_identity_arguments(p.oid)),
       quote_ident(m.rolname), has_function_privilege('public', p.oid, 'EXECUTE')
FROM callable c JOIN pg_proc p ON p.oid = c.oid JOIN pg_namespace n ON n.oid = c.pronamespace
CROSS JOIN {me} m
WHERE has_function_privilege(m.oid, p.oid, 'EXECUTE') AND NOT pg_has_role(m.oid, c.owner, 'USAGE')
  AND (c.is_part OR has_schema_privilege(m.oid, n.oid, 'USAGE') OR n.nspname = ANY ({schemas}))
ORDER BY 1 LIMIT {most}
"""

# What initdb or an extension's script keeps from everybody: server files, backups, log switches,
# replication; resetting statistics, looking into pages.
KEPT_BACK: Final[LiteralString] = """
SELECT format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),
       quote_ident(m.rolname), has_function_privilege('public', p.oid, 'EXECUTE')
FROM pg_init_privs i JOIN pg_proc p ON p.oid = i.objoid
JOIN pg_namespace n ON n.oid = p.pronamespace CROSS JOIN {me} m
WHERE i.classoid = 'pg_proc'::regclass
  AND (has_schema_privilege(m.oid, n.oid, 'USAGE') OR n.nspname = ANY ({schemas}))
  AND NOT EXISTS (SELECT FROM aclexplode(i.initprivs) a WHERE a.grantee = 0)
  AND EXISTS (SELECT FROM aclexplode(p.proacl) a WHERE a.grantee IN (0, m.oid))
ORDER BY 1 LIMIT {most}
"""

# Functions of extensions that reach beyond this database: other servers, files, other languages.
REACHING_OUT: Final[LiteralString] = """
SELECT format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),
       quote_ident(m.rolname), has_function_privilege('public', p.oid, 'EXECUTE'), e.extname
FROM pg_extension e
JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
     AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
JOIN pg_proc p ON p.oid = d.objid JOIN pg_namespace n ON n.oid = p.pronamespace
CROSS JOIN {me} m
WHERE e.extname ~ '^(dblink|adminpack|lo$|http|pg_net|pg_cron|aws_|azure_|plproxy|pg_background)'
  AND p.provolatile = 'v' AND p.prorettype <> 'trigger'::regtype
  AND (has_schema_privilege(m.oid, n.oid, 'USAGE') OR n.nspname = ANY ({schemas}))
  AND has_function_privilege(m.oid, p.oid, 'EXECUTE')
ORDER BY e.extname, 1
"""

# SET or ALTER SYSTEM on a setting that is otherwise a superuser's (PostgreSQL 15 and later).
PARAMETERS: Final[LiteralString] = """
SELECT quote_ident(a.parname), quote_ident(coalesce(m.rolname, 'PUBLIC')), x.grantee = 0
FROM pg_parameter_acl a CROSS JOIN aclexplode(a.paracl) x LEFT JOIN {me} m ON m.oid = x.grantee
WHERE (m.oid IS NOT NULL OR x.grantee = 0) ORDER BY 1 LIMIT {most}
"""
