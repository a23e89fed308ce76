// The privileges in the catalog of the database: users (`anon`, `authenticated`) have none, the application (`service_role`)
// has those in this list. A new table, view or function without a line here fails the test.
import { expect, test } from "vitest";
import { setUpSqlSession } from "../../support/sql-session.ts";
import { type Person, setUpTestDatabase } from "../../support/test-database.ts";
import { administeredRows, makeAdministeredTeam } from "../team-access/administered-team.ts";

// By schema and privileges: r reads, a adds, w changes, d deletes. Tables without privileges are used only by functions.
const tables = {
  "private nothing": `
    administrator_grants assignments email_choices emails erasures invitation_tokens mail_server principal_sources`,
  "private r": `
    active_members assigned_keys chart_aggregations chart_columns chart_lines chart_sources freed_duplicates grant_sources grants
    invited_grants line_counts pending_invitations principals sheet_gaps unrestricted_columns`,
  "private raw": `
    invitation_mails`,
  "public nothing": `
    permission_changes session_devices signer_changes`,
  "public r": `
    audit_log line_changes`,
  "public rad": `
    read_log`,
  "public raw": `
    quality_lines`,
  "public rawd": `
    access_requests campaign_team campaign_team_sets campaign_user_roles_team campaign_user_team_sets campaigns charts
    dashboards invitations lines permission_keys permission_set_keys permission_sets profiles role_p_sets roles sheets
    team_p_sets team_search_profiles team_users teams`,
  "reporting r": `
    clerk_work goal_pace lines sheets signatures`,
  "voterfile r": `
    counties districts names short_forms`,
  "voterfile rawd": `
    voters`,
};

// Functions with * run with the privileges of their owner: review them with that in mind. Trigger functions aren't listed.
const functions = {
  private: `
    has_dashboard next_position
    act_as actor add_counts administrator_permissions apply_change attach_campaign change_campaign_access change_members
    change_role change_set change_sets change_team chart_bound chart_column chart_condition chart_day chart_filter
    chart_filter_group chart_group_names chart_grouping chart_groups chart_identifies chart_measures chart_metrics chart_metrics_given
    chart_moment chart_number chart_period chart_place chart_result chart_seen_at chart_statement chart_to_change
    chart_value chart_value_fits check_search_profile county_key refuse_forbidden_change columns_of_source counted_line dashboard_is_full
    delete_empty_sheet edit_campaign digest_content effects effects_of_invitations email_content* email_is_due end_due_access* end_of_day access_ends ensure_sheet
    entry_time excess_grants expected_lines grant_rows grants_request has_due_end has_permission_work last_day refuse_past_end
    has_email_to_send has_failed has_key has_mail_to_send has_recent_entry invitation_days invited_access is_archived is_erased is_verdict is_due last_entered line_json line_refusal
    lock_access lock_dashboard lock_if_allowed lock_line lock_sheets lock_voter logged_row max_age may_change
    members_among* name_key name_query name_words needs_change newest_in_place next_change_number read_state_before person_json places places_of_team
    plain_name progress_json progress_version queue_email* queue_invitation_mails* random_lines reached_campaigns recount refuse_chart
    refuse_chart_of_signers refuse_if refuse_signers refuse_taken_campaign_name refuse_taken_name register_conditions register_line renew_all_permissions*
    required_managers second_verdict set_sheet_details sheet_json sorted stale_at stopped_invitations survives_json update_freed utc warn_of_erasures words work_json`,
  public: `
    dashboard_version delete_dashboard move_chart resize_chart save_dashboard save_text
    accept_invitation* aggregate_chart already_signed applied_migrations* ask_for_access* campaign_progress change_access*
    chart_empty_columns chart_freshness chart_names chart_records chart_sources chart_values choose_emails* claim_email* claim_invitation_mail claimed_digest*
    close_sheet correct_line create_invitations* daily_summary database_time decline_access_request* decline_invitation* describe_invitation* delete_applied_signer_changes* delete_chart
    delete_permission_changes* delete_sheet delete_signer_changes* delete_signer_rebuild_requests* draw_quality_lines duplicate_chart email_choices*
    enter_quality_line create_team*
    entry_state erase_personal_data* failed_charts finish_email* finish_invitation_mail* found_team* generate_chart goal_count line_history
    lines_outside_dates link_invitation* own_invitations* list_areas list_sheets member_facts* move_line open_access_requests open_invitations open_sheet order_charts
    pending_permission_changes* pending_signer_changes* permission_grants permission_holders permission_places
    permission_why permissions_snapshot purge_emails* purge_read_log queue_digests* quality_check read_charts read_dashboard read_invitation*
    record_line record_read register_choices register_counts register_lines remove_line renew_change_numbers*
    removed_members renumber_sheet request_signer_rebuilds* reissue_invitations* restore_chart restore_line revoke_invitations* save_chart
    save_invitation_token* save_sheet_details schedule_state* end_session* list_sessions* record_session* search_voters searches_with_profile set_max_age settle_quality_line signer_campaigns
    signer_count signer_page signer_rebuild_requests* similar_voters take_quality_line take_stale_chart team_activity team_members*
    team_progress team_reads team_roles who_can_grant wrong_counts*`,
  voterfile: `
    hits single_edits refresh_names search_key search_keys similar_addresses similar_names similar_places sounds written_ids`,
};

const database = await setUpTestDatabase();
const session = await setUpSqlSession(database);
const team = await makeAdministeredTeam(database);

const schemas = "('public', 'private', 'reporting', 'voterfile')";
type Group = { held: string; names: string };
const unfolded = (list: Record<string, string>) =>
  Object.fromEntries(Object.entries(list).map(([held, names]) => [held, names.trim().split(/\s+/).sort()]));
const grouped = (rows: Group[]) => unfolded(Object.fromEntries(rows.map(({ held, names }) => [held, names])));

const tablesOf = async (role: string) =>
  grouped(
    await session.sql<Group>(
      `select held, string_agg(name, ' ' order by name) as names
       from (
         select c.relname as name,
           n.nspname || ' ' || coalesce(nullif(string_agg(p.letter, '' order by p.number), ''), 'nothing') as held
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         left join (values (1, 'r', 'SELECT'), (2, 'a', 'INSERT'), (3, 'w', 'UPDATE'), (4, 'd', 'DELETE'),
             (5, 'T', 'TRUNCATE'), (6, 'R', 'REFERENCES'), (7, 't', 'TRIGGER')) p (number, letter, privilege)
           on case c.relkind when 'S' then p.number in (1, 3) and has_sequence_privilege($1, c.oid, p.privilege)
             else has_table_privilege($1, c.oid, p.privilege)
               or p.number in (1, 2, 3, 6) and has_any_column_privilege($1, c.oid, p.privilege) end
         where n.nspname in ${schemas} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
           and (c.relkind <> 'S' or p.letter is not null)
         group by n.nspname, c.relname
       ) t group by held`,
      [role],
    ),
  );

const functionsOf = async (role: string) =>
  grouped(
    await session.sql<Group>(
      `select n.nspname as held,
         string_agg(distinct p.proname || case when p.prosecdef then '*' else '' end, ' ') as names
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname in ${schemas} and p.prorettype <> 'trigger'::regtype and has_function_privilege($1, p.oid, 'execute')
       group by n.nspname`,
      [role],
    ),
  );

test.each(["anon", "authenticated"])("%s has no privileges", async (role) => {
  expect(Object.keys(await tablesOf(role)).filter((held) => !held.endsWith(" nothing"))).toEqual([]);
  expect(await functionsOf(role)).toEqual({});
});

test("service_role has the privileges of the list", async () => {
  expect(await tablesOf("service_role")).toEqual(unfolded(tables));
  expect(await functionsOf("service_role")).toEqual(unfolded(functions));
});

test("row-level security is on for all tables, without policies", async () => {
  const open = await session.sql(
    `select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ${schemas} and c.relkind in ('r', 'p') and not c.relrowsecurity`,
  );
  expect(open).toEqual([]);
  expect(await session.sql(`select * from pg_policies where schemaname in ${schemas}`)).toEqual([]);
});

test("security definer functions have an empty search_path", async () => {
  const loose = await session.sql(
    `select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ${schemas} and p.prosecdef and not coalesce('search_path=""' = any (p.proconfig), false)`,
  );
  expect(loose).toEqual([]);
});

test("the test notices a new object that isn't listed", async () => {
  const seen = await session.undone(async () => {
    await session.sql(
      `create table public.planted (id int);
       create view private.planted as select 1 as one;
       create function public.planted() returns int language sql as 'select 1';
       grant execute on function public.planted to service_role, authenticated`,
    );
    return [await tablesOf("service_role"), await functionsOf("service_role"), await functionsOf("authenticated")];
  });
  const planted = seen.map((groups) => Object.keys(groups).filter((held) => groups[held]?.includes("planted")));
  expect(planted).toEqual([["private nothing", "public rawd"], ["public"], ["public"]]);
});

test.each(["private", "reporting", "voterfile", "auth"])("REST shows the schema %s to no one", async (schema) => {
  const headers = { "accept-profile": schema };
  expect((await database.rest("grants?select=*", { as: "service", headers })).status).toBe(406);
});

// A sample over HTTP.
const everyone: [string, () => "stranger" | Person, number][] = [
  ["a stranger", () => "stranger", 401],
  ["an administrator", () => team.person("admin"), 403],
];
test.each(everyone)("over REST, %s can't read, write, call or count anything", async (_who, who, status) => {
  const as = who();
  const id = team.person("clerk").id;
  const before = await administeredRows(database);
  const requests: [path: string, method: string, body?: object, headers?: Record<string, string>][] = [
    ["teams?select=*", "GET"],
    ["team_users?select=*", "GET", undefined, { prefer: "count=exact" }],
    ["lines?select=*", "GET", undefined, { prefer: "count=planned" }],
    ["lines?select=*", "HEAD", undefined, { prefer: "count=estimated" }],
    ["team_users", "POST", { user_id: id, team_id: "hillside", role_id: team.roles.Administrator, status: "active" }],
    [`team_users?user_id=eq.${id}`, "PATCH", { role_id: team.roles.Administrator }],
    [`team_users?user_id=eq.${id}`, "DELETE"],
    [
      "rpc/change_access",
      "POST",
      { p_actor_id: team.person("admin").id, p_change: { kind: "leave-team" }, p_commit: true },
    ],
    ["rpc/permissions_snapshot", "POST", { p_user_id: id }],
  ];
  for (const [path, method, body, headers] of requests) {
    const response = await database.rest(path, { as, method, body, headers });
    expect(response.status, `${method} ${path}`).toBe(status);
    expect(JSON.stringify(response.body), `${method} ${path}`).not.toMatch(/riverside|"count"/);
  }
  expect(await administeredRows(database)).toEqual(before);
});
