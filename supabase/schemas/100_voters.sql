-- The voter file and its search, for teams without a search backend of their own. Only supabase/functions/search-backend
-- reads it: neither schema nor table is shown by REST, and nobody but the service role may call the function.

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
grant execute on function voterfile.search_key to service_role;

create function voterfile.initial(p_key text) returns "char"
language sql immutable parallel safe
return least(ascii(p_key), 127)::"char";
comment on function voterfile.initial is
  'The first letter of a key in ASCII; one and the same for all others and for no key, and so never the whole test there.';
grant execute on function voterfile.initial to service_role;

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
  county_key text collate "C" generated always as (voterfile.search_key(county)) stored,
  last_initial "char" generated always as (voterfile.initial(voterfile.search_key(last_name))) stored,
  first_initial "char" generated always as (voterfile.initial(voterfile.search_key(first_name))) stored
);
comment on column voterfile.voters.house_value is 'The number that a house number begins with, so that 9 sorts before 10, and both before words.';
alter table voterfile.voters enable row level security;
grant select, insert, update, delete on voterfile.voters to service_role;

-- Every order in both directions, with every search, in time for who types: an index for each order, its column and the
-- voter id with nothing between, which also holds all that can be searched by, so that a broad search walks it in order
-- until its page is full. What is searched by stands among the key columns: there the index itself passes over what does
-- not match. The first letters of the names come before the rest of it: what a broad search walks past mostly fails by
-- them, and to compare a byte near the beginning of an entry takes half as long as a text behind others. The first six
-- also hold what can be sorted by, for narrow searches in another order.
create index voters_last
  on voterfile.voters (last_key, voter_id, last_initial, first_initial,
    city_key, county_key, zip_key, first_key, house_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_first
  on voterfile.voters (first_key, voter_id, last_initial, first_initial,
    city_key, county_key, zip_key, last_key, house_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_house
  on voterfile.voters (house_key, voter_id, last_initial, first_initial,
    city_key, county_key, zip_key, last_key, first_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_zip
  on voterfile.voters (zip_key, voter_id, last_initial, first_initial,
    city_key, county_key, last_key, first_key, house_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_city
  on voterfile.voters (city_key, voter_id, last_initial, first_initial,
    county_key, zip_key, last_key, first_key, house_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_county
  on voterfile.voters (county_key, voter_id, last_initial, first_initial,
    city_key, zip_key, last_key, first_key, house_key)
  include (house_value, middle_key, street_key, unit_key);
create index voters_number
  on voterfile.voters (house_value, house_key, voter_id, last_initial, first_initial,
    city_key, county_key, zip_key, last_key, first_key);
create index voters_middle
  on voterfile.voters (middle_key, voter_id, last_initial, first_initial,
    city_key, county_key, zip_key, last_key, first_key, house_key);
create index voters_street
  on voterfile.voters (street_key, voter_id, last_initial, first_initial,
    city_key, county_key, zip_key, last_key, first_key, house_key);
create index voters_unit
  on voterfile.voters (unit_key, voter_id, last_initial, first_initial,
    city_key, county_key, zip_key, last_key, first_key, house_key);
create index voters_id
  on voterfile.voters (voter_id, last_initial, first_initial,
    city_key, county_key, zip_key, last_key, first_key, house_key);

-- Small, for one entry stands for many voters: they tell which places of one kind have somebody in those of another.
create index voters_zips on voterfile.voters (zip_key, city_key, county_key);
create index voters_cities on voterfile.voters (city_key, county_key, zip_key);
create index voters_counties on voterfile.voters (county_key, city_key, zip_key);

-- Written for the given filters alone and planned for their values: which index is best depends on both. The costs are
-- those of indexes in memory: to pass over an entry is cheap, to take one out is not. Without workers: to start them takes
-- as long as they save. Nothing is sorted but where it is said below: the planner takes zip, city and county for
-- independent, and would sort many where it expects few. One function, and a long one: all of it shares the sample and the
-- estimates made of it.
create function public.search_voters(p_params jsonb) returns jsonb
language plpgsql stable set search_path = '' set jit = off
set random_page_cost = 0.1 set cpu_tuple_cost = 0.1 set max_parallel_workers_per_gather = 0 set work_mem = '16MB'
set enable_sort = off set enable_incremental_sort = off
as $$
declare
  most constant int := 10000; -- reachable by paging, and counted exactly
  params constant jsonb := p_params;
  first_key text := voterfile.search_key(params ->> 'firstName');
  last_key text := voterfile.search_key(params ->> 'lastName');
  house_key text := voterfile.search_key(params ->> 'houseNumber');
  zip_key text := voterfile.search_key(params ->> 'zip');
  city_key text := voterfile.search_key(params ->> 'city');
  county_key text := voterfile.search_key(params ->> 'county');
  -- What is searched by: each filter as a range, where an index begins and ends, and as a test of what is walked past.
  keys text[];
  ranges text[];
  tests text[];
  order_by text := coalesce(nullif(params ->> 'order', ''), 'lastName');
  descending boolean := order_by like '-%';
  -- What an index begins with, for each order.
  columns text[] := case case when descending then substring(order_by from 2) else order_by end
    when 'firstName' then array['first_key', 'voter_id']
    when 'middleName' then array['middle_key', 'voter_id']
    when 'lastName' then array['last_key', 'voter_id']
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
  sorted_by text := 'v.' || columns[1];
  place_filters text[];
  by_place boolean;
  places text[]; -- where there is somebody
  query_from int := coalesce((params ->> 'queryFrom')::int, 0);
  query_size int := coalesce((params ->> 'querySize')::int, 25);
  -- A sample, a thousandth of the file or ten pages of it: how many match, how many match all filters and each alone, how
  -- many the index of the order is walked past until the page is full, and what is sorted by where there should be more
  -- than twice as many as can be reached.
  share float := least(1, greatest(0.001, 10 * 8192.0 / greatest(pg_relation_size('voterfile.voters'), 1)));
  matching int;
  each int[];
  narrowest int;
  passed int;
  enough text;
  walked text; -- the filters for walking the index of the order
  read text; -- the filters for reading those that match the narrowest
  reach int;
  reached text[]; -- the first voters in order, so many if there are
  found int;
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

  select array_agg(f.key), array_agg(f.range),
    array_agg(case when f.initial is null then f.range
      when f.value ~ '^[a-z]$' then f.initial -- which says it all
      else f.initial || ' and ' || f.range end)
  into keys, ranges, tests
  from (
    select f.key, f.value,
      case when f.key = 'house_key' then 'v.house_key = $3'
        -- A prefix, as all from it to it with the last character there is: an index needs no second look then.
        else format('v.%1$I >= $%2$s and v.%1$I < $%2$s || %3$L', f.key, f.place, chr(1114111)) end as range,
      'v.' || f.initial || format(' = %L', voterfile.initial(f.value)) as initial
    from (values
      (1, 'first_key', first_key, 'first_initial'), (2, 'last_key', last_key, 'last_initial'),
      (3, 'house_key', house_key, null), (4, 'zip_key', zip_key, null), (5, 'city_key', city_key, null),
      (6, 'county_key', county_key, null)
    ) f (place, key, value, initial)
    where f.value is not null
  ) f;
  place_filters := array(select r from unnest(keys, ranges) f (k, r) where k in ('zip_key', 'city_key', 'county_key'));
  -- Who searches by one kind of place, in order of another, finds nobody in most places of that.
  by_place := columns[1] in ('zip_key', 'city_key', 'county_key')
    and exists (select from unnest(keys) k where k in ('zip_key', 'city_key', 'county_key') and k <> columns[1]);

  reach := query_from + query_size;
  execute format($query$
    select count(*) filter (where matches), array[%6$s]::int[],
      count(*) filter (where in_range and filled < $7 * $9),
      (array_agg(%4$s) filter (where filled = round(2.5 * $8 * $9)))[1]
    from (
      select v.*, count(*) filter (where matches) over (order by %3$s rows unbounded preceding) as filled
      from (
        select v.*, %1$s as matches, %5$s as in_range
        from voterfile.voters v tablesample system (100 * $9) repeatable (1)) v
    ) v
  $query$, array_to_string(array['true'] || ranges, ' and '), array_to_string(columns, ', '), sort_missing_last,
    sorted_by, coalesce(ranges[array_position(keys, columns[1])], 'true'),
    array_to_string(array(select format('count(*) filter (where %s)', r) from unnest(ranges) r), ', '))
  into matching, each, passed, enough
  using first_key, last_key, house_key, zip_key, city_key, county_key, reach, most, share;

  narrowest := (select min(c) from unnest(each) c);
  -- An index is read within the range that it begins with.
  select coalesce(string_agg(case when keys[n] = columns[1] then ranges[n] else tests[n] end, ' and '), 'true'),
    coalesce(string_agg(case when each[n] = narrowest then ranges[n] else tests[n] end, ' and '), 'true')
  into walked, read
  from generate_subscripts(ranges, 1) n;

  -- To read and sort one takes as long as to walk past seven, and those of the narrowest filter are passed for it in an
  -- index of larger entries; to take one out where it was walked to, as long as to walk past ten. A first page is
  -- nearer than the first of the sample, often. In order of places, many are never sorted: the walk leaves places out,
  -- and is shorter than the sample has it.
  if narrowest * 1.5 + matching * 7
      < passed * least(1, 0.25 + reach * share) + 10 * least(reach * share, matching)
    and (not by_place or matching < (15000 + reach) * share) then
    reach := most + 1; -- which counts them, too
    enough := case when enough is null then 'true'
      else format('%s %s %L', sorted_by, case when descending then '>=' else '<=' end, enough) end;
    loop
      execute format($query$
        select array(
          select voter_id from (select %2$s from voterfile.voters v where %1$s offset 0) v
          where %4$s order by %3$s limit $7)
      $query$, read, array_to_string(columns, ', '), sort_missing_last, enough)
      into reached
      using first_key, last_key, house_key, zip_key, city_key, county_key, reach;
      exit when enough = 'true' or cardinality(reached) = reach;
      enough := 'true'; -- the sample was wrong
    end loop;
  else
    if by_place then
      execute format($query$
        with recursive place as (
          (select %2$s as key from voterfile.voters v where %1$s order by %2$s limit 1)
          union all
          select (select %2$s from voterfile.voters v where %1$s and %2$s > p.key order by %2$s limit 1)
          from place p where p.key is not null
        )
        select array_agg(key) from place where key is not null
      $query$, array_to_string(place_filters, ' and '), sorted_by)
      into places
      using first_key, last_key, house_key, zip_key, city_key, county_key;
    end if;
    if reach > most * 0.9 then reach := most + 1; end if; -- a little further counts them, too
    -- Backwards, an index begins with those who lack the column: they are read when the others are not enough.
    execute format($query$
      select array(
        select voter_id from (
          (select voter_id from voterfile.voters v where %1$s and %2$s order by %4$s limit $7)
          union all
          (select voter_id from voterfile.voters v where %1$s and %3$s is null order by %4$s limit $7)
        ) v limit $7)
    $query$, walked, sorted_by || case when by_place then ' = any ($8)' else ' is not null' end, sorted_by, sort)
    into reached
    using first_key, last_key, house_key, zip_key, city_key, county_key, reach, places;
  end if;

  found := cardinality(reached);
  if found = reach and reach <= most then
    execute format('select count(*) from (select from voterfile.voters v where %s limit $7 + 1) v', read)
    into found
    using first_key, last_key, house_key, zip_key, city_key, county_key, most;
  end if;

  return jsonb_build_object(
    'total', least(found, most),
    'relation', case when found > most then 'gte' else 'eq' end,
    'hits', (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'voterId', v.voter_id, 'firstName', v.first_name, 'middleName', v.middle_name, 'lastName', v.last_name,
        'houseNumber', v.house_number, 'street', v.street, 'unit', v.unit,
        'city', v.city, 'zip', v.zip, 'county', v.county)) order by p.place), '[]')
      from unnest(reached[query_from + 1 : query_from + query_size]) with ordinality as p (voter_id, place)
      join voterfile.voters v on v.voter_id = p.voter_id
    ));
end $$;
comment on function public.search_voters is
  'One page of voters and how many there are: { total, relation, hits }. firstName, lastName, zip, city and county match '
  'from the beginning, houseNumber whole; case and diacritics do not count. In order of the '
  'column that order names, else of the last name, and of the voter id; a descending order turns both around, and who '
  'lacks the column comes last either way. A bad order, queryFrom or querySize is an invalid_parameter_value whose '
  'message names it.';
grant execute on function public.search_voters to service_role;
