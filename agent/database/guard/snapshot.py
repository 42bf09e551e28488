"""Names of pg_catalog, as the rule of `agent.database.server_policy` gave them on 15.18 and 18.6.

Read by `names.py`; written by a script, compared with a live server by a test.
"""

FUNCTIONS = """
abbrev abs acos acosd acosh age any_value area array_agg array_append array_cat array_dims
array_length array_lower array_ndims array_position array_positions array_prepend array_remove
array_replace array_reverse array_sample array_shuffle array_sort array_to_json array_to_string
array_to_tsvector array_upper arraycontained arraycontains arrayoverlap ascii asin asind asinh
atan atan2 atan2d atand atanh avg bit bit_and bit_count bit_length bit_or bit_xor bool bool_and
bool_or bound_box box bpchar broadcast btrim bytea cardinality casefold cash_words cbrt ceil
ceiling center char char_length character_length chr cidr circle clock_timestamp concat concat_ws
convert convert_from convert_to corr cos cosd cosh cot cotd count covar_pop covar_samp crc32
crc32c cume_dist date date_add date_bin date_part date_subtract date_trunc datemultirange
daterange decode degrees dense_rank diagonal diameter div encode enum_first enum_last enum_range
erf erfc every exp extract factorial family first_value float4 float8 floor format gamma gcd
gen_random_uuid generate_series generate_subscripts get_bit get_byte hashint4 hashint8 hashtext
hashtextextended height host hostmask inet_merge inet_same_family initcap int2 int4 int4inc
int4multirange int4range int8 int8multirange int8range interval is_normalized isclosed isempty
isfinite ishorizontal isopen isparallel isperp isvertical json_agg json_agg_strict
json_array_element json_array_element_text json_array_elements json_array_elements_text
json_array_length json_build_array json_build_object json_each json_each_text json_extract_path
json_extract_path_text json_object json_object_agg json_object_agg_strict json_object_agg_unique
json_object_agg_unique_strict json_object_field json_object_field_text json_object_keys
json_populate_record json_populate_recordset json_strip_nulls json_to_record json_to_recordset
json_to_tsvector json_typeof jsonb_agg jsonb_agg_strict jsonb_array_element
jsonb_array_element_text jsonb_array_elements jsonb_array_elements_text jsonb_array_length
jsonb_build_array jsonb_build_object jsonb_concat jsonb_contained jsonb_contains jsonb_delete
jsonb_delete_path jsonb_each jsonb_each_text jsonb_exists jsonb_exists_all jsonb_exists_any
jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_agg
jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict jsonb_object_field
jsonb_object_field_text jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz jsonb_path_match
jsonb_path_match_tz jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz
jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record
jsonb_populate_record_valid jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax
jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_to_tsvector jsonb_typeof justify_days
justify_hours justify_interval lag last_value lcm lead left length lgamma like like_escape line ln
log log10 lower lower_inc lower_inf lpad lseg ltrim macaddr macaddr8 macaddr8_set7bit make_date
make_interval make_time make_timestamp make_timestamptz masklen max md5 min min_scale mod mode
money multirange name netmask network normalize notlike now npoints nth_value ntile num_nonnulls
num_nulls numeric numeric_div_trunc numeric_exp numeric_inc numeric_ln numeric_log numeric_sqrt
nummultirange numnode numrange octet_length overlaps overlay parse_ident path pclose percent_rank
percentile_cont percentile_disc pg_collation_for pg_column_size pg_size_bytes pg_size_pretty
pg_typeof phraseto_tsquery pi plainto_tsquery point polygon popen position pow power querytree
quote_ident quote_literal quote_nullable radians radius random random_normal range_agg
range_intersect_agg range_merge rank regexp_count regexp_instr regexp_like regexp_match
regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr regr_avgx
regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace
reverse right round row_number row_to_json rpad rtrim scale set_bit set_byte set_masklen setweight
sha224 sha256 sha384 sha512 sign similar_escape similar_to_escape sin sind sinh slope split_part
sqrt starts_with statement_timestamp stddev stddev_pop stddev_samp string_agg string_to_array
string_to_table strip strpos substr substring sum tan tand tanh text textcat textlen time
timeofday timestamp timestamptz timetz timezone to_ascii to_bin to_char to_date to_hex to_json
to_jsonb to_number to_oct to_timestamp to_tsquery to_tsvector transaction_timestamp translate
trim_array trim_scale trunc ts_delete ts_filter ts_headline ts_lexize ts_parse ts_rank ts_rank_cd
tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange tsvector_to_array unicode_assigned
unistr unnest upper upper_inc upper_inf uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7
var_pop var_samp varbit varchar variance websearch_to_tsquery width width_bucket
"""

OUT_COLUMNS = """
json_array_elements value
json_array_elements_text value
json_each key value
json_each_text key value
jsonb_array_elements value
jsonb_array_elements_text value
jsonb_each key value
jsonb_each_text key value
ts_parse tokid token
unnest lexeme positions weights
"""

OPERATORS = r"""
!! !~ !~* !~~ !~~* # ## #- #> #>> % & && &< &<| &> * *< *<= *<> *= *> *>= + - -> ->> -|- / < <->
<< <<= <<| <= <> <@ <^ = > >= >> >>= >^ ? ?# ?& ?- ?-| ?| ?|| @ @-@ @> @? @@ @@@ ^ ^@ | |&> |/ |>>
|| ||/ ~ ~* ~<=~ ~<~ ~= ~>=~ ~>~ ~~ ~~*
"""

UNSAFE_ATTRIBUTES = """
_record aclexplode aclitem aclitemin aclitemout amvalidate any any_in any_out anyarray anyarray_in
anyarray_out anyarray_send anycompatible anycompatible_in anycompatible_out anycompatiblearray
anycompatiblearray_in anycompatiblearray_out anycompatiblearray_send anycompatiblemultirange
anycompatiblemultirange_out anycompatiblenonarray anycompatiblenonarray_in
anycompatiblenonarray_out anycompatiblerange anycompatiblerange_out anyelement anyelement_in
anyelement_out anyenum anyenum_in anyenum_out anymultirange anymultirange_out anynonarray
anynonarray_in anynonarray_out anyrange anyrange_out array_out array_send
binary_upgrade_logical_slot_has_caught_up binary_upgrade_set_next_array_pg_type_oid
binary_upgrade_set_next_heap_pg_class_oid binary_upgrade_set_next_heap_relfilenode
binary_upgrade_set_next_index_pg_class_oid binary_upgrade_set_next_index_relfilenode
binary_upgrade_set_next_multirange_array_pg_type_oid
binary_upgrade_set_next_multirange_pg_type_oid binary_upgrade_set_next_pg_authid_oid
binary_upgrade_set_next_pg_enum_oid binary_upgrade_set_next_pg_tablespace_oid
binary_upgrade_set_next_pg_type_oid binary_upgrade_set_next_toast_pg_class_oid
binary_upgrade_set_next_toast_relfilenode binary_upgrade_set_record_init_privs bit_out bit_send
bitnot bittypmodin bittypmodout boolin boolout boolsend box_center box_in box_out box_send
bpcharout bpcharsend bpchartypmodin bpchartypmodout brin_bloom_summary_in brin_bloom_summary_out
brin_bloom_summary_send brin_minmax_multi_summary_in brin_minmax_multi_summary_out
brin_minmax_multi_summary_send brin_summarize_new_values btequalimage btvarstrequalimage byteain
byteaout byteasend cash_in cash_out cash_send charin charout charsend cid cidin cidout cidr_in
cidr_out cidr_send cidsend circle_center circle_in circle_out circle_send cstring cstring_in
cstring_out cstring_send current_schemas current_setting currval date_in date_out date_send
daterange_canonical dcbrt dexp dlog1 dlog10 dround dsqrt dtrunc enum_out enum_send event_trigger
event_trigger_in event_trigger_out fdw_handler fdw_handler_in fdw_handler_out float4abs float4in
float4out float4send float4um float4up float8_avg float8_corr float8_covar_pop float8_covar_samp
float8_regr_avgx float8_regr_avgy float8_regr_intercept float8_regr_r2 float8_regr_slope
float8_regr_sxx float8_regr_sxy float8_regr_syy float8_stddev_pop float8_stddev_samp
float8_var_pop float8_var_samp float8abs float8in float8out float8send float8um float8up
fmgr_c_validator fmgr_internal_validator fmgr_sql_validator gin_clean_pending_list
gist_translate_cmptype_common gtsvector gtsvectorin gtsvectorout hash_aclitem hash_array
hash_multirange hash_numeric hash_range hash_record hashbool hashbpchar hashbytea hashchar hashcid
hashdate hashenum hashfloat4 hashfloat8 hashinet hashint2 hashmacaddr hashmacaddr8 hashname
hashoid hashoidvector hashtid hashxid hashxid8 index_am_handler index_am_handler_in
index_am_handler_out inet_in inet_out inet_send inetnot int2abs int2in int2int4_sum int2not
int2out int2send int2um int2up int2vectorin int2vectorout int2vectorsend int4abs int4in int4not
int4out int4range_canonical int4send int4um int4up int8_avg int8abs int8dec int8in int8inc int8not
int8out int8range_canonical int8send int8um int8up internal internal_in interval_avg interval_hash
interval_out interval_send interval_um intervaltypmodin intervaltypmodout json_in json_out
json_send jsonb_hash jsonb_in jsonb_out jsonb_send jsonpath_in jsonpath_out jsonpath_send
language_handler language_handler_in language_handler_out line_horizontal line_in line_out
line_send line_vertical lo_close lo_creat lo_create lo_get lo_import lo_tell lo_tell64 lo_unlink
lseg_center lseg_horizontal lseg_in lseg_length lseg_out lseg_send lseg_vertical macaddr8_in
macaddr8_not macaddr8_out macaddr8_send macaddr_in macaddr_not macaddr_out macaddr_send
multirange_out multirange_send mxid_age namein nameout namesend nextval numeric_abs numeric_out
numeric_send numeric_uminus numeric_uplus numerictypmodin numerictypmodout obj_description oid
oidin oidout oidsend oidvectorin oidvectorout oidvectorsend oidvectortypes path_in path_length
path_npoints path_out path_send plpgsql_validator point_in point_out point_send poly_center
poly_in poly_npoints poly_out poly_send range_out range_send record_out record_send refcursor
regclass regclassin regclassout regclasssend regcollation regcollationin regcollationout
regcollationsend regconfig regconfigin regconfigout regconfigsend regdictionary regdictionaryin
regdictionaryout regdictionarysend regnamespace regnamespacein regnamespaceout regnamespacesend
regoper regoperator regoperatorin regoperatorout regoperatorsend regoperin regoperout regopersend
regproc regprocedure regprocedurein regprocedureout regproceduresend regprocin regprocout
regprocsend regrole regrolein regroleout regrolesend regtype regtypein regtypeout regtypesend
row_security_active setseed shell_in shell_out spg_poly_quad_compress table_am_handler
table_am_handler_in table_am_handler_out textin textout textsend tid tidin tidout tidsend
time_hash time_out time_send timestamp_hash timestamp_out timestamp_send timestamptypmodin
timestamptypmodout timestamptz_hash timestamptz_out timestamptz_send timestamptztypmodin
timestamptztypmodout timetypmodin timetypmodout timetz_hash timetz_out timetz_send timetztypmodin
timetztypmodout to_regclass to_regcollation to_regnamespace to_regoper to_regoperator to_regproc
to_regprocedure to_regrole to_regtype to_regtypemod trigger trigger_in trigger_out ts_debug
ts_stat ts_token_type tsm_handler tsm_handler_in tsm_handler_out tsquery_not tsqueryin tsqueryout
tsquerysend tsvectorin tsvectorout tsvectorsend txid_snapshot txid_snapshot_in txid_snapshot_out
txid_snapshot_send txid_snapshot_xip txid_snapshot_xmax txid_snapshot_xmin txid_status unknownin
unknownout unknownsend uuid_hash uuid_in uuid_out uuid_send varbit_out varbit_send varbittypmodin
varbittypmodout varcharout varcharsend varchartypmodin varchartypmodout void void_in void_out
void_send xid xid8 xid8in xid8out xid8send xidin xidout xidsend xml xml_in xml_is_well_formed
xml_is_well_formed_content xml_is_well_formed_document xml_out xml_send xmlagg xmlcomment xmltext
"""
