import { describe, expect, it } from "vitest";
import { describeEntry } from "@/components/activity/describe-entry";
import type { ActivityEntry } from "@/lib/activity/list-activity";
import { formatOf } from "@/lib/format/format-of";

const ada = "00000000-0000-4000-8000-000000000001";
const jun = "00000000-0000-4000-8000-000000000002";

function entry(over: Partial<ActivityEntry>): ActivityEntry {
  return {
    id: 1,
    at: "2026-11-20T12:04:31.000Z",
    actorId: ada,
    actor: "Ada Moreno",
    databaseRole: "authenticated",
    action: "insert",
    table: "team_users",
    campaignId: null,
    subjectId: jun,
    subject: "Jun Park",
    before: null,
    after: null,
    ...over,
  };
}

const given = {
  role_name: "Canvasser",
  permission_set_name: "Chart reading",
  campaign_name: "Clean water",
  campaign_id: "c",
};

const line = { ...given, sheet: 12, line: 5, voter_id: "WA-1", first_name: "Ada", last_name: "Smith" };
const lineEntry = (after: Record<string, unknown>) => ({ before: line, after: { ...line, because: null, ...after } });

describe("describeEntry", () => {
  it.each<[string, Partial<ActivityEntry>, string]>([
    ["somebody added", { after: { role_name: "Office" } }, "added Jun Park to the team as “Office”"],
    ["somebody who joined herself", { actorId: jun, after: { role_name: "Office" } }, "joined the team as “Office”"],
    [
      "a removed member",
      { action: "delete", before: { role_name: "Office" } },
      "removed Jun Park, who was “Office”, from the team",
    ],
    [
      "a campaign role",
      { table: "campaign_user_roles_team", after: given },
      "gave Jun Park the role “Canvasser” in “Clean water”",
    ],
    [
      "a campaign role that came with an invitation",
      { actorId: jun, table: "campaign_user_roles_team", after: given },
      "joined “Clean water” as “Canvasser”",
    ],
    [
      "a set taken",
      { table: "campaign_user_team_sets", action: "delete", before: given },
      "took the permission set “Chart reading” in “Clean water” from Jun Park",
    ],
    [
      "a key of a set, in words",
      { table: "permission_set_keys", after: { ...given, key: "charts.view" } },
      "added “See charts” to the permission set “Chart reading”",
    ],
    [
      "a role whose row is gone",
      { table: "role_p_sets", after: { permission_set_name: "X" } },
      "added the permission set “X” to the role one that is gone",
    ],
    [
      "a request",
      { table: "access_requests", actorId: jun, after: { ...given, key: "charts.view" } },
      "asked for “See charts” in “Clean water”",
    ],
    [
      "a closed request",
      {
        table: "access_requests",
        action: "update",
        before: { key: "charts.view" },
        after: { key: "charts.view", closed_at: "x" },
      },
      "closed the request of Jun Park for “See charts” in the team",
    ],
    [
      "an accepted invitation",
      {
        table: "invitations",
        action: "update",
        before: { email: "a@b.c", accepted_at: null },
        after: { email: "a@b.c", accepted_at: "x" },
      },
      "accepted the invitation of a@b.c",
    ],
    [
      "a revoked invitation",
      {
        table: "invitations",
        action: "update",
        before: { email: "a@b.c" },
        after: { email: "a@b.c", revoked_at: "x" },
      },
      "revoked the invitation of a@b.c",
    ],
    [
      "an archived campaign",
      {
        table: "campaigns",
        action: "update",
        before: { name: "X", archived_at: null },
        after: { name: "X", archived_at: "x" },
      },
      "archived the campaign “X”",
    ],
    [
      "a removed line",
      { table: "lines", action: "update", ...lineEntry({ kind: "removed", because: "not hers" }) },
      "removed line 5 of sheet 12 in “Clean water”, Smith, Ada: not hers",
    ],
    [
      "a restored line of a voter who is known by her id alone",
      { table: "lines", action: "update", ...lineEntry({ kind: "restored", first_name: null, last_name: null }) },
      "restored line 5 of sheet 12 in “Clean water”, WA-1",
    ],
    [
      "a moved line",
      { table: "lines", action: "update", ...lineEntry({ kind: "moved", sheet: 701, because: "a slip" }) },
      "moved line 5 of sheet 12 in “Clean water”, Smith, Ada, to line 5 of sheet 701: a slip",
    ],
    [
      "a removed line of nobody and of no line",
      {
        table: "lines",
        action: "update",
        before: { ...given, sheet: 12, line: null },
        after: { ...given, sheet: 12, line: null, kind: "removed", because: "smudged" },
      },
      "removed a line of sheet 12 in “Clean water”: smudged",
    ],
    ["an emptied table", { action: "truncate" }, "emptied the table team_users"],
    ["a table that came later", { table: "new_table" }, "added to new_table"],
  ])("%s", (_case, over, what) => {
    expect(describeEntry(entry(over), formatOf())).toEqual({ what, changes: [] });
  });

  it("tells the goal and days of a campaign that comes into the team", () => {
    const after = { ...given, signature_goal: 50000, ends_on: "2027-02-19" };
    expect(describeEntry(entry({ table: "campaign_team", after }), formatOf())).toEqual({
      what: "added the campaign “Clean water” to the team",
      changes: [
        { label: "goal", before: "none", after: "50,000" },
        { label: "last day", before: "none", after: "Feb 19, 2027" },
      ],
    });
  });

  it("tells what was one thing before and another after, and nothing that stayed", () => {
    const before = { name: "X", signature_goal: 50000, starts_on: "2026-09-22", ends_on: null, archived_at: null };
    const after = { ...before, signature_goal: null, ends_on: "2027-02-19" };
    expect(describeEntry(entry({ table: "campaigns", action: "update", before, after }), formatOf())).toEqual({
      what: "edited the campaign “X”",
      changes: [
        { label: "goal", before: "50,000", after: "none" },
        { label: "last day", before: "none", after: "Feb 19, 2027" },
      ],
    });
  });

  it.each<[string, string, object, object, string[]]>([
    [
      "teams",
      "edited the team",
      { time_zone: "UTC", locale: "en-US", lines_per_sheet: 20 },
      { time_zone: "Europe/Berlin", locale: "de-DE", lines_per_sheet: 15 },
      ["time zone: UTC, Europe/Berlin", "numbers and dates: en-US, de-DE", "lines per sheet of new campaigns: 20, 15"],
    ],
    [
      "campaigns",
      "edited the campaign “X”",
      { name: "X", team_id: "riverside", lines_per_sheet: 20, search_profile: null },
      { name: "X", team_id: "hillside", lines_per_sheet: 25, search_profile: "NY" },
      ["lines per sheet: 20, 25", "search backend: none, NY", "run by: riverside, hillside"],
    ],
  ])("tells all that is set of %s", (table, what, before, after, changes) => {
    const told = describeEntry(
      entry({ table, action: "update", before: { ...before }, after: { ...after } }),
      formatOf(),
    );
    expect([told.what, told.changes.map(({ label, before, after }) => `${label}: ${before}, ${after}`)]).toEqual([
      what,
      changes,
    ]);
  });
});
