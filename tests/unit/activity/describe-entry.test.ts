import { expect, it } from "vitest";
import { describeEntry, linkEntry } from "@/components/activity/describe-entry";
import { type ActivityEntry, actorName, groupEntries } from "@/lib/activity/activity";
import { formatOf } from "@/lib/format/format-of";

const ada = "00000000-0000-4000-8000-000000000001";
const jun = "00000000-0000-4000-8000-000000000002";

type Row = Record<string, unknown>;
const entry = (
  action: ActivityEntry["action"],
  table: string,
  before: Row | null,
  after: Row | null,
): ActivityEntry => ({
  id: 1,
  at: "2026-11-20T12:04:31.000Z",
  actorId: ada,
  actor: "Ada Moreno",
  databaseRole: "authenticated",
  action,
  table,
  campaignId: null,
  subjectId: jun,
  subject: "Jun Park",
  before,
  after,
});
const added = (table: string, row: Row) => entry("insert", table, null, row);
const removed = (table: string, row: Row) => entry("delete", table, row, null);
/** An update that changes some columns of a row. */
const updated = (table: string, row: Row, now: Row) => entry("update", table, row, { ...row, ...now });
const bySelf = (activityEntry: ActivityEntry) => ({ ...activityEntry, actorId: jun });

const names = { role_name: "Canvasser", permission_set_name: "Charts" };
const inCampaign = { ...names, campaign_name: "Lakes", campaign_id: "c" };
const ended = { ends_at: "2026-11-20T08:00:00+00:00" };
const office = { role_name: "Office" };
const line = { ...inCampaign, sheet: 12, line: 5, voter_id: "WA-1", first_name: "Ada", last_name: "Smith" };
const changeLine = (now: Row) => updated("lines", line, now);
const answerRequest = (now: Row) => updated("access_requests", { key: "charts.view" }, now);

it.each<[what: string, entry: ActivityEntry]>([
  ["added Jun Park to the team as “Office”", added("team_users", office)],
  ["joined the team as “Office”", bySelf(added("team_users", office))],
  ["removed Jun Park (“Office”) from the team", removed("team_users", office)],
  ["added Jun Park to “Lakes” as “Canvasser”", added("campaign_user_roles_team", inCampaign)],
  [
    "added Jun Park to “Lakes” as “Canvasser” until Nov 20, 2026",
    added("campaign_user_roles_team", { ...inCampaign, ends_at: "2026-11-21T00:00:00+00:00" }),
  ],
  ["joined “Lakes” as “Canvasser”", bySelf(added("campaign_user_roles_team", inCampaign))],
  ["removed the permission set “Charts” from Jun Park in “Lakes”", removed("campaign_user_team_sets", inCampaign)],
  ["added “See charts” to the permission set “Charts”", added("permission_set_keys", { ...names, key: "charts.view" })],
  ["added the permission set “X” to the (deleted) role", added("role_p_sets", { permission_set_name: "X" })],
  ["requested “See charts” in “Lakes”", bySelf(added("access_requests", { ...inCampaign, key: "charts.view" }))],
  [
    "requested “See charts” in the campaign “x”, which doesn't exist",
    bySelf(added("access_requests", { key: "charts.view", unknown_campaign_id: "x" })),
  ],
  [
    "closed Jun Park's unanswered request for “See charts” in “Lakes”",
    removed("access_requests", { ...inCampaign, key: "charts.view" }),
  ],
  ["declined Jun Park's request for “See charts” in the team", answerRequest({ closed_at: "x" })],
  [
    "declined Jun Park's request for “See charts” in the team. Reason: Not yet",
    answerRequest({ closed_at: "x", answer: "Not yet" }),
  ],
  ["granted Jun Park's request for “See charts” in the team", answerRequest({ closed_at: "x", granted: true })],
  ["suspended Jun Park", updated("team_users", { ...office, status: "active" }, { status: "suspended" })],
  [
    "suspended Jun Park because their access ended",
    { ...updated("team_users", { ...office, status: "active", ...ended }, { status: "suspended" }), actorId: null },
  ],
  [
    "removed Jun Park (“Canvasser”) from “Lakes” because their access ended",
    { ...removed("campaign_user_roles_team", { ...inCampaign, ...ended }), actorId: null },
  ],
  ["suspended Jun Park", updated("team_users", { ...office, status: "active", ...ended }, { status: "suspended" })],
  ["reactivated Jun Park", updated("team_users", { ...office, status: "suspended" }, { status: "active" })],
  [
    "accepted the invitation for Jun Park (a@b)",
    updated("invitations", { email: "a@b", accepted_at: null }, { accepted_at: "x" }),
  ],
  ["accepted their invitation", bySelf(updated("invitations", { email: "a@b" }, { accepted_at: "x" }))],
  ["invited a@b as “Member”", { ...added("invitations", { email: "a@b", role_name: "Member" }), subject: null }],
  ["revoked the invitation for Jun Park (a@b)", updated("invitations", { email: "a@b" }, { revoked_at: "x" })],
  [
    "declined the invitation for Jun Park (a@b)",
    updated("invitations", { email: "a@b" }, { revoked_at: "x", declined: true }),
  ],
  [
    "changed the invitation for Jun Park (a@b)",
    updated("invitations", { email: "a@b", role_id: "1" }, { role_id: "2" }),
  ],
  [
    "resent the invitation for Jun Park (a@b)",
    updated("invitations", { email: "a@b", invited_by: "1" }, { expires_at: "x" }),
  ],
  [
    "took over the invitation for Jun Park (a@b)",
    updated("invitations", { email: "a@b", invited_by: "1" }, { invited_by: "2" }),
  ],
  [
    "stopped the invitation for Jun Park (a@b), because its sender can no longer make it",
    updated("invitations", { email: "a@b", invited_by: "1" }, { stopped: true }),
  ],
  ["added the campaign “Lakes” to the team", added("campaign_team", inCampaign)],
  [
    "added the campaign “Lakes”, shared by “Hillside”, to the team",
    added("campaign_team", { ...inCampaign, run_by: "Hillside" }),
  ],
  [
    "added the campaign “Lakes” to the team “Hillside”",
    added("campaign_team", { ...inCampaign, team_name: "Hillside" }),
  ],
  ["archived the campaign “X”", updated("campaigns", { name: "X", archived_at: null }, { archived_at: "x" })],
  [
    "removed line 5 of sheet 12 (Smith, Ada) in “Lakes”. Reason: wrong",
    changeLine({ kind: "removed", reason: "wrong" }),
  ],
  [
    "removed a line of sheet 12 in “Lakes”. Reason: smudged",
    updated("lines", { ...inCampaign, sheet: 12, line: null }, { kind: "removed", reason: "smudged" }),
  ],
  [
    "restored line 5 of sheet 12 (WA-1) in “Lakes”",
    changeLine({ kind: "restored", first_name: null, last_name: null }),
  ],
  [
    "moved line 5 of sheet 12 (Smith, Ada) in “Lakes” to line 5 of sheet 701. Reason: a slip",
    changeLine({ kind: "moved", sheet: 701, reason: "a slip" }),
  ],
  ["drew 50 lines for the quality check in “Lakes”", added("quality_lines", { ...inCampaign, lines: 50 })],
  [
    "drew 1 line of sheet 12 for the quality check in “Lakes”",
    added("quality_lines", { ...inCampaign, lines: 1, drawn_from: "sheet", sheet: 12 }),
  ],
  [
    "drew 8 lines entered by Jun Park for the quality check in “Lakes”",
    added("quality_lines", { ...inCampaign, lines: 8, drawn_from: "clerk", sheet: null }),
  ],
  ["cleared the table team_users", entry("truncate", "team_users", null, null)],
  ["added to new_table", added("new_table", {})],
])("%s", (what, activityEntry) => {
  expect(describeEntry(activityEntry, formatOf())).toEqual({ what, changes: [] });
});

const campaign = { name: "X", signature_goal: 50000, starts_on: "2026-09-22", ends_on: null, archived_at: null };
it.each<[what: string, entry: ActivityEntry, changes: string[]]>([
  [
    "changed the end date of Jun Park's access",
    updated("team_users", { ...office, status: "active" }, { ends_at: "2026-11-21T00:00:00+00:00" }),
    ["last day: none, Nov 20, 2026"],
  ],
  [
    "changed the end date of Jun Park's role in “Lakes”",
    updated("campaign_user_roles_team", inCampaign, { ends_at: "2026-11-21T00:00:00+00:00" }),
    ["last day: none, Nov 20, 2026"],
  ],
  [
    "changed the invitation for Jun Park (a@b)",
    updated(
      "invitations",
      { email: "a@b", campaigns: [{ id: "lakes", roleId: "1" }], campaign_roles: "Lakes as Canvasser" },
      { campaigns: [{ id: "lakes", roleId: "2" }], campaign_roles: "Lakes as Analyst" },
    ),
    ["campaigns: Lakes as Canvasser, Lakes as Analyst"],
  ],
  [
    "added the campaign “Lakes” to the team",
    added("campaign_team", { ...inCampaign, signature_goal: 50000, ends_on: "2027-02-19" }),
    ["goal: none, 50,000", "last day: none, Feb 19, 2027"],
  ],
  [
    "changed the campaign “X”",
    updated("campaigns", campaign, { signature_goal: null, ends_on: "2027-02-19" }),
    ["goal: 50,000, none", "last day: none, Feb 19, 2027"],
  ],
  [
    "changed the campaign “X”",
    updated(
      "campaigns",
      { ...campaign, team_id: "riverside", lines_per_sheet: 20, search_profile: null },
      { team_id: "hillside", lines_per_sheet: 25, search_profile: "NY" },
    ),
    ["lines per sheet: 20, 25", "voter search: none, NY", "run by: riverside, hillside"],
  ],
  [
    "changed the campaign “X”",
    updated(
      "campaigns",
      { ...campaign, county_targets: [] },
      {
        county_targets: [
          { county: "King", target: 12000 },
          { county: "Area 51", target: 900 },
        ],
      },
    ),
    ["county targets: none, King 12,000, Area 51 900"],
  ],
  [
    "changed the team settings",
    updated(
      "teams",
      { time_zone: "UTC", locale: "en-US", lines_per_sheet: 20 },
      { time_zone: "Europe/Berlin", locale: "de-DE", lines_per_sheet: 15 },
    ),
    [
      "time zone: UTC, Berlin",
      "numbers and dates: English (United States), German (Germany)",
      "lines per sheet of new campaigns: 20, 15",
    ],
  ],
])("%s, with each changed value before and after", (what, activityEntry, changes) => {
  const described = describeEntry(activityEntry, formatOf());
  expect([
    described.what,
    described.changes.map(({ label, before, after }) => `${label}: ${before}, ${after}`),
  ]).toEqual([what, changes]);
});

it.each([
  ["Ada Moreno", {}],
  ["A deleted account", { actor: null }],
  ["Signet", { actor: null, actorId: null, databaseRole: "service_role" }],
  ["System", { actor: null, actorId: null, databaseRole: "postgres" }],
])("names %s as the actor", (name, actor) => {
  expect(actorName({ ...added("team_users", office), ...actor })).toBe(name);
});

it("links the people, campaigns and sheets of a sentence that have a page", () => {
  const known = { teamId: "riverside", people: new Set([jun]), campaigns: new Set(["c"]) };
  const partsOf = (activityEntry: ActivityEntry, where = known) =>
    linkEntry(activityEntry, describeEntry(activityEntry, formatOf()).what, where);
  const moved = { ...changeLine({ kind: "moved", sheet: 120, reason: "a slip" }), campaignId: "c", subjectId: null };
  expect(partsOf({ ...added("campaign_user_roles_team", inCampaign), campaignId: "c" })).toEqual([
    { part: "added " },
    { part: "Jun Park", href: `/riverside/members/${jun}` },
    { part: " to " },
    { part: "Lakes", href: "/riverside/campaign/c" },
    { part: " as “Canvasser”" },
  ]);
  expect(partsOf(moved).flatMap(({ part, href }) => (href ? [[part, href]] : []))).toEqual([
    ["sheet 12", "/riverside/campaign/c/signatures/register?sheet=12"],
    ["Lakes", "/riverside/campaign/c"],
  ]);
  const gone = { ...known, people: new Set<string>() };
  expect(partsOf(removed("team_users", office), gone)).toEqual([{ part: "removed Jun Park (“Office”) from the team" }]);
});

const lakes = { name: "Lakes", archived_at: null };

it("groups what one person did at once, or in a row within a minute", () => {
  const entryAt = (id: number, time: string, changes: Partial<ActivityEntry> = {}) => ({
    ...added("invitations", {}),
    id,
    at: `2026-11-20T12:${time}Z`,
    ...changes,
  });
  const groups = groupEntries([
    entryAt(9, "04:50"),
    entryAt(8, "04:10"),
    entryAt(7, "03:40"), // more than a minute before the first
    entryAt(6, "03:30", { table: "team_users" }), // of another kind, in the same transaction
    entryAt(5, "03:30"),
    entryAt(4, "03:30", { actorId: jun }),
    entryAt(3, "03:30", { actorId: null }),
    entryAt(2, "02:40", { actorId: null }), // without a person it may be someone else's
    entryAt(1, "02:40", { actorId: null, table: "team_users" }),
  ]);
  expect(groups.map(({ id, more }) => [id, ...more.map((item) => item.id)])).toEqual([
    [9, 8],
    [7],
    [6],
    [5],
    [4],
    [3],
    [2],
    [1],
  ]);
});

it("heads the group of a removed member with their removal, not what it deletes with them", () => {
  const rows = [removed("access_requests", {}), removed("campaign_user_roles_team", {}), removed("team_users", office)];
  const groups = groupEntries(rows.map((row, index) => ({ ...row, id: 9 - index })));
  expect(groups.map(({ id, more }) => [id, ...more.map((item) => item.id)])).toEqual([[7, 9, 8]]);
});

it("groups what one transaction did in turn, by campaign", () => {
  const rows = ["lakes", "hills", "lakes", "hills"].map((campaignId, index) => ({
    ...added("campaign_user_roles_team", {}),
    id: 9 - index,
    campaignId,
  }));
  expect(groupEntries(rows).map(({ id, more }) => [id, ...more.map((item) => item.id)])).toEqual([
    [9, 7],
    [8, 6],
  ]);
});

it("heads the group of a new team with its creation", () => {
  const rows = [added("team_users", office), added("team_p_sets", names), added("teams", {})];
  const groups = groupEntries(rows.map((row, index) => ({ ...row, id: 9 - index })));
  expect(groups.map(({ id, more }) => [id, ...more.map((item) => item.id)])).toEqual([[7, 9, 8]]);
});

it.each<[string, ActivityEntry[], number[][]]>([
  [
    "archiving a campaign from an edit right before",
    [
      updated("campaigns", lakes, { archived_at: "2026-11-20T12:03:50+00:00" }),
      updated("campaigns", lakes, { name: "Rivers" }),
      updated("campaigns", lakes, { name: "Ponds" }),
    ],
    [[9], [8, 7]],
  ],
  [
    "a suspension from the reactivation right after",
    ["active", "suspended", "suspended"].map((status) =>
      updated("team_users", { status: status === "active" ? "suspended" : "active" }, { status }),
    ),
    [[9], [8, 7]],
  ],
  [
    "a revoked invitation from one that is sent again right after",
    [{ expires_at: "2027" }, { revoked_at: "2026" }, { revoked_at: "2026" }].map((after) =>
      updated("invitations", { email: "hal@people.test", expires_at: "2026" }, after),
    ),
    [[9], [8, 7]],
  ],
  [
    "an invitation with another role now from revoked ones, whatever their roles",
    [{ role_id: "clerk" }, { role_id: "clerk", revoked_at: "2026" }, { role_id: "office", revoked_at: "2026" }].map(
      ({ role_id, revoked_at }) =>
        updated("invitations", { role_id: revoked_at ? role_id : "office" }, { role_id, revoked_at }),
    ),
    [[9], [8, 7]],
  ],
  [
    "a request for one campaign from those for another",
    ["lakes", "hills", "hills"].map((campaignId) => ({
      ...added("access_requests", { key: "charts.view" }),
      campaignId,
    })),
    [[9], [8, 7]],
  ],
  [
    "people added with one role from those with another",
    ["clerk", "office", "office"].map((role_id) => added("team_users", { role_id })),
    [[9], [8, 7]],
  ],
])("shows %s separately, and groups those that are alike", (_what, changes, ids) => {
  const timed = changes.map((change, index) => ({ ...change, id: 9 - index, at: `2026-11-20T12:03:${50 - index}Z` }));
  expect(groupEntries(timed).map(({ id, more }) => [id, ...more.map((item) => item.id)])).toEqual(ids);
});

it("counts in the group of removed members who else was removed, and what came with it", () => {
  const rows = [removed("access_requests", {}), removed("team_users", office), removed("team_users", office)];
  const [group] = groupEntries(rows.map((row, index) => ({ ...row, id: 9 - index })));
  expect(group).toMatchObject({ id: 8, alike: 1, more: [{ id: 9 }, { id: 7 }] });
});
