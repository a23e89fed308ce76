-- Correcting a line: it is removed, and a new line replaces it with its clerk, time and place.

create function public.correct_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_line jsonb, p_reason text default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  reason text := nullif(trim(p_reason), '');
  voter text := p_line ->> 'voterId';
  verdict text := p_line ->> 'verdict';
  locked_line record;
  old_line public.lines;
  new_line public.lines;
  refusal jsonb;
begin
  locked_line := private.lock_line(p_actor_id, p_team_id, p_campaign_id, p_id);
  if locked_line.refusal is not null then
    return locked_line.refusal;
  end if;
  old_line := locked_line.stored;
  if old_line.removed_at is not null then
    return '{"outcome": "not-found"}';
  end if;
  if reason is null and old_line.entered_by is distinct from p_actor_id then
    return '{"outcome": "reason-missing"}';
  end if;
  refusal := private.line_refusal(p_actor_id, p_team_id, p_campaign_id, null, null, verdict,
    (p_line ->> 'signedOn')::date);
  if refusal is not null then
    return refusal;
  end if;
  -- Both voters, in one order for all transactions.
  perform private.lock_voter(p_campaign_id, v.id)
  from (select u.id from unnest(array[old_line.voter_id, voter]) u (id) where u.id is not null
    order by hashtext(p_campaign_id || ':' || u.id) & 255) v;
  if verdict = 'accepted' and exists (select from public.lines l where l.campaign_id = p_campaign_id
    and l.voter_id = voter and l.verdict = 'accepted' and l.removed_at is null and l.id <> p_id)
  then
    return jsonb_build_object('outcome', 'duplicate',
      'of', public.already_signed(p_team_id, p_campaign_id, array[voter]) -> voter);
  end if;
  perform private.act_as(p_actor_id, reason);
  update public.lines set removed_at = now(), removed_by = p_actor_id, removed_because = reason
  where id = p_id returning * into old_line;
  insert into public.lines (team_id, campaign_id, sheet, line, verdict, voter_id, first_name, last_name, address, city,
    county, zip, signed_on, note, entered_by, entered_at, replaces)
  values (p_team_id, p_campaign_id, old_line.sheet, old_line.line, verdict, voter, p_line ->> 'firstName',
    p_line ->> 'lastName', p_line ->> 'address', p_line ->> 'city', p_line ->> 'county', p_line ->> 'zip',
    (p_line ->> 'signedOn')::date, p_line ->> 'note', old_line.entered_by, old_line.entered_at, p_id)
  returning * into new_line;
  perform private.act_as(null, null);
  return jsonb_build_object('outcome', 'corrected', 'id', new_line.id,
    'signers', (
      select coalesce(jsonb_agg(jsonb_build_object('voterId', s.voter_id, 'changeNumber', s.change_number,
        'isSigner', s.is_signer) order by s.change_number), '[]')
      from (values (old_line.verdict, old_line.voter_id, old_line.change_number, false),
        (new_line.verdict, new_line.voter_id, new_line.change_number, true)) s (verdict, voter_id, change_number, is_signer)
      where s.verdict = 'accepted'));
end $$;
comment on function public.correct_line is
  'Replaces a line that isn''t removed with { verdict, voterId, firstName, lastName, address, city, county, zip, signedOn, '
  'note }, for a person who may remove it and with the reason that takes. Returns { outcome: corrected, id, signers: '
  '[{ voterId, changeNumber, isSigner }] }, or changes nothing and returns { outcome: duplicate | outside-dates | archived | '
  'not-allowed | not-found | reason-missing, of?, startsOn?, endsOn? } as restore_line does.';

create function public.line_history(p_team_id text, p_campaign_id text, p_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with recursive versions as ( -- the line and those that it replaced, with what each was corrected to
    select l.id, l.replaces, private.line_json(l, null) as was, null::jsonb as became
    from public.lines l where l.id = p_id and l.team_id = p_team_id and l.campaign_id = p_campaign_id
    union all
    select l.id, l.replaces, private.line_json(l, null), v.was
    from versions v join public.lines l on l.id = v.replaces
  ),
  changes as (
    select c.*, v.was, v.became, v.became is not null and c.kind in ('removed', 'undone')
      and c.id = max(c.id) over (partition by v.id) as corrects
    from versions v join public.line_changes c on c.line_id = v.id
  )
  select jsonb_build_object('line', private.register_line(l),
    'replacedBy', (select n.id from public.lines n where n.replaces = l.id limit 1),
    'others', (
      select coalesce(jsonb_agg(private.register_line(o) || jsonb_build_object('removedBy', private.person_json(o.removed_by))
        order by o.removed_at desc, o.id), '[]')
      from (
        select * from public.lines o
        where o.team_id = l.team_id and o.campaign_id = l.campaign_id and o.sheet = l.sheet and o.line = l.line
          and o.id <> l.id and (o.removed_at is not null or l.removed_at is not null) and not exists (select from versions v where v.id = o.id)
          and not exists (select from public.lines n where n.replaces in (o.id, l.id))
        order by o.removed_at desc limit 10) o),
    'changes', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', case when c.corrects then 'corrected' else c.kind end,
          'at', private.utc(c.at), 'by', private.person_json(c.actor_id), 'reason', c.reason,
          'from', jsonb_build_object('sheet', c.sheet_before, 'line', c.line_before),
          'to', jsonb_build_object('sheet', c.sheet_after, 'line', c.line_after))
        || case when c.corrects then jsonb_build_object('was', c.was, 'became', c.became) else '{}' end order by c.id), '[]')
      from changes c),
    'checks', (
      select coalesce(jsonb_agg(jsonb_build_object('at', private.utc(q.entered_at), 'by', private.person_json(q.second_by),
          'differs', q.differs, 'verdict', private.second_verdict(q, l), 'voterId', q.voter_id, 'firstName', q.first_name,
          'lastName', q.last_name, 'address', q.address, 'note', q.note, 'right', q.right_entry, 'settledAt', private.utc(q.settled_at),
          'settledBy', private.person_json(q.settled_by)) order by q.entered_at), '[]')
      from versions v join public.quality_lines q on q.line_id = v.id and q.entered_at is not null))
  from public.lines l
  where l.id = p_id and l.team_id = p_team_id and l.campaign_id = p_campaign_id
$$;
comment on function public.line_history is
  'A line of a team and its changes in order, with those of the lines that it replaced: { line, replacedBy, others, changes: '
  '[{ kind, at, by, reason, from, to, was?, became? }], checks: [{ at, by, differs, verdict, voterId, firstName, lastName, '
  'address, note, right, settledAt, settledBy }] }. Places are { sheet, line }, `by` is null for a change by SQL, `was` and `became` are '
  'the lines before and after a correction. '
  '`others` are up to 10 other lines at the same place, of which at most one isn''t removed; `checks` are the second entries '
  'in the quality check. Null when the team has no such line. Guard first.';
