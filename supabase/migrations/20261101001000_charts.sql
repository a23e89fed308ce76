-- Charts: their definitions and what was computed last, for a campaign or a whole team.

create table public.charts (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id) on delete cascade,
  campaign_id text references public.campaigns (id) on delete cascade,
  name text not null check (length(name) between 1 and 120),
  kind text not null check (kind in ('bar', 'stacked-bar', 'line', 'area', 'pie', 'table', 'number')),
  source text not null,
  group_by text not null default '',
  metrics jsonb not null default '[]',
  filters jsonb not null default '[]',
  version int not null default 1,
  position int not null default 0,
  data jsonb,
  generated_at timestamptz,
  data_version int,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
comment on column public.charts.campaign_id is 'Null: the chart covers the whole team.';
comment on column public.charts.version is 'Rises with each change of what is computed.';
comment on column public.charts.data_version is 'The version that data was computed of. Another one: data is outdated.';
comment on column public.charts.created_by is 'No foreign key: kept when her account is gone.';
comment on column public.charts.deleted_at is 'Kept for undo, and shown nowhere.';
create index charts_place on public.charts (team_id, campaign_id, position);
create index charts_campaign on public.charts (campaign_id);
alter table public.charts enable row level security;
create policy "with charts.view" on public.charts for select to authenticated
  using (deleted_at is null and (
    (team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted('charts.view') g)
    or campaign_id is null
      and team_id in (select g.team_id from private.granted('charts.view') g where g.campaign_id is null)));
grant select on public.charts to authenticated;
grant select, insert, update, delete on public.charts to service_role;

create function private.raise_chart_version() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if (new.team_id, new.campaign_id, new.source, new.group_by, new.metrics, new.filters)
    is distinct from (old.team_id, old.campaign_id, old.source, old.group_by, old.metrics, old.filters)
  then
    new.version := greatest(new.version, old.version + 1);
  end if;
  return new;
end $$;
create trigger raise_chart_version before update on public.charts
for each row execute function private.raise_chart_version();
