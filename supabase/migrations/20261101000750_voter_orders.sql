-- Every order of the voter file in both directions, with every search, in time for who types: an index for each order,
-- which also holds all that can be searched by, so that a broad search walks it in order until its page is full.

drop index voterfile.voters_last;
drop index voterfile.voters_first;
drop index voterfile.voters_house;
drop index voterfile.voters_zip;
drop index voterfile.voters_city;
drop index voterfile.voters_county;

-- What is searched by stands among the key columns: there the index itself passes over what does not match, in a tenth of
-- a microsecond each. The first six also hold what can be sorted by, for narrow searches in another order.
create index voters_last
  on voterfile.voters (last_key, first_key, voter_id, house_key, zip_key, city_key, county_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_first
  on voterfile.voters (first_key, last_key, voter_id, house_key, zip_key, city_key, county_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_house
  on voterfile.voters (house_key, voter_id, last_key, first_key, zip_key, city_key, county_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_zip
  on voterfile.voters (zip_key, voter_id, last_key, first_key, house_key, city_key, county_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_city
  on voterfile.voters (city_key, voter_id, last_key, first_key, house_key, zip_key, county_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_county
  on voterfile.voters (county_key, voter_id, last_key, first_key, house_key, zip_key, city_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_number
  on voterfile.voters (house_value, house_key, voter_id, last_key, first_key, zip_key, city_key, county_key);
create index voters_middle
  on voterfile.voters (middle_key, voter_id, last_key, first_key, house_key, zip_key, city_key, county_key);
create index voters_street
  on voterfile.voters (street_key, voter_id, last_key, first_key, house_key, zip_key, city_key, county_key);
create index voters_unit
  on voterfile.voters (unit_key, voter_id, last_key, first_key, house_key, zip_key, city_key, county_key);
create index voters_id
  on voterfile.voters (voter_id, last_key, first_key, house_key, zip_key, city_key, county_key);

-- Written for the given filters alone and planned for their values: which index is best depends on both. The costs are
-- those of indexes in memory: to pass over an entry is cheap, to take one out is not. Without workers: to start them takes
-- as long as they save.
create or replace function public.search_voters(p_params jsonb) returns jsonb
language plpgsql stable set search_path = '' set jit = off
set random_page_cost = 0.1 set cpu_tuple_cost = 0.1 set max_parallel_workers_per_gather = 0 set work_mem = '16MB'
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
  -- A prefix, as all from it to it with the last character there is: an index needs no second look at each voter then.
  prefix constant text := format('v.%%1$I >= $%%2$s and v.%%1$I < $%%2$s || %L', chr(1114111));
  filters text := concat_ws(' and ', 'true',
    case when first_key is not null then format(prefix, 'first_key', 1) end,
    case when last_key is not null then format(prefix, 'last_key', 2) end,
    case when house_key is not null then 'v.house_key = $3' end,
    case when zip_key is not null then format(prefix, 'zip_key', 4) end,
    case when city_key is not null then format(prefix, 'city_key', 5) end,
    case when county_key is not null then format(prefix, 'county_key', 6) end);
  order_by text := coalesce(params ->> 'order', '');
  descending boolean := order_by like '-%';
  -- What an index begins with, for each order.
  columns text[] := case case when descending then substring(order_by from 2) else order_by end
    when '' then case when not descending then array['last_key', 'first_key', 'voter_id'] end
    when 'firstName' then array['first_key', 'last_key', 'voter_id']
    when 'middleName' then array['middle_key', 'voter_id']
    when 'lastName' then array['last_key', 'first_key', 'voter_id']
    when 'houseNumber' then array['house_value', 'house_key', 'voter_id']
    when 'street' then array['street_key', 'voter_id']
    when 'unit' then array['unit_key', 'voter_id']
    when 'city' then array['city_key', 'voter_id']
    when 'zip' then array['zip_key', 'voter_id']
    when 'county' then array['county_key', 'voter_id']
    when 'voterId' then array['voter_id']
  end;
  direction text := case when descending then ' desc' else '' end;
  sort text := array_to_string(columns, direction || ', ') || direction;
  sort_missing_last text := regexp_replace(sort, '^\w+( desc)?', '\& nulls last');
  -- Zip, city and county go together: who searches by one may walk through most of the file in order of another.
  by_place boolean := num_nonnulls(zip_key, city_key, county_key) > 0 and case columns[1]
    when 'zip_key' then zip_key is null
    when 'city_key' then city_key is null
    when 'county_key' then county_key is null
    else false
  end;
  query_from int := coalesce((params ->> 'queryFrom')::int, 0);
  query_size int := coalesce((params ->> 'querySize')::int, 25);
  -- Up to how many voters are better sorted than walked through, where the planner cannot tell: the first pages take less
  -- than the last ones. Backwards it sees two searches.
  sortable int := case
    when by_place and query_from < 1000 then 160000
    when by_place then 60000
    when descending then 20000
  end;
  estimate bigint; -- of what is found, by a sample
  found int;
  page text[];
begin
  if jsonb_typeof(params) is distinct from 'object' then
    raise exception 'The parameters must be an object.' using errcode = 'invalid_parameter_value';
  end if;
  if columns is null then
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

  -- A narrow search reads all that it finds, once: to count it, and to sort it.
  execute format($query$
    with
      found as materialized (select %2$s from voterfile.voters v where %1$s limit $9 + 1),
      counted as materialized (select count(*)::int as found from found)
    select
      c.found,
      array(select voter_id from found where c.found <= $9 order by %3$s offset $7 limit $8)
    from counted c
  $query$, filters, array_to_string(columns, ', '), sort_missing_last)
  into found, page
  using first_key, last_key, house_key, zip_key, city_key, county_key, query_from, query_size, most;

  -- A broad one walks the index of its order until the page is full, unless the planner sees a shorter way.
  if found > most then
    if sortable is not null then
      execute format(
        'select count(*) * 500 from voterfile.voters v tablesample system (0.2) repeatable (1) where %s', filters)
      into estimate
      using first_key, last_key, house_key, zip_key, city_key, county_key;
    end if;
    execute case
      when estimate <= sortable then format($query$
        select array(
          select voter_id from (select %2$s from voterfile.voters v where %1$s offset 0) v
          order by %3$s offset $7 limit $8)
      $query$, filters, array_to_string(columns, ', '), sort_missing_last)
      -- Backwards, an index begins with those who lack the column: they are read when the others are not enough.
      when descending then format($query$
        select array(
          select voter_id from (
            (select voter_id from voterfile.voters v where %1$s and %2$s is not null order by %3$s limit $7 + $8)
            union all
            (select voter_id from voterfile.voters v where %1$s and %2$s is null order by %3$s limit $7 + $8)
          ) v offset $7 limit $8)
      $query$, filters, columns[1], sort)
      else format($query$
        select array(select voter_id from voterfile.voters v where %1$s order by %2$s offset $7 limit $8)
      $query$, filters, sort)
    end
    into page
    using first_key, last_key, house_key, zip_key, city_key, county_key, query_from, query_size, most;
  end if;

  return jsonb_build_object(
    'total', least(found, most),
    'relation', case when found > most then 'gte' else 'eq' end,
    'hits', (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'voterId', v.voter_id, 'firstName', v.first_name, 'middleName', v.middle_name, 'lastName', v.last_name,
        'houseNumber', v.house_number, 'street', v.street, 'unit', v.unit,
        'city', v.city, 'zip', v.zip, 'county', v.county)) order by p.place), '[]')
      from unnest(page) with ordinality as p (voter_id, place)
      join voterfile.voters v on v.voter_id = p.voter_id
    ));
end $$;
comment on function public.search_voters is
  'One page of voters and how many there are: { total, relation, hits }. firstName, lastName, zip, city and county match '
  'from the beginning, houseNumber whole; case and diacritics do not count. Namesakes are in order of the other name, '
  'ties in order of the voter id; a descending order turns both around, and who lacks the column comes last either way. '
  'A bad order, queryFrom or querySize is an invalid_parameter_value whose message names it.';
