-- The built-in permission keys, roles and permission sets. Before 170_activity.sql, so that they aren't logged.

insert into public.permission_keys (key, description) values
  ('campaign.view', 'See the campaign overview'),
  ('voters.search', 'Search voters'),
  ('signatures.view', 'See signatures'),
  ('signatures.enter', 'Enter signatures and undo your own'),
  ('signatures.remove', 'Remove other people''s signatures'),
  ('charts.view', 'See charts'),
  ('charts.edit', 'Build and change charts'),
  ('members.view', 'See members'),
  ('members.manage', 'Change members and see activity'),
  ('roles.manage', 'Change roles and permission sets');

insert into public.permission_sets (name, description) values
  ('Voter search', 'Find voters in the voter file.'),
  ('Campaign overview', 'Open a campaign and see how it is doing.'),
  ('Signature reading', 'Read signature lines.'),
  ('Signature entry', 'Read and enter signature lines, and undo your own.'),
  ('Signature correction', 'Remove lines that others entered.'),
  ('Chart reading', 'See the dashboard.'),
  ('Chart building', 'See, build and change charts.'),
  ('Member list', 'See who is in the team.'),
  ('Team administration', 'Manage members, roles and permission sets, and see the activity.');

insert into public.permission_set_keys (permission_set_id, key)
select s.id, k.key
from (values
  ('Voter search', 'voters.search'),
  ('Campaign overview', 'campaign.view'),
  ('Signature reading', 'signatures.view'),
  ('Signature entry', 'signatures.view'),
  ('Signature entry', 'signatures.enter'),
  ('Signature correction', 'signatures.remove'),
  ('Chart reading', 'charts.view'),
  ('Chart building', 'charts.view'),
  ('Chart building', 'charts.edit'),
  ('Member list', 'members.view'),
  ('Team administration', 'members.view'),
  ('Team administration', 'members.manage'),
  ('Team administration', 'roles.manage')
) as k (set_name, key)
join public.permission_sets s on s.name = k.set_name and s.team_id is null;

insert into public.roles (name, scope) values
  ('Administrator', 'inherit_team'),
  ('Member', 'assigned'),
  ('Field team', 'assigned'),
  ('Office', 'assigned'),
  ('Campaign staff', 'assigned'),
  ('Signature clerk', 'assigned'),
  ('Canvasser', 'assigned'),
  ('Analyst', 'assigned');

insert into public.role_p_sets (role_id, permission_set_id)
select r.id, s.id
from (values
  ('Field team', 'Voter search'),
  ('Office', 'Voter search'),
  ('Office', 'Member list'),
  ('Campaign staff', 'Campaign overview'),
  ('Campaign staff', 'Voter search'),
  ('Campaign staff', 'Signature reading'),
  ('Campaign staff', 'Chart reading'),
  ('Signature clerk', 'Campaign overview'),
  ('Signature clerk', 'Voter search'),
  ('Signature clerk', 'Signature entry'),
  ('Canvasser', 'Campaign overview'),
  ('Canvasser', 'Voter search'),
  ('Analyst', 'Campaign overview'),
  ('Analyst', 'Signature reading'),
  ('Analyst', 'Chart building')
) as b (role_name, set_name)
join public.roles r on r.name = b.role_name and r.team_id is null
join public.permission_sets s on s.name = b.set_name and s.team_id is null;
