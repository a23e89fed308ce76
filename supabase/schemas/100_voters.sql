-- The voter file and its two searches, for teams without another search backend. Only supabase/functions/search-backend reads
-- it: REST doesn't show the schema, and only the service role may call the functions.

-- Declared immutable although `unaccent` is stable: after a change of its rules, which are a file, rewrite the table.
create function voterfile.search_key(p_text text) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return nullif(lower(translate(extensions.unaccent('extensions.unaccent'::regdictionary, normalize(p_text)),
    E' \t\u00a0''`\u2018\u2019\u02bb\u02bc-.', '')), '');
end $$;
comment on function voterfile.search_key is
  'A text without case, diacritics, blanks, apostrophes, hyphens and dots, so that oconnor finds O''Connor. Null if empty.';

-- Keys are in "C" order, in which a prefix is a range of an index on every server.
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
  birth_year smallint,
  party text,
  status text,
  district text,
  precinct text,
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
comment on column voterfile.voters.house_value is 'The number at its start: 9 sorts before 10, and both before words.';
alter table voterfile.voters enable row level security;
grant select, insert, update, delete on voterfile.voters to service_role;

-- The first two are read in order of names and include the other keys, so that a broad search only reads the index. The
-- others find the few voters of a place or a house.
create index voters_last on voterfile.voters
  (last_key, first_key, house_value, house_key, voter_id, county_key, city_key, zip_key);
create index voters_first on voterfile.voters
  (first_key, last_key, house_value, house_key, voter_id, county_key, city_key, zip_key);
create index voters_house on voterfile.voters (house_key);
create index voters_street on voterfile.voters (street_key);
create index voters_zip on voterfile.voters (zip_key);
create index voters_city on voterfile.voters (city_key);
create index voters_county on voterfile.voters (county_key);

-- Reads the file once for each prefix, of which a voter file has few.
create function voterfile.written_ids(p_voter_id text) returns text[]
language plpgsql stable strict set search_path = ''
as $$
declare
  letters constant text := upper(substring(p_voter_id from '^[^0-9]*'));
  digits constant text := substring(p_voter_id from '[0-9].*');
begin
  return array[p_voter_id, upper(p_voter_id)] || array(
    with recursive firsts (id) as ( -- with each prefix
      select (select v.voter_id from voterfile.voters v order by v.voter_id limit 1)
      where digits is not null
      union all
      select (select v.voter_id from voterfile.voters v
        where v.voter_id > substring(f.id from '^[^0-9]*') || ':' order by v.voter_id limit 1) -- the sign after 9
      from firsts f where f.id is not null
    )
    select p.prefix || n.digits
    from (select substring(f.id from '^[^0-9]*') as prefix, length(f.id) as length from firsts f where f.id is not null limit 20) p
    cross join lateral (values (digits),
      (case when digits !~ '^0' then lpad(digits, greatest(length(digits), p.length - length(p.prefix)), '0') end)) n (digits)
    where regexp_replace(letters, '[^A-Z]', '', 'g') in ('', regexp_replace(upper(p.prefix), '[^A-Z]', '', 'g'))
      and n.digits is not null
  );
end $$;
comment on function voterfile.written_ids is
  'The ids that someone may mean: as written, in capitals, or digits with the prefix and leading zeros of other ids.';

-- The keys of the search parameters.
create function voterfile.search_keys(p_params jsonb, out last text, out first text, out first_word text,
  out house text, out street text, out zip text, out city text, out county text, out birth_year text, out voter_ids text[])
language plpgsql stable set search_path = ''
as $$
begin
  last := voterfile.search_key(p_params ->> 'lastName');
  first := voterfile.search_key(p_params ->> 'firstName');
  first_word := voterfile.search_key(substring(p_params ->> 'firstName' from '\S+'));
  house := voterfile.search_key(p_params ->> 'houseNumber');
  street := voterfile.search_key(p_params ->> 'street');
  zip := voterfile.search_key(p_params ->> 'zip');
  city := voterfile.search_key(p_params ->> 'city');
  county := voterfile.search_key(p_params ->> 'county');
  birth_year := nullif(btrim(p_params ->> 'birthYear'), '');
  voter_ids := voterfile.written_ids(nullif(btrim(p_params ->> 'voterId'), ''));
end $$;

create function voterfile.hits(p_voter_ids text[], p_matches text[] default '{}') returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'voterId', v.voter_id, 'firstName', v.first_name, 'middleName', v.middle_name, 'lastName', v.last_name,
      'houseNumber', v.house_number, 'street', v.street, 'unit', v.unit,
      'city', v.city, 'zip', v.zip, 'county', v.county, 'birthYear', v.birth_year, 'party', v.party,
      'status', v.status, 'district', v.district, 'precinct', v.precinct, 'match', p.match))
      order by p.place), '[]')
    from unnest(p_voter_ids, p_matches) with ordinality p (voter_id, match, place)
    join voterfile.voters v on v.voter_id = p.voter_id
  );
end $$;
comment on function voterfile.hits is 'Voters as a search returns them, in this order.';

-- Planned for the given values, which removes absent conditions from the plan. Too short for JIT and parallel workers.
create function public.search_voters(p_params jsonb) returns jsonb
language plpgsql stable set search_path = '' set jit = off set max_parallel_workers_per_gather = 0
as $$
declare
  max_found constant int := 10000; -- can be paged, sorted as requested, and counted exactly
  k record := voterfile.search_keys(p_params);
  matching constant text := replace($match$
    from voterfile.voters v
    where ($1 is null or v.last_key >= $1 and v.last_key < $1 || chr(1114111))
      and ($2 is null or v.first_key >= $2 and v.first_key < $2 || chr(1114111))
      and ($3 is null or v.house_key in ($3, $3 || '1/2'))
      and ($4 is null or v.street_key >= $4 and v.street_key < $4 || chr(1114111) {directions})
      and ($5 is null or v.zip_key >= $5 and v.zip_key < $5 || chr(1114111))
      and ($6 is null or v.city_key >= $6 and v.city_key < $6 || chr(1114111))
      and ($7 is null or v.county_key >= $7 and v.county_key < $7 || chr(1114111))
      and ($8 is null or v.voter_id = any($8))
      and ($9 is null or starts_with(concat(v.first_key, v.middle_key), $9)
        or length($2) = 1 and starts_with(v.middle_key, substr($9, 2)))
      and ($10 is null or v.birth_year::text = $10)
  $match$, '{directions}', coalesce((select string_agg(format('or v.street_key >= %1$L || $4
      and v.street_key < %1$L || $4 || chr(1114111) and v.street ~* ''^%1$s[. ]''', direction), ' ')
    from string_to_table('n,e,s,w,ne,nw,se,sw', ',') direction where k.street is not null), ''));
  order_by text := coalesce(nullif(p_params ->> 'order', ''), 'lastName');
  sort text := format(jsonb '{"voterId": "voter_id%1$s", "lastName": "last_key%1$s", "firstName": "first_key%1$s",
    "middleName": "middle_key%1$s", "houseNumber": "house_value%1$s, house_key%1$s", "street": "street_key%1$s",
    "unit": "unit_key%1$s", "city": "city_key%1$s", "zip": "zip_key%1$s", "county": "county_key%1$s"}'
    ->> regexp_replace(order_by, '^-', ''), case when order_by like '-%' then ' desc nulls last' end);
  query_from int := coalesce((p_params ->> 'queryFrom')::int, 0);
  query_size int := coalesce((p_params ->> 'querySize')::int, 25);
  total int;
  page text[];
begin
  if jsonb_typeof(p_params) is distinct from 'object' then
    raise exception 'The parameters must be an object.' using errcode = 'invalid_parameter_value';
  elsif sort is null then
    raise exception 'order must be the name of a field of a hit, with a leading - for descending.'
      using errcode = 'invalid_parameter_value';
  elsif query_size not between 1 and 100 then
    raise exception 'querySize must be 1 to 100.' using errcode = 'invalid_parameter_value';
  elsif query_from not between 0 and max_found - query_size then
    raise exception 'queryFrom must be 0 or more, and with querySize at most %.', max_found
      using errcode = 'invalid_parameter_value';
  end if;
  -- The limit also keeps the planner from reading a whole index in the requested order to find a few voters in it.
  execute format('select count(*), array_agg(v.voter_id order by %s, last_key, first_key, house_value, house_key, voter_id)
    from (select v.* %s limit %s) v', sort, matching, max_found + 1)
    into total, page using k.last, k.first_word, k.house, k.street, k.zip, k.city, k.county, k.voter_ids,
      nullif(k.first, k.first_word), k.birth_year;
  if total <= max_found then
    page := page[query_from + 1 : query_from + query_size];
  else -- too many to sort: in the order of one of the first two indexes
    execute format('select array(select v.voter_id %s
      order by %s, last_key, first_key, house_value, house_key, voter_id offset %s limit %s)',
      matching, case when sort like 'first%' then 'first_key' else 'last_key' end, query_from, query_size)
      into page using k.last, k.first_word, k.house, k.street, k.zip, k.city, k.county, k.voter_ids,
        nullif(k.first, k.first_word), k.birth_year;
  end if;
  return jsonb_build_object('total', least(total, max_found), 'relation', case when total > max_found then 'gte' else 'eq' end,
    'hits', voterfile.hits(page));
end $$;
comment on function public.search_voters is
  'One page of voters and how many there are: { total, relation, hits }. Names, street, zip, city and county match prefixes, a '
  'firstName of several words also first and middle name, a street also after a direction; the others match whole, voterId also '
  'in capitals and without its letters. Sorted by `order`, then by name, house number and voter id; voters without the field come '
  'last. Of more than 10,000 (relation gte) only firstName and lastName are possible. A bad value is an invalid_parameter_value.';

-- ── Near matches ────────────────────────────────────────────────────────────────────────────────────────────

create table voterfile.names (
  is_last boolean,
  key text collate "C",
  voter_count int not null,
  sounds text[] not null,
  last_word text collate "C",
  primary key (is_last, key)
);
comment on table voterfile.names is
  'The distinct last and first names, with their phonetic codes and the last of several words. Written by refresh_names.';
create index names_last_word on voterfile.names (last_word) where last_word is not null;
create index names_sounds on voterfile.names using gin (sounds);
create index names_trigrams on voterfile.names using gin (key extensions.gin_trgm_ops);
alter table voterfile.names enable row level security;
grant select on voterfile.names to service_role;

create table voterfile.counties (
  county text collate "C" primary key,
  registered int not null
);
comment on table voterfile.counties is 'Voters per county, which take too long to count. Written by refresh_names.';
alter table voterfile.counties enable row level security;
grant select on voterfile.counties to service_role;

create table voterfile.districts (district text collate "C" primary key);
comment on table voterfile.districts is 'The districts of the voters, which take too long to list. Written by refresh_names.';
alter table voterfile.districts enable row level security;
grant select on voterfile.districts to service_role;

create function voterfile.sounds(p_key text) returns text[]
language sql immutable parallel safe
return array_remove(array[extensions.dmetaphone(p_key), extensions.dmetaphone_alt(p_key)], '');

-- Deletes and inserts, so that concurrent searches find the old names.
create function voterfile.refresh_names(p_voters text default 'voterfile.voters') returns void
language plpgsql set search_path = ''
as $$
begin
  delete from voterfile.names;
  execute format('
    insert into voterfile.names (is_last, key, voter_count, sounds, last_word)
    select is_last, key, count(*), voterfile.sounds(key),
      voterfile.search_key(substring(max(name) filter (where name ~ ''\S[ -]+\S'') from ''[ -]([^ -]+)\s*$''))
    from (
      select true as is_last, last_key as key, last_name as name from %1$s
      union all select false, first_key, first_name from %1$s
    ) n
    where length(key) <= 60
    group by is_last, key', p_voters::regclass);
  delete from voterfile.counties;
  execute format('
    insert into voterfile.counties select county, count(*) from %s where county is not null group by county', p_voters::regclass);
  delete from voterfile.districts;
  execute format('
    insert into voterfile.districts select distinct district from %s where district is not null', p_voters::regclass);
end $$;
comment on function voterfile.refresh_names is 'Updates the tables of names, counties and districts, after each load.';

create function voterfile.single_edits(p_key text) returns setof text
language sql immutable parallel safe set search_path = '' rows 500
as $$
  select left(p_key, n - 1) || substr(p_key, n + 1) from generate_series(1, length(p_key)) n
  union
  select left(p_key, n - 1) || substr(p_key, n + 1, 1) || substr(p_key, n, 1) || substr(p_key, n + 2)
  from generate_series(1, length(p_key) - 1) n
  union
  select left(p_key, n) || letter || substr(p_key, n + 1 + other)
  from generate_series(0, length(p_key)) n, generate_series(0, 1) other,
    string_to_table('abcdefghijklmnopqrstuvwxyz', null) letter
  union
  select replace(p_key, read, written)
  from (values ('rn', 'm'), ('m', 'rn'), ('cl', 'd'), ('d', 'cl'), ('vv', 'w'), ('w', 'vv')) alike (read, written)
  where position(read in p_key) > 0
  union
  select direction || p_key from string_to_table('ne,nw,se,sw', ',') direction
$$;
comment on function voterfile.single_edits is
  'All texts that differ by one letter or two swapped ones, look alike in handwriting, or have a direction before them.';

create table voterfile.short_forms (
  short text collate "C",
  name text collate "C",
  primary key (short, name)
);
comment on table voterfile.short_forms is 'First names and their short forms: bob for robert.';
create index short_forms_name on voterfile.short_forms (name);
alter table voterfile.short_forms enable row level security;
grant select on voterfile.short_forms to service_role;

create function voterfile.similar_names(p_key text, p_is_last boolean)
returns table (key text, distance float, match text)
language plpgsql stable set search_path = '' set pg_trgm.similarity_threshold = 0.4 rows 40
as $$
declare
  p_sounds text[] := voterfile.sounds(p_key);
begin
  return query
    with found (key, voter_count, distance, match) as (
      select n.key, n.voter_count, 0.0, null from voterfile.names n where n.is_last = p_is_last and n.key = p_key
      union all
      (select n.key, n.voter_count, 0.2, null from voterfile.names n
        where n.is_last = p_is_last and n.key > p_key and n.key < p_key || chr(1114111)
        order by n.voter_count desc limit 20)
      union all
      select n.key, n.voter_count, 0.6, 'short form'
      from (select s.name from voterfile.short_forms s where s.short = p_key
        union select s.short from voterfile.short_forms s where s.name = p_key) s (name)
      join voterfile.names n on not p_is_last and not n.is_last and n.key = s.name
      union all
      (select n.key, n.voter_count, 0.4, 'part of name' from voterfile.names n
        where n.is_last = p_is_last and n.last_word = p_key and n.key <> p_key
        order by n.voter_count desc limit 20)
      union all
      select n.key, n.voter_count, 0.7 + 0.2 * extensions.levenshtein(n.key, p_key), 'sounds like' from voterfile.names n
      where n.is_last = p_is_last and n.sounds && p_sounds
        and extensions.levenshtein_less_equal(n.key, p_key, 4) <= least(4, (length(p_key) + 1) / 2)
      union all
      select n.key, n.voter_count, case when n.key = s then 1.0 else 1.3 end, 'similar'
      from voterfile.single_edits(p_key) s
      join voterfile.names n on n.is_last = p_is_last and n.key >= s
        and n.key < s || case when length(s) >= 4 then chr(1114111) else chr(1) end
      union all
      select n.key, n.voter_count, extensions.levenshtein(n.key, p_key), 'similar' from voterfile.names n
      where n.is_last = p_is_last and n.key operator(extensions.%) p_key
        and extensions.levenshtein_less_equal(n.key, p_key, 3) <= 3
    ), nearest as (
      select distinct on (f.key) f.key, f.distance - ln(f.voter_count) / 40 as distance, f.match
      from found f order by f.key, f.distance
    )
    select n.key, n.distance::float, n.match from nearest n order by n.distance limit 40;
end $$;
comment on function voterfile.similar_names is
  'Names that are spelled or sound similarly, or are a short form, nearest first. `match` is null for those that begin with it.';

-- Without a name: voters whose ids begin as given, and one of each place spelled similarly to one that no voter has.
create function voterfile.similar_places(p_voter_ids text[], p_city text, p_street text)
returns table (voter_id text, match text)
language plpgsql stable set search_path = ''
as $$
declare
  place text;
begin
  return query select distinct v.voter_id, 'part of id' from unnest(p_voter_ids) w
    cross join lateral (
      select v.voter_id from voterfile.voters v where v.voter_id > w and v.voter_id < w || chr(1114111)
      order by v.voter_id limit 25) v
    where length(w) >= 4 order by 1 limit 25;
  foreach place in array array['city', 'street'] loop
    return query execute format($query$
      select v.voter_id, 'similar %1$s' from (
        select distinct on (v.%1$s_key) v.voter_id, v.%1$s_key as key from voterfile.single_edits($1) s
        cross join lateral (
          select v.voter_id, v.%1$s_key from voterfile.voters v
          where v.%1$s_key >= s and v.%1$s_key < s || chr(case when length(s) >= 4 then 1114111 else 1 end)
          order by v.%1$s_key limit 1) v
        where length($1) between 4 and 40 and not exists (
          select from voterfile.voters v where v.%1$s_key >= $1 and v.%1$s_key < $1 || chr(1114111))) v
      order by extensions.levenshtein(v.key, $1), v.key limit 3$query$, place)
    using case place when 'city' then p_city else p_street end;
  end loop;
end $$;

-- Without a name, at a house number: voters of streets that are spelled similarly, and those whose numbers differ in an addition.
create function voterfile.similar_addresses(p_house text, p_value int, p_street text, p_zip text, p_city text, p_county text)
returns table (voter_id text, match text)
language sql stable set search_path = ''
as $$
  with at_house as materialized (
    select v.* from voterfile.voters v where v.house_key = p_house
  ), found as (
    select v.voter_id, 'similar street' as match, v.zip_key, v.city_key, v.county_key, v.last_key, v.first_key from at_house v
    where length(p_street) between 4 and 40 and not starts_with(v.street_key, p_street)
      and exists (select from voterfile.single_edits(p_street) s where length(s) >= 4 and starts_with(v.street_key, s))
    union all
    select v.voter_id, 'another number', v.zip_key, v.city_key, v.county_key, v.last_key, v.first_key from voterfile.voters v
    where v.street_key >= p_street and v.street_key < p_street || chr(1114111)
      and v.house_value = p_value and v.house_key <> p_house and p_value::text in (v.house_key, p_house)
  )
  select f.voter_id, f.match from found f
  where (p_zip is null or starts_with(f.zip_key, p_zip)) and (p_city is null or starts_with(f.city_key, p_city))
    and (p_county is null or starts_with(f.county_key, p_county))
  order by f.match, f.last_key, f.first_key, f.voter_id limit 25
$$;

create function public.similar_voters(p_params jsonb) returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
set jit = off set max_parallel_workers_per_gather = 0
as $$
declare
  k record := voterfile.search_keys(p_params);
  k_value int := substring(p_params ->> 'houseNumber' from '^\s*([0-9]{1,9})')::int;
  ids text[];
  matches text[];
begin
  if k.last is null and k.first is null then
    select array_agg(p.voter_id), array_agg(p.match) into ids, matches from (
      select * from voterfile.similar_addresses(k.house, k_value, k.street, k.zip, k.city, k.county)
      union all select * from voterfile.similar_places(k.voter_ids, k.city, k.street) where k.house is null) p;
    return jsonb_build_object('total', coalesce(cardinality(ids), 0), 'relation', 'eq', 'hits', voterfile.hits(ids, matches));
  end if;
  with lasts as materialized (
    select s.* from voterfile.similar_names(k.last, true) s union all select null, 0, null where k.last is null
    union all -- `smith jones` for John Smith, `lopez-garcia` for García-López
    select voterfile.search_key(w.word), case when w.place = 1 then 0.1 else 1.2 end, 'part of name'
    from unnest(regexp_replace(p_params ->> 'lastName', '^(.*\S)[ -]+(\S+)', '\2\1')
      || regexp_split_to_array(p_params ->> 'lastName', '[ -]+')) with ordinality w (word, place)
    where p_params ->> 'lastName' ~ '\S[ -]+\S'
  ), firsts as materialized (
    select s.* from voterfile.similar_names(k.first, false) s union all select null, 0, null where k.first is null
  ), pairs as materialized (
    select l.key as last, f.key as first, l.distance + f.distance as distance, case
      when 'part of name' in (l.match, f.match) then 'part of name'
      when f.match = 'short form' then f.match
      when 'similar' in (l.match, f.match) then 'similar'
      else 'sounds like' end as match
    from lasts l cross join firsts f
    where (l.match is not null or f.match is not null) and l.distance + f.distance < 2.5
    union all
    select k.first, k.last, 0.5, 'swapped' where k.first is not null and k.last is not null
    union all -- `jones ana` for Ana Smith-Jones
    (select n.key, k.last, 0.6, 'part of name' from voterfile.names n
      where n.is_last and n.last_word = k.first and k.last is not null order by n.voter_count desc limit 20)
  ), nearest as (
    select distinct on (v.voter_id) v.*, p.distance, p.match
    from pairs p cross join lateral (
      select v.voter_id, v.last_key, v.first_key, v.house_value, v.house_key
      from voterfile.voters v
      where (k.last is null or v.last_key = p.last) and (k.first is null or v.first_key = p.first)
        and (k.house is null or v.house_key = k.house)
        and (k.street is null or v.street_key >= k.street and v.street_key < k.street || chr(1114111))
        and (k.zip is null or v.zip_key >= k.zip and v.zip_key < k.zip || chr(1114111))
        and (k.city is null or v.city_key >= k.city and v.city_key < k.city || chr(1114111))
        and (k.county is null or v.county_key >= k.county and v.county_key < k.county || chr(1114111))
        and (k.birth_year is null or v.birth_year::text = k.birth_year)
      limit 25
    ) v
    order by v.voter_id, p.distance
  ), names (last, first) as (
    values (k.last, coalesce(k.first, '')), (k.first, k.last)
  ), same_address as materialized ( -- a voter of this name at this address: then the others needn't be compared
    select from names n
    join voterfile.voters v on v.last_key = n.last and v.first_key >= n.first and v.first_key < n.first || chr(1114111)
    where (k.house is null or v.house_key = k.house)
      and (k.street is null or starts_with(v.street_key, k.street))
      and (k.zip is null or starts_with(v.zip_key, k.zip))
      and (k.city is null or starts_with(v.city_key, k.city))
      and (k.county is null or starts_with(v.county_key, k.county))
    limit 1
  ), named as materialized (
    select v.voter_id, v.last_key, v.first_key, v.house_value, v.house_key, array_remove(array[
        case when coalesce(v.house_key, '') <> k.house then 'number' end,
        case when not starts_with(coalesce(v.street_key, ''), k.street) then 'street' end,
        case when not starts_with(coalesce(v.zip_key, ''), k.zip) then 'zip' end,
        case when not starts_with(coalesce(v.city_key, ''), k.city) then 'city' end,
        case when not starts_with(coalesce(v.county_key, ''), k.county) then 'county' end], null) as differing,
      v.house_value = k_value and k_value::text in (v.house_key, k.house) as is_addition, -- 700 and 700 1/2
      coalesce(extensions.levenshtein(left(v.house_key, 20), left(k.house, 20)), 0)
        + coalesce(extensions.levenshtein(left(v.zip_key, 20), left(k.zip, 20)), 0) as digits_off
    from names n
    join voterfile.voters v on v.last_key = n.last and v.first_key >= n.first and v.first_key < n.first || chr(1114111)
    where not exists (select from same_address)
  ), other_addresses as materialized (
    select n.voter_id, n.last_key, n.first_key, n.house_value, n.house_key,
      case when n.differing = '{number}' and n.is_addition then -1 -- before any edit of a name, the others after all
        else 10 * cardinality(n.differing) + n.digits_off end as distance,
      case when cardinality(n.differing) = 1 then 'another ' || n.differing[1] else 'another address' end as match
    from named n
    order by distance, n.last_key, n.first_key, n.house_value, n.house_key, n.voter_id limit 10
  ), ranked as (
    (select n.* from nearest n
      order by n.distance, n.last_key, n.first_key, n.house_value, n.house_key, n.voter_id
      limit 25 - (select count(*) from other_addresses))
    union all
    select a.* from other_addresses a
    order by distance, last_key, first_key, house_value, house_key, voter_id
  )
  select array_agg(r.voter_id), array_agg(r.match) into ids, matches from ranked r;
  return jsonb_build_object('total', coalesce(cardinality(ids), 0), 'relation', 'eq', 'hits', voterfile.hits(ids, matches));
end $$;
comment on function public.similar_voters is
  'At most 25 voters that search_voters does not find, nearest first, each with the reason as `match`. If no voter has exactly this '
  'name at the address, up to ten with another address follow, before all others if only an addition differs, as 700 and 700 1/2. '
  'Without a name: voters of similar streets at the house number; otherwise those whose id begins with voterId, and a voter of each '
  'of up to three cities and streets that are spelled similarly to one that no voter has.';
