import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionEnded } from "../../../lib/forms/session-ended.ts";
import { type AccessRows, readAccessRows, restoreAccessRows, rowsOf } from "../../support/access-rows.ts";
import { type ActionCall, callAction } from "../../support/call-action.ts";
import { restAsService, signInOverApi } from "../../support/demo.ts";
import { demoKeys } from "../../support/demo-keys.ts";
import { cookieOf } from "../../support/session-cookies.ts";

// Each demo person and each action of administration, called over HTTP past the screens: done as her keys say, else refused
// with nothing changed. Every call would do something, so nothing but the missing key refuses it.

type Call = ActionCall & { key: "members.manage" | "roles.manage"; told: string };

const { userId: clerk } = await signInOverApi("clerk@demo.test");
const { userId: canvasser } = await signInOverApi("canvasser@demo.test");
const { userId: admin } = await signInOverApi("admin@demo.test");
const team = "riverside";

const onMembers = (action: string, fields: Record<string, string>): ActionCall => ({
  action,
  path: "/riverside/members",
  fields: { team, ...fields },
});
const listOf = (email: string, roleId: string) => ({
  list: JSON.stringify({ team, mail: false, invitations: [{ email, name: null, roleId, campaigns: [] }] }),
});
const invitationOf = (email: string, roleId: string) => onMembers("inviteMembers", listOf(email, roleId));
const requestOf = (key: string) => onMembers("submitAccessRequest", { key });
const revocationOf = (id: string) => onMembers("revokeOpenInvitation", { id });
const closingOf = (id: string) => onMembers("closeRequest", { id });

const idsOf = async (path: string) => (await rowsOf(path)).map(({ id }) => String(id));
const openInvitations = () => idsOf(`invitations?team_id=eq.${team}&accepted_at=is.null&revoked_at=is.null`);
const openRequests = () => idsOf(`access_requests?team_id=eq.${team}&closed_at=is.null`);

let before: AccessRows;
let calls: Record<string, Call>;
beforeAll(async () => {
  before = await readAccessRows();
  calls = await prepareCalls();
});
afterAll(async () => {
  const cookie = await cookieOf("admin");
  for (const id of await openInvitations()) await callAction(revocationOf(id), cookie);
  for (const id of await openRequests()) await callAction(closingOf(id), cookie);
  await restoreAccessRows(before);
});

/** Makes what the calls are about, and gives each call as the screens send it, in an order in which each does something. */
async function prepareCalls(): Promise<Record<string, Call>> {
  const add = async (table: string, row: object) => {
    const [made] = (await restAsService(table, { method: "POST", body: row })) as { id: string }[];
    return made?.id ?? "";
  };
  const idNamed = (table: string, name: string) => {
    const row = before[table]?.find((one) => one.name === name && one.team_id === null);
    if (!row) throw new Error(`There is no ${name} in ${table}.`);
    return String(row.id);
  };
  const roleNamed = (name: string) => idNamed("roles", name);
  const setNamed = (name: string) => idNamed("permission_sets", name);

  const ofTeam = before.team_p_sets?.filter((row) => row.team_id === team) ?? [];
  const helpers = await add("roles", { team_id: team, name: "Helpers" });
  const helping = await add("permission_sets", { team_id: team, name: "Helping" });
  await add("role_p_sets", { role_id: helpers, permission_set_id: helping });
  // A campaign of another team, which the administrator of this one administers too.
  await add("teams", { id: "lakeside", name: "Lakeside" });
  await add("campaigns", { id: "lakes", name: "Lakes", team_id: "lakeside" });
  await add("campaign_team", { team_id: "lakeside", campaign_id: "lakes" });
  for (const row of ofTeam) await add("team_p_sets", { ...row, team_id: "lakeside" });
  const administrator = { user_id: admin, role_id: roleNamed("Administrator"), status: "active" };
  await add("team_users", { ...administrator, team_id: "lakeside" });
  await callAction(invitationOf("first@people.test", roleNamed("Member")), await cookieOf("admin"));
  await callAction(requestOf("members.view"), await cookieOf("canvasser"));
  const [invitation = ""] = await openInvitations();
  const [request = ""] = await openRequests();

  const streets = before.campaigns?.find(({ id }) => id === "safe-streets");
  const texts = {
    name: streets?.name,
    signatureGoal: streets?.signature_goal,
    startsOn: streets?.starts_on,
    endsOn: streets?.ends_on,
    linesPerSheet: streets?.lines_per_sheet,
    searchProfile: streets?.search_profile,
    archived: false,
  };
  const riverside = before.teams?.find(({ id }) => id === team);
  const settings = {
    name: riverside?.name,
    timeZone: riverside?.time_zone,
    locale: riverside?.locale,
    linesPerSheet: riverside?.lines_per_sheet,
  };
  const fieldTeam = roleNamed("Field team");
  const nowhere = { roleId: null, setIds: [] };
  const opened = { roleId: roleNamed("Canvasser"), setIds: [setNamed("Chart reading")] };

  const onRoles = (action: string, fields: Record<string, string>, told: string): Call => ({
    action,
    path: "/riverside/roles",
    fields: { team, ...fields },
    key: "roles.manage",
    told,
  });
  const onTeam = (action: string, fields: Record<string, string>, told: string): Call => ({
    action,
    path: "/riverside",
    fields,
    key: "members.manage",
    told,
  });
  const save = (change: object, told: string, key: Call["key"] = "members.manage"): Call => ({
    ...onTeam("saveAccess", { change: JSON.stringify({ team, ...change }) }, told),
    key,
  });

  const membersChange = {
    kind: "members",
    members: [
      {
        userId: canvasser,
        before: { roleId: fieldTeam, status: "active" },
        after: { roleId: fieldTeam, status: "suspended" },
      },
    ],
  };
  const teamSetsChange = {
    kind: "team-sets",
    before: ofTeam.map((row) => row.permission_set_id),
    after: ofTeam.map((row) => row.permission_set_id).filter((id) => id !== setNamed("Chart building")),
  };
  const preview = (change: object, told: string, key?: Call["key"]): Call => ({
    ...save(change, told, key),
    action: "previewAccess",
  });

  return {
    "previewAccess of members": preview(membersChange, "This changes the access of 1 person."),
    "previewAccess of team-sets": preview(teamSetsChange, "This changes the access of 1 person.", "roles.manage"),
    createRole: onRoles("createRole", { name: "Drivers", scope: "assigned" }, "Role created."),
    renameRole: onRoles("renameRole", { roleId: helpers, before: "Helpers", name: "Helping hands" }, "Role renamed."),
    createPermissionSet: onRoles(
      "createPermissionSet",
      { name: "Driving", description: "", keys: '["charts.view"]' },
      "Permission set created.",
    ),
    editPermissionSet: onRoles(
      "editPermissionSet",
      {
        setId: helping,
        before: JSON.stringify({ name: "Helping", description: null }),
        name: "Helping",
        description: "What helpers do.",
      },
      "Permission set saved.",
    ),
    "saveAccess of set-keys": save(
      { kind: "set-keys", sets: [{ setId: helping, before: [], after: ["charts.view"] }] },
      "Permission sets saved.",
      "roles.manage",
    ),
    "saveAccess of role-sets": save(
      { kind: "role-sets", roleId: helpers, before: [helping], after: [setNamed("Chart reading")] },
      "Role saved.",
      "roles.manage",
    ),
    "saveAccess of delete-set": save({ kind: "delete-set", setId: helping }, "Permission set deleted.", "roles.manage"),
    "saveAccess of delete-role": save({ kind: "delete-role", roleId: helpers }, "Role deleted.", "roles.manage"),
    "saveAccess of campaign-sets": save(
      { kind: "campaign-sets", campaign: "clean-water", before: [], after: [setNamed("Chart reading")] },
      "Permissions of administrators saved.",
      "roles.manage",
    ),
    "saveAccess of members": save(membersChange, "Suspended."),
    "saveAccess of campaigns": save(
      { kind: "campaigns", places: [{ userId: clerk, campaign: "safe-streets", before: nowhere, after: opened }] },
      "Campaign access saved.",
    ),
    "saveAccess of attach-campaign": save(
      { kind: "attach-campaign", campaign: "lakes" },
      "Campaign added to the team.",
    ),
    "previewAccess of detach-campaign": preview(
      { kind: "detach-campaign", campaign: "lakes" },
      "This changes the access of 1 person.",
    ),
    "saveAccess of detach-campaign": save(
      { kind: "detach-campaign", campaign: "lakes" },
      "Campaign taken out of the team.",
    ),
    "saveAccess of hand-over-campaign": save(
      { kind: "hand-over-campaign", campaign: "open-parks", to: "hillside" },
      "Campaign handed over.",
    ),
    editTeam: {
      ...onTeam(
        "editTeam",
        {
          ...{ team, before: JSON.stringify(settings), name: "Rivers" },
          ...{ timeZone: "Europe/Berlin", locale: "de-DE", linesPerSheet: "15" },
        },
        "Team saved.",
      ),
      path: "/riverside/settings",
    },
    createCampaign: onTeam(
      "createCampaign",
      { team, campaign: "new-one", name: "New one", signatureGoal: "", startsOn: "", endsOn: "" },
      "Campaign created.",
    ),
    editCampaign: onTeam(
      "editCampaign",
      {
        team,
        campaign: "safe-streets",
        before: JSON.stringify(texts),
        name: "Safer streets",
        signatureGoal: "21000",
        startsOn: "",
        endsOn: "",
        linesPerSheet: "25",
      },
      "Campaign saved.",
    ),
    inviteMembers: {
      ...invitationOf("second@people.test", roleNamed("Member")),
      key: "members.manage",
      told: "second@people.test is invited. No e-mail is sent.",
    },
    previewInvites: {
      ...onMembers("previewInvites", listOf("third@people.test", roleNamed("Member"))),
      key: "members.manage",
      told: "Nobody is invited yet.",
    },
    showInvitationLink: {
      ...onMembers("showInvitationLink", { id: invitation }),
      key: "members.manage",
      told: "Copy the link and hand it over.",
    },
    resendOpenInvitation: {
      ...onMembers("resendOpenInvitation", { id: invitation }),
      key: "members.manage",
      told: "The e-mail is sent again when its turn comes.",
    },
    revokeOpenInvitation: { ...revocationOf(invitation), key: "members.manage", told: "Invitation revoked." },
    closeRequest: { ...closingOf(request), key: "members.manage", told: "Request closed." },
    // Last: what administrators give away they no longer hold.
    "saveAccess of team-sets": save(teamSetsChange, "Permissions of administrators saved.", "roles.manage"),
  };
}

// What the calls could change, and the last line of the log, which no change goes without.
const stored = async () => ({
  ...(await readAccessRows()),
  invitations: await rowsOf("invitations?order=id"),
  requests: await rowsOf("access_requests?order=id"),
  logged: await rowsOf("audit_log?select=id&order=id.desc&limit=1"),
});

const outcomeOf = async (call: ActionCall, cookie: string) => {
  const answer = await callAction(call, cookie);
  if ("leadsTo" in answer) return answer.leadsTo;
  const [, key] = /^This needs .+ \((.+)\)/.exec(answer.error ?? "") ?? [];
  return key ? `needs ${key}` : (answer.error ?? answer.message);
};

const withoutPlace = (name: string | null) => (name === null ? sessionEnded : "/");

test.each([...Object.keys(demoKeys).filter((name) => name !== "admin"), null])(
  "as %s: each is refused, and nothing has changed",
  async (name) => {
    const cookie = await cookieOf(name);
    const person = name === null ? null : demoKeys[name];
    const rows = await stored();
    const [seen, expected]: [Record<string, unknown>, Record<string, string>] = [{}, {}];
    for (const [what, call] of Object.entries(calls)) {
      seen[what] = await outcomeOf(call, cookie);
      expected[what] = person ? `needs ${call.key}` : withoutPlace(name);
      expect(person?.team ?? []).not.toContain(call.key);
    }
    expect(seen).toEqual(expected);
    expect(await stored()).toEqual(rows);
  },
);

test("every active member asks for access, and nobody else", async () => {
  const asked: Record<string, unknown> = {};
  const rows = await stored();
  const call = requestOf("charts.edit");
  for (const name of [...Object.keys(demoKeys), null])
    asked[name ?? "nobody"] = await outcomeOf(call, await cookieOf(name));
  const sent = "Asked. The administrators of the team see it.";
  expect(asked).toEqual({
    admin: "You hold this permission by now. Refresh your permissions to go on.",
    ...Object.fromEntries(["staff", "clerk", "canvasser", "analyst"].map((name) => [name, sent])),
    ...Object.fromEntries(["suspended", "outsider", "hill"].map((name) => [name, withoutPlace(name)])),
    nobody: withoutPlace(null),
  });
  const after = await stored();
  expect(after).toEqual({ ...rows, requests: after.requests, logged: after.logged });
  expect(after.requests).toHaveLength(rows.requests.length + 4);
});

// Links and e-mails are kept where REST does not show them.
const unseen = ["previewAccess", "previewInvites", "showInvitationLink", "resendOpenInvitation"];

test("as admin: each is done, and a preview changes nothing", async () => {
  const cookie = await cookieOf("admin");
  for (const [what, call] of Object.entries(calls)) {
    const rows = await stored();
    expect([what, await outcomeOf(call, cookie)]).toEqual([what, call.told]);
    if (unseen.includes(call.action)) expect(await stored()).toEqual(rows);
    else expect([what, await stored()]).not.toEqual([what, rows]);
  }
});
