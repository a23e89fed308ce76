-- The columns that charts can use, and how a definition is refused.
--
-- A definition that can't run is raised as SG422 within these functions and returned as { refused: { part, message } }: the
-- part of the definition (`metrics.0.column`) and a sentence. What the actor isn't allowed to see is returned as
-- { refused: { needs } }, the permission key.

create function private.refuse_chart(p_when boolean, p_part text, p_message text, variadic p_args text[] default '{}')
returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if p_when then
    raise exception using errcode = 'SG422', message = json_build_object(
      'refused', json_build_object('part', p_part, 'message', format(p_message, variadic p_args)))::text;
  end if;
end $$;

-- `expression` is the column of a view `v` as charts compute with it. Text is in "C" order, the same on every server.
-- A float becomes its shortest decimal, so that sums are exact. JSON's null counts as no value.
-- `bare` is the column itself, if grouping by it keeps the same values apart: that saves computing something for each
-- record. A nondeterministic collation treats different texts as equal.
-- `part` names the date or time column that this one is a part of: { of, unit }.
-- `identifies` says that it identifies signers: its comment is marked, or it has none.
create view private.chart_columns as
with recursive base as ( -- a domain counts as its type
  select a.attrelid, a.attnum, a.attname, a.atttypid as type_id, a.attcollation as collation_id
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'reporting' and c.relkind in ('v', 'm', 'r', 'p', 'f') and a.attnum > 0 and not a.attisdropped
  union all
  select b.attrelid, b.attnum, b.attname, t.typbasetype, b.collation_id from base b
  join pg_catalog.pg_type t on t.oid = b.type_id and t.typtype = 'd'
)
select c.oid as relation, c.relname as source, b.attnum as place, b.attname as name,
  coalesce(regexp_replace(d.comment, ' *\[signer\]$', ''), replace(b.attname, '_', ' ')) as label,
  coalesce(d.comment ~ '\[signer\]$', true) as identifies,
  k.type, format_type(t.oid, null) as data_type,
  format(
    case
      when k.type = 'text' then case when t.typname in ('text', 'varchar') then 'v.%I' else 'v.%I::text' end || ' collate "C"'
      when t.typname in ('float4', 'float8') then 'v.%I::text::numeric'
      when k.type = 'array' then 'to_jsonb(v.%I)'
      when k.type = 'json' then 'nullif(v.%I::jsonb, ''null'')'
      else 'v.%I'
    end, b.attname) as expression,
  case when t.typname in ('text', 'varchar') and l.collisdeterministic then format('v.%I', b.attname) end as bare,
  (select jsonb_build_object('of', p[1], 'unit', p[2])
    from regexp_match(b.attname, '^(.+)_(day|week|month|weekday|hour)$') p
    where exists (select from base o
      where o.attrelid = b.attrelid and o.attname = p[1] and o.type_id in ('date'::regtype, 'timestamptz'::regtype))) as part
from base b
join pg_catalog.pg_class c on c.oid = b.attrelid
join pg_catalog.pg_type t on t.oid = b.type_id and t.typtype <> 'd'
left join pg_catalog.pg_collation l on l.oid = b.collation_id
cross join lateral col_description(c.oid, b.attnum) as d (comment)
cross join lateral (
  select case
    when t.typname in ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8') then 'number'
    when t.typname = 'date' then 'date'
    when t.typname in ('timestamp', 'timestamptz') then 'time'
    when t.typname = 'bool' then 'boolean'
    when t.typname = 'uuid' then 'uuid'
    when t.typname in ('json', 'jsonb') then 'json'
    when t.typcategory = 'A' then 'array'
    else 'text'
  end as type
) k;

-- A view without team and campaign would be read unfiltered.
create view private.chart_sources as
select c.relation, c.source
from private.chart_columns c
where c.name in ('team_id', 'campaign_id') and has_table_privilege('service_role', c.relation, 'select')
group by c.relation, c.source
having count(*) = 2;
create function public.chart_sources() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', s.source,
    'label', split_part(d.comment, ': ', 1),
    'description', case when d.comment like '%: %' then substr(d.comment, strpos(d.comment, ': ') + 2) else '' end,
    'columns', (
      select jsonb_agg(jsonb_build_object('name', c.name, 'label', c.label, 'type', c.type, 'part', c.part,
        'identifies', c.identifies) order by c.place)
      from private.chart_columns c where c.relation = s.relation
    ),
    'countsVoters', exists (
      select from private.chart_columns c where c.relation = s.relation and c.name = 'county' and c.type = 'text')
      and exists (select from voterfile.counties)
  ) order by s.source collate "C"), '[]')
  from private.chart_sources s
  cross join lateral (
    select coalesce(obj_description(s.relation, 'pg_class'), replace(s.source, '_', ' ')) as comment
  ) d
$$;
comment on function public.chart_sources is
  'The views that charts may read: [{ name, label, description, columns: [{ name, label, type, part, identifies }], '
  'countsVoters: grouped by county, it can show registered voters }].';

-- The columns of a source by their names, each as a row of private.chart_columns. Refuses what charts may not read.
create function private.columns_of_source(p_source text) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  perform private.refuse_chart(not exists (select from private.chart_sources s where s.source = p_source),
    'source', 'There''s no chart source "%s".', p_source);
  return (select jsonb_object_agg(c.name, to_jsonb(c)) from private.chart_columns c where c.source = p_source);
end $$;

create function private.chart_column(p_columns jsonb, p_name jsonb) returns jsonb
language sql immutable set search_path = ''
as $$ select case when jsonb_typeof(p_name) = 'string' then p_columns -> (p_name #>> '{}') end $$;

grant select on private.chart_columns, private.chart_sources to service_role;
