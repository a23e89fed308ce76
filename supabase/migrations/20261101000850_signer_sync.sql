-- What the synchronisation of the signers' sets asks beside the notes and the pages of 000800_signatures.sql.

create function public.signer_campaigns() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('campaignId', c.id, 'anySigner', exists (
      select 1 from public.signatures s where s.campaign_id = c.id and s.removed_at is null
    )) order by c.id), '[]')
  from public.campaigns c
$$;
comment on function public.signer_campaigns is
  'All campaigns, archived ones too, and whether anyone has signed: { campaignId, anySigner }.';
revoke execute on function public.signer_campaigns from public, anon, authenticated;
grant execute on function public.signer_campaigns to service_role;

create function public.signer_count(p_campaign_id text) returns bigint
language sql stable set search_path = ''
as $$
  select count(*) from public.signatures s where s.campaign_id = p_campaign_id and s.removed_at is null
$$;
comment on function public.signer_count is 'How many voters have a live line in a campaign, whatever the team.';
revoke execute on function public.signer_count from public, anon, authenticated;
grant execute on function public.signer_count to service_role;

create function public.live_signers(p_campaign_id text, p_voter_ids text[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(s.voter_id), '[]')
  from public.signatures s
  where s.campaign_id = p_campaign_id and s.voter_id = any (p_voter_ids) and s.removed_at is null
$$;
comment on function public.live_signers is 'Those of the voters who have a live line in a campaign, whatever the team.';
revoke execute on function public.live_signers from public, anon, authenticated;
grant execute on function public.live_signers to service_role;

-- The time in microseconds is ahead of all numbers drawn one by one from an earlier time; the step is for a clock that
-- was set back.
create function public.renew_change_numbers() returns void
language sql volatile security definer set search_path = ''
as $$
  select setval('private.signature_changes',
    greatest(n.last_value + 1000, (extract(epoch from clock_timestamp()) * 1000000)::bigint))
  from private.signature_changes n
$$;
comment on function public.renew_change_numbers is
  'Lets the numbers of changes go on above all that were ever given, also by a database that was restored since: a number '
  'below the one that Redis remembers would count as an old change.';
revoke execute on function public.renew_change_numbers from public, anon, authenticated;
grant execute on function public.renew_change_numbers to service_role;
