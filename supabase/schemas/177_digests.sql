-- The daily email of a team's progress.

create function public.queue_digests() returns void
language sql security definer set search_path = ''
as $$
  select private.queue_email(c.user_id, t.id, 'digest', (now() at time zone t.time_zone)::date::text)
  from private.email_choices c
  join private.active_members m on m.user_id = c.user_id
  join public.teams t on t.id = m.team_id
  where c.digest and extract(hour from now() at time zone t.time_zone) between 7 and 11
$$;
comment on function public.queue_digests is
  'Queues the daily email of each team for members who want it, once, in the team''s morning. Call it every hour.';

-- Yesterday in the campaigns of a team whose progress a person may see, from the maintained counts.
create function private.digest_content(p_user_id uuid, p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  with team as (
    select t.*, date_trunc('day', now() at time zone t.time_zone) as today from public.teams t where t.id = p_team_id
  ),
  seen as (
    select c.id, c.name, p.keys, y.*
    from private.places(p_user_id) p
    join public.campaigns c on c.id = p.campaign_id
    cross join team t
    cross join lateral (
      select coalesce(sum(n.entered), 0) as lines, coalesce(sum(n.accepted), 0) as valid,
        coalesce(sum(n.duplicates), 0) as duplicates
      from private.line_counts n
      where n.campaign_id = c.id and n.per = 'quarter'
        and n.quarter >= (t.today - interval '1 day') at time zone t.time_zone and n.quarter < t.today at time zone t.time_zone
    ) y
    where p.team_id = p_team_id and 'campaign.view' = any (p.keys) and c.archived_at is null
    order by y.lines desc, c.name limit 20
  )
  select jsonb_build_object('team', t.name, 'teamId', t.id, 'locale', t.locale, 'timeZone', t.time_zone,
    'campaigns', jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'lines', s.lines, 'valid', s.valid,
      'duplicates', s.duplicates, 'seesLines', 'signatures.view' = any (s.keys)) order by s.lines desc, s.name))
  from team t cross join seen s
  group by t.id, t.name, t.locale, t.time_zone
$$;
