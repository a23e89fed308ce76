-- Whose search backend a person may use: that of a campaign in which she may search.

create function public.searches_with_profile(p_user_id uuid, p_profile text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.places(p_user_id) p
    join public.campaigns c on c.id = p.campaign_id
    where c.search_profile = p_profile and 'voters.search' = any (p.keys))
$$;
comment on function public.searches_with_profile is
  'Whether a person holds voters.search in a campaign whose search profile this is.';
revoke execute on function public.searches_with_profile from public, anon, authenticated;
grant execute on function public.searches_with_profile to service_role;
