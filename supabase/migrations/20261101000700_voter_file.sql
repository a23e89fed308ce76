-- The voter file and its search, for teams without a search backend of their own. Only supabase/functions/search-backend
-- reads it: neither schema nor table is shown by REST, and nobody but the service role may call the function.

create extension if not exists unaccent with schema extensions;
grant execute on function extensions.unaccent(regdictionary, text) to service_role;

create schema voterfile;
revoke all on schema voterfile from public;
grant usage on schema voterfile to service_role;
comment on schema voterfile is 'Voters as the register has them; read by the search backend alone.';

-- Immutable by promise: `unaccent` is called stable because its rules are a file. Whoever changes the rules rewrites the
-- table.
create function voterfile.search_key(p_text text) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return nullif(lower(btrim(extensions.unaccent('extensions.unaccent'::regdictionary, normalize(p_text)))), '');
end $$;
comment on function voterfile.search_key is
  'A text without case, diacritics and surrounding blanks, as it is stored and as it is searched for. Null when empty.';
revoke execute on function voterfile.search_key from public, anon, authenticated;
grant execute on function voterfile.search_key to service_role;

-- Keys are in "C" order: there a prefix is a range of an index, on every server.
create table voterfile.voters (
  voter_id text collate "C" primary key check (voter_id ~ '^[\x21-\x7E]{1,64}$'),
  first_name text,
  middle_name text,
  last_name text,
  house_number text,
  street text,
  unit text,
  city text,
  zip text,
  county text,
  first_key text collate "C" generated always as (voterfile.search_key(first_name)) stored,
  middle_key text collate "C" generated always as (voterfile.search_key(middle_name)) stored,
  last_key text collate "C" generated always as (voterfile.search_key(last_name)) stored,
  house_key text collate "C" generated always as (voterfile.search_key(house_number)) stored,
  house_value int generated always as (
    case when btrim(house_number) <> '' then
      coalesce(substring(house_number from '^\s*([0-9]{1,9})')::int, 2147483647)
    end) stored,
  street_key text collate "C" generated always as (voterfile.search_key(street)) stored,
  unit_key text collate "C" generated always as (voterfile.search_key(unit)) stored,
  city_key text collate "C" generated always as (voterfile.search_key(city)) stored,
  zip_key text collate "C" generated always as (voterfile.search_key(zip)) stored,
  county_key text collate "C" generated always as (voterfile.search_key(county)) stored
);
comment on column voterfile.voters.house_value is 'The number that a house number begins with, so that 9 sorts before 10, and both before words.';
alter table voterfile.voters enable row level security;
grant select, insert, update, delete on voterfile.voters to service_role;

-- Each begins with what can be searched by, and goes on with the usual order; so a search reads little more than its
-- page. They also hold what else can be filtered and sorted by: another order reads the index alone, not the table.
create index voters_last on voterfile.voters (last_key, first_key, voter_id)
  include (house_key, zip_key, city_key, county_key, middle_key, street_key, unit_key, house_value);
create index voters_first on voterfile.voters (first_key, last_key, voter_id)
  include (house_key, zip_key, city_key, county_key, middle_key, street_key, unit_key, house_value);
create index voters_house on voterfile.voters (house_key, last_key, first_key, voter_id)
  include (zip_key, city_key, county_key, middle_key, street_key, unit_key, house_value);
create index voters_zip on voterfile.voters (zip_key, last_key, first_key, voter_id)
  include (house_key, city_key, county_key, middle_key, street_key, unit_key, house_value);
create index voters_city on voterfile.voters (city_key, last_key, first_key, voter_id)
  include (house_key, zip_key, county_key, middle_key, street_key, unit_key, house_value);
create index voters_county on voterfile.voters (county_key, last_key, first_key, voter_id)
  include (house_key, zip_key, city_key, middle_key, street_key, unit_key, house_value);

-- Written for the given filters alone and planned for their values: which index is best depends on both.
create function public.search_voters(p_params jsonb) returns jsonb
language plpgsql stable set search_path = '' set jit = off
as $$
declare
  most constant int := 10000; -- reachable by paging, and counted exactly
  -- The local stack on a PostgreSQL server sends an object as the text of one.
  params jsonb := case jsonb_typeof(p_params) when 'string' then (p_params #>> '{}')::jsonb else p_params end;
  first_key text := voterfile.search_key(params ->> 'firstName');
  last_key text := voterfile.search_key(params ->> 'lastName');
  house_key text := voterfile.search_key(params ->> 'houseNumber');
  zip_key text := voterfile.search_key(params ->> 'zip');
  city_key text := voterfile.search_key(params ->> 'city');
  county_key text := voterfile.search_key(params ->> 'county');
  filters text := concat_ws(' and ', 'true',
    case when first_key is not null then 'v.first_key ^@ $1' end,
    case when last_key is not null then 'v.last_key ^@ $2' end,
    case when house_key is not null then 'v.house_key = $3' end,
    case when zip_key is not null then 'v.zip_key ^@ $4' end,
    case when city_key is not null then 'v.city_key ^@ $5' end,
    case when county_key is not null then 'v.county_key ^@ $6' end);
  order_by text := coalesce(params ->> 'order', '');
  -- What is searched by is never missing: its index serves as it is, backwards.
  direction text := case
    when order_by not like '-%' then 'asc'
    when voterfile.search_key(params ->> substring(order_by from 2)) is not null then 'desc'
    else 'desc nulls last'
  end;
  sort text := case ltrim(substring(order_by from 1 for 1), '-') || substring(order_by from 2)
    when '' then 'v.last_key, v.first_key'
    when 'firstName' then 'v.first_key %1$s'
    when 'middleName' then 'v.middle_key %1$s'
    when 'lastName' then 'v.last_key %1$s'
    when 'houseNumber' then 'v.house_value %1$s, v.house_key %1$s'
    when 'street' then 'v.street_key %1$s'
    when 'unit' then 'v.unit_key %1$s'
    when 'city' then 'v.city_key %1$s'
    when 'zip' then 'v.zip_key %1$s'
    when 'county' then 'v.county_key %1$s'
    when 'voterId' then 'v.voter_id %1$s'
  end;
  query_from int := coalesce((params ->> 'queryFrom')::int, 0);
  query_size int := coalesce((params ->> 'querySize')::int, 25);
  result jsonb;
begin
  if jsonb_typeof(params) is distinct from 'object' then
    raise exception 'The parameters must be an object.' using errcode = 'invalid_parameter_value';
  end if;
  if sort is null or order_by = '-' then
    raise exception 'order must be the name of a field of a hit, with a leading - for descending.'
      using errcode = 'invalid_parameter_value';
  end if;
  if query_size not between 1 and 100 then
    raise exception 'querySize must be 1 to 100.' using errcode = 'invalid_parameter_value';
  end if;
  if query_from not between 0 and most - query_size then
    raise exception 'queryFrom must be 0 or more, and with querySize at most %.', most
      using errcode = 'invalid_parameter_value';
  end if;

  -- The page is found by keys, most of them in one index; only its own rows are read whole.
  execute format($query$
    with
      page as materialized (
        select v.voter_id, row_number() over () as place
        from (select v.voter_id from voterfile.voters v where %1$s order by %2$s, v.voter_id offset $7 limit $8) v
      ),
      counted as (
        select count(*) as found from (select from voterfile.voters v where %1$s limit $9 + 1) v
      )
    select jsonb_build_object(
      'total', least(c.found, $9),
      'relation', case when c.found > $9 then 'gte' else 'eq' end,
      'hits', (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'voterId', v.voter_id, 'firstName', v.first_name, 'middleName', v.middle_name, 'lastName', v.last_name,
          'houseNumber', v.house_number, 'street', v.street, 'unit', v.unit,
          'city', v.city, 'zip', v.zip, 'county', v.county)) order by p.place), '[]')
        from page p
        join voterfile.voters v on v.voter_id = p.voter_id
      ))
    from counted c
  $query$, filters, format(sort, direction))
  into result
  using first_key, last_key, house_key, zip_key, city_key, county_key, query_from, query_size, most;
  return result;
end $$;
comment on function public.search_voters is
  'One page of voters and how many there are: { total, relation, hits }. firstName, lastName, zip, city and county match '
  'from the beginning, houseNumber whole; case and diacritics do not count. A bad order, queryFrom or querySize is an '
  'invalid_parameter_value whose message names it.';
revoke execute on function public.search_voters from public, anon, authenticated;
grant execute on function public.search_voters to service_role;
