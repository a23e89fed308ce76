-- The register: every line of a team's campaign, with filters, orders, pages and its history.

-- A name as it is sorted by: without case and accents; missing names sort last.
create function private.name_key(p_one text, p_other text) returns text
language sql immutable parallel safe
return coalesce(voterfile.search_key(coalesce(p_one || ' ', '') || coalesce(p_other, '')), chr(1114111));

create function private.words(p_text text) returns text[]
language sql immutable parallel safe
return regexp_split_to_array(p_text, '[\s\u00a0,''`\u2018\u2019\u02bb\u02bc.\\-]+');

-- A name as it is searched: each word with those after it, so that any of them can be typed first and blanks left out; first
-- names also as `=william`, for their short forms.
create function private.name_words(p_first text, p_last text) returns tsvector
language sql immutable parallel safe cost 1000
return array_to_tsvector(array(
  select k.key
  from (values (private.words(p_first), '='), (private.words(p_last), null)) n (words, mark)
  cross join generate_series(1, cardinality(n.words)) at
  cross join lateral (values (voterfile.search_key(array_to_string(n.words[at:], ''))),
    (n.mark || voterfile.search_key(n.words[at]))) k (key)
  where k.key is not null));

-- Each frequent order has an index. The first also has the columns of the other orders, so that they are sorted without
-- reading the table.
create index lines_register on public.lines (team_id, campaign_id, entered_at, id)
  include (removed_at, verdict, signed_on, entered_by);
create index lines_sheet_line on public.lines (team_id, campaign_id, coalesce(sheet, 0), coalesce(line, 0), id);
create index lines_last_name on public.lines (team_id, campaign_id, (private.name_key(last_name, first_name) collate "C"), id);
create index lines_name_words on public.lines using gin (private.name_words(first_name, last_name)) with (fastupdate = off);
create index lines_voter on public.lines (team_id, campaign_id, voter_id);

-- ── Lines ────────────────────────────────────────────────────────────────────────────────────────────────────────

create function private.person_json(p_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select case when p_id is not null then
    jsonb_build_object('id', p_id, 'name', (select p.name from public.profiles p where p.user_id = p_id)) end
$$;

create function private.register_line(p_line public.lines) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_line.id, 'sheet', p_line.sheet, 'line', p_line.line, 'verdict', p_line.verdict, 'voterId', p_line.voter_id,
    'firstName', p_line.first_name, 'lastName', p_line.last_name, 'address', p_line.address, 'city', p_line.city,
    'county', p_line.county, 'zip', p_line.zip, 'signedOn', p_line.signed_on, 'note', p_line.note,
    'circulator', (
      select s.circulator from public.sheets s
      where s.team_id = p_line.team_id and s.campaign_id = p_line.campaign_id and s.number = p_line.sheet),
    'enteredAt', private.utc(p_line.entered_at), 'enteredBy', private.person_json(p_line.entered_by),
    'removedAt', private.utc(p_line.removed_at), 'removedBecause', p_line.removed_because,
    'isCorrected', p_line.removed_at is not null and exists (select from public.lines n where n.replaces = p_line.id),
    'first', (
      select case when f.team_id <> p_line.team_id then '{"ownTeam": false}'::jsonb
        else jsonb_build_object('ownTeam', true, 'id', f.id, 'sheet', f.sheet, 'line', f.line, 'firstName', f.first_name,
          'lastName', f.last_name) end
      from public.lines f
      where p_line.verdict = 'duplicate' and f.campaign_id = p_line.campaign_id and f.voter_id = p_line.voter_id
        and f.verdict = 'accepted' and f.removed_at is null))
$$;
comment on function private.register_line is
  'A line as the register shows it. `first` is the accepted line that a duplicate duplicates; of another team''s line, only '
  'that there is one.';

-- ── Finding lines ──────────────────────────────────────────────────────────────────────────────────────────────────

-- Names with words that begin as those typed, or, if there are several, with the name that a short form is of, and the other
-- way round. With p_similar, one word is enough, and those that differ from it by a letter match too.
create function private.name_query(p_team_id text, p_campaign_id text, p_name text, p_similar boolean) returns text
language sql stable set search_path = ''
as $$
  select string_agg('(' || m.alternatives || ')', ' & ')
  from unnest(private.words(p_name)) w (word)
  cross join voterfile.search_key(w.word) k (key)
  cross join lateral (
    select string_agg(a.alternative, ' | ') as alternatives from (
      select format('''%s'':*', k.key) where k.key is not null
      union all
      select format('''=%s''', f.form)
      from (select s.name from voterfile.short_forms s where s.short = k.key
        union select s.short from voterfile.short_forms s where s.name = k.key) f (form)
      where p_similar or cardinality(private.words(btrim(p_name))) > 1
      union all
      (select format('''%s'':*', e.key) from voterfile.single_edits(k.key) e (key)
        where p_similar and length(k.key) between 4 and 40 and exists (select from public.lines l
          where l.team_id = p_team_id and l.campaign_id = p_campaign_id
            and private.name_words(l.first_name, l.last_name) @@ format('''%s'':*', e.key)::tsquery)
        order by e.key limit 12)) a (alternative)) m
$$;

-- An optional filter { name, voter, sheet, verdict, clerk, circulator, county, signedFrom, signedTo, enteredFrom,
-- enteredTo, state } (a name with a digit is a voter ID) as conditions on a line `l`, with $1 the team, $2 the campaign and
-- $3 `asked`; the verdict `not-blank` is every other one, the county `No county` none. If no name has the words typed,
-- `asked.similar` is true, and similar names match. Only given fields become conditions, so that the planner sees which index
-- serves them.
create function private.register_conditions(
  p_team_id text, p_campaign_id text, p_filter jsonb, out asked jsonb, out conditions text
)
language sql stable set search_path = ''
as $$
  with typed as (
    select jsonb_strip_nulls(p_filter || jsonb_build_object(
        'name', private.name_query(p_team_id, p_campaign_id, substring(p_filter ->> 'name' from '^\D+$'), false),
        'voter', to_jsonb(voterfile.written_ids(coalesce(p_filter ->> 'voter', substring(p_filter ->> 'name' from '\S*\d\S*')))),
        'enteredFrom', (p_filter ->> 'enteredFrom')::date::timestamp at time zone t.time_zone,
        'enteredTo', ((p_filter ->> 'enteredTo')::date + 1)::timestamp at time zone t.time_zone)) as asked
    from public.teams t where t.id = p_team_id
  ),
  given as (
    select case when not t.asked ? 'name' or exists (select from public.lines l
        where l.team_id = p_team_id and l.campaign_id = p_campaign_id
          and private.name_words(l.first_name, l.last_name) @@ (t.asked ->> 'name')::tsquery)
      then t.asked
      else t.asked || jsonb_build_object('similar', true,
        'name', private.name_query(p_team_id, p_campaign_id, p_filter ->> 'name', true)) end as asked
    from typed t
  )
  select g.asked, concat_ws(' and ', 'l.team_id = $1 and l.campaign_id = $2',
    case coalesce(g.asked ->> 'state', 'live')
      when 'live' then 'l.removed_at is null'
      when 'removed' then 'l.removed_at is not null' end,
    (select string_agg(c.condition, ' and ') from (values
      ('name', 'private.name_words(l.first_name, l.last_name) @@ ($3 ->> ''name'')::tsquery'),
      ('voter', 'l.voter_id = any (array(select jsonb_array_elements_text($3 -> ''voter'')))'),
      ('sheet', 'l.sheet = ($3 ->> ''sheet'')::int'),
      ('verdict', case g.asked ->> 'verdict'
        when 'not-blank' then 'l.verdict <> ''blank''' else 'l.verdict = $3 ->> ''verdict''' end),
      ('clerk', 'l.entered_by = ($3 ->> ''clerk'')::uuid'),
      ('circulator', 'l.sheet in (select s.number from public.sheets s where s.team_id = $1'
        ' and s.campaign_id = $2 and s.circulator = $3 ->> ''circulator'')'),
      ('county', case g.asked ->> 'county'
        when 'No county' then 'l.county is null' else 'l.county = $3 ->> ''county''' end),
      ('signedFrom', 'l.signed_on >= ($3 ->> ''signedFrom'')::date'),
      ('signedTo', 'l.signed_on <= ($3 ->> ''signedTo'')::date'),
      ('enteredFrom', 'l.entered_at >= ($3 ->> ''enteredFrom'')::timestamptz'),
      ('enteredTo', 'l.entered_at < ($3 ->> ''enteredTo'')::timestamptz')) c (name, condition)
    where g.asked ? c.name))
  from given g
$$;

create function public.register_counts(p_team_id text, p_campaign_id text, p_filter jsonb) returns jsonb
language plpgsql stable set search_path = '' set jit = off
as $$
declare
  max_lines constant int := 10000;
  verdict text := coalesce(p_filter ->> 'verdict', 'all');
  asked jsonb;
  conditions text;
  counts jsonb;
begin
  select c.asked, c.conditions into asked, conditions from private.register_conditions(p_team_id, p_campaign_id, p_filter) c;
  if (asked - '{clerk,county,verdict}'::text[] = '{}' or asked - '{sheet,verdict}'::text[] = '{}')
    and verdict in ('all', 'not-blank', 'accepted', 'duplicate', 'blank')
  then
    return (
      select jsonb_build_object('lines', t.accepted + t.rejected + t.blank, 'accepted', t.accepted, 'rejected', t.rejected,
        'removed', 0, 'corrected', 0)
      from (
        select coalesce(sum(n.accepted) filter (where verdict in ('all', 'not-blank', 'accepted')), 0) as accepted,
          coalesce(sum(case verdict when 'duplicate' then n.duplicates else n.entered - n.accepted end)
            filter (where verdict in ('all', 'not-blank', 'duplicate')), 0) as rejected,
          coalesce(sum(n.blank) filter (where verdict in ('all', 'blank')), 0) as blank
        from private.line_counts n
        where n.campaign_id = p_campaign_id and n.per = case when asked ? 'sheet' then 'sheet' else 'county' end
          and n.team_id = p_team_id and (not asked ? 'clerk' or n.entered_by = (asked ->> 'clerk')::uuid)
          and (not asked ? 'county' or n.county is not distinct from nullif(asked ->> 'county', 'No county'))
          and (not asked ? 'sheet' or n.sheet = (asked ->> 'sheet')::int)
      ) t);
  end if;
  execute format(
    'select jsonb_build_object(''lines'', count(c.verdict), ''accepted'', count(*) filter (where c.verdict = ''accepted''),
       ''rejected'', count(*) filter (where c.verdict not in (''accepted'', ''blank'')),
       ''removed'', count(*) filter (where c.verdict is null and not c.corrected),
       ''corrected'', count(*) filter (where c.corrected))
     from (select case when l.removed_at is null then l.verdict end as verdict,
         l.removed_at is not null and exists (select from public.lines n where n.replaces = l.id) as corrected
       from public.lines l where %s limit $4) c',
    conditions)
  into counts using p_team_id, p_campaign_id, asked, max_lines + 1;
  return case when (counts ->> 'lines')::int + (counts ->> 'removed')::int + (counts ->> 'corrected')::int > max_lines
    then jsonb_build_object('linesAbove', max_lines) else counts end;
end $$;
comment on function public.register_counts is
  'Counts the lines of a team that match a filter of the register: { lines, accepted, rejected, removed, corrected }, of '
  'which `corrected` counts versions before a correction and `removed` other removed ones, or { linesAbove: 10000 } if more '
  'match. Exact without a filter, and by sheet, or clerk and county, with the verdicts that have counts. Guard first.';

create function public.register_lines(
  p_team_id text, p_campaign_id text, p_filter jsonb, p_sort text, p_after jsonb, p_limit int
) returns jsonb
language plpgsql stable set search_path = '' set jit = off
as $$
declare
  size int := least(p_limit, 1000);
  back boolean := coalesce((p_after ->> 'back')::boolean, false);
  descending boolean := (p_sort like '-%') <> back;
  asked jsonb;
  conditions text;
  -- The sort keys: never null and all in one direction, so they compare as one row.
  keys text[] := case ltrim(p_sort, '-')
    when 'entered' then array['l.entered_at']
    when 'sheet' then array['coalesce(l.sheet, 0)', 'coalesce(l.line, 0)']
    when 'name' then array['private.name_key(l.last_name, l.first_name) collate "C"']
    when 'verdict' then array['l.verdict collate "C"', 'l.entered_at']
    when 'clerk' then array['coalesce(c.key, chr(1114111)) collate "C"', 'l.entered_at']
    when 'signed' then array['coalesce(l.signed_on, ''-infinity'')', 'l.entered_at']
  end || 'l.id'::text;
  source text := 'public.lines l' || case when ltrim(p_sort, '-') = 'clerk' then
    ' left join (select p.user_id, private.name_key(p.name, null) as key from public.profiles p offset 0) c'
    ' on c.user_id = l.entered_by' else '' end;
  found uuid[];
begin
  select c.asked, c.conditions into asked, conditions from private.register_conditions(p_team_id, p_campaign_id, p_filter) c;
  if p_after is not null then
    conditions := format('%1$s and (%2$s) %3$s (select %2$s from %4$s where l.id = $4 and l.team_id = $1 and l.campaign_id = $2)',
      conditions, array_to_string(keys, ', '), case when descending then '<' else '>' end, source);
  end if;
  execute format('select array(select l.id from %s where %s order by %s limit $5)', source, conditions,
    array_to_string(keys, case when descending then ' desc, ' else ', ' end) || case when descending then ' desc' else '' end)
  into found using p_team_id, p_campaign_id, asked, (p_after ->> 'id')::uuid, size + 1;
  return jsonb_build_object('more', cardinality(found) > size, 'similar', asked ? 'similar', 'lines', (
    select coalesce(jsonb_agg(private.register_line(l) order by case when back then -u.place else u.place end), '[]')
    from unnest(found[:size]) with ordinality u (id, place)
    join public.lines l on l.id = u.id));
end $$;
comment on function public.register_lines is
  'A page of the lines of a team that match a filter of the register: { lines, more, similar }, at most p_limit or 1000. Sorted by '
  'p_sort (entered, sheet, name, verdict, clerk, signed; descending with `-`), after the line p_after { id, back? } or before '
  'it with `back`; `more` says whether lines follow in that direction, `similar` that no name has the words typed. Guard first.';

-- In PL/pgSQL, which looks tables up when it runs: private.line_counts is created later.
create function public.register_choices(p_team_id text, p_campaign_id text) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (with recursive clerks as ( -- skips from one clerk to the next in an index
    (select l.entered_by from public.lines l
      where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.entered_by is not null
      order by l.entered_by limit 1)
    union all
    select (select l.entered_by from public.lines l
      where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.entered_by > c.entered_by
      order by l.entered_by limit 1)
    from clerks c where c.entered_by is not null
  )
  select jsonb_build_object(
    'clerks', (
      select coalesce(jsonb_agg(private.person_json(c.entered_by) order by private.name_key(p.name, null) collate "C"), '[]')
      from clerks c left join public.profiles p on p.user_id = c.entered_by
      where c.entered_by is not null),
    'circulators', (
      select coalesce(jsonb_agg(s.circulator order by s.circulator), '[]')
      from (select distinct s.circulator from public.sheets s
        where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.circulator is not null) s),
    'counties', (
      select coalesce(jsonb_agg(n.county order by n.county), '[]')
      from (select distinct n.county from private.line_counts n
        where n.team_id = p_team_id and n.campaign_id = p_campaign_id and n.per = 'county' and n.county is not null) n)));
end $$;
comment on function public.register_choices is
  'The clerks, circulators and counties of a team''s lines in a campaign: { clerks: [{ id, name }], circulators, counties }. '
  'Guard first.';
