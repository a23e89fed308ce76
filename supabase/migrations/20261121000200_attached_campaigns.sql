-- Whoever brings a campaign into a team manages it in another one. What was kept for her in a campaign that has left this
-- team, or never was in it, does not count: it would open the campaign for the team's administrators.
drop policy "one's own new ones, or those that one manages in another team" on public.campaign_team;
create policy "one's own new ones, or those that one manages in another team" on public.campaign_team for insert
  to authenticated with check (
    team_id in (select m.team_id from private.manages('members.manage') m)
    and (campaign_id in (select private.campaigns_without_team())
      or campaign_id in (
        select m.campaign_id from private.manages('members.manage') m where m.team_id <> campaign_team.team_id)));
