-- The built-in permission keys, roles and permission sets. Before 170_activity.sql, so that they aren't logged.

insert into public.permission_keys (key, description) values
  ('campaign.view', 'See the campaign overview'),
  ('voters.search', 'Search voters'),
  ('signatures.view', 'See signatures'),
  ('signatures.enter', 'Enter signatures, and correct or remove your own'),
  ('signatures.remove', 'Correct and remove other people''s lines'),
  ('charts.view', 'See charts'),
  ('charts.edit', 'Create and edit charts'),
  ('members.view', 'See members'),
  ('members.manage', 'Manage members, campaigns, and settings'),
  ('roles.manage', 'Change roles and permission sets');

with built_in (name, description, keys) as (values
  ('Voter search', 'Find voters in the voter file.', '{voters.search}'::text[]),
  ('Campaign overview', 'Open a campaign and see how it''s doing.', '{campaign.view}'),
  ('Signature viewing', 'See signatures and their details.', '{signatures.view}'),
  ('Signature entry', 'See and enter signatures, and correct or remove your own.', '{signatures.view,signatures.enter}'),
  ('Signature correction', 'Correct, move, remove, and restore lines that others entered.', '{signatures.remove}'),
  ('Chart viewing', 'See the charts on the dashboard.', '{charts.view}'),
  ('Chart editing', 'See, create, and edit charts.', '{charts.view,charts.edit}'),
  ('Member list', 'See who''s on the team.', '{members.view}'),
  ('Team administration', 'Manage members, campaigns, roles, and permission sets. See activity.',
    '{members.view,members.manage,roles.manage}')
),
sets as (
  insert into public.permission_sets (name, description) select b.name, b.description from built_in b returning id, name
)
insert into public.permission_set_keys (permission_set_id, key)
select s.id, unnest(b.keys) from sets s join built_in b using (name);

with built_in (name, scope, sets) as (values
  ('Administrator', 'inherit_team', '{}'::text[]),
  ('Member', 'assigned', '{}'),
  ('Field team', 'assigned', '{Voter search}'),
  ('Office', 'assigned', '{Voter search,Member list}'),
  ('Campaign staff', 'assigned', '{Campaign overview,Voter search,Signature viewing,Chart viewing}'),
  ('Signature clerk', 'assigned', '{Campaign overview,Voter search,Signature entry}'),
  ('Canvasser', 'assigned', '{Campaign overview,Voter search}'),
  ('Analyst', 'assigned', '{Campaign overview,Signature viewing,Chart editing}')
),
roles as (
  insert into public.roles (name, scope) select b.name, b.scope from built_in b returning id, name
)
insert into public.role_p_sets (role_id, permission_set_id)
select r.id, s.id
from roles r
join built_in b using (name)
join public.permission_sets s on s.name = any (b.sets);
