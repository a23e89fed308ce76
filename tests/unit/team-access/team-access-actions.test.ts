import { redirect } from "next/navigation";
import { beforeEach, expect, test, vi } from "vitest";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { createCampaign, editCampaign } from "@/app/[team]/campaign/actions";
import { declineRequest, selectMembers } from "@/app/[team]/members/actions";
import {
  editOpenInvitations,
  inviteMembers,
  previewInvites,
  resendOpenInvitations,
  revokeOpenInvitations,
  showInvitationLinks,
} from "@/app/[team]/members/invitation-actions";
import { createPermissionSet, createRole, editPermissionSet, renameRole } from "@/app/[team]/roles/actions";
import { editTeam } from "@/app/[team]/settings/actions";
import { joinTeam } from "@/app/invitation/[token]/actions";
import { requestAccess } from "@/components/permissions/request-access";
import { rateLimits } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { type FormState, fieldIssue, initialFormState } from "@/lib/forms/form-state";
import { PermissionRefused } from "@/lib/permissions/messages";
import { RefusedOutcome } from "@/lib/supabase/call-sql";
import { maxChangesAtOnce } from "@/lib/team-access/access-change";
import { refusalsOf } from "@/lib/team-access/messages";
import { plainCampaign } from "../../support/no-official-check.ts";

const calls = vi.hoisted(() => ({
  requireUser: vi.fn(),
  requirePermission: vi.fn(),
  requireTeam: vi.fn(),
  refresh: vi.fn(),
  changeAccess: vi.fn(),
  previewAccessChange: vi.fn(),
  invalidatePermissions: vi.fn(),
  createInvitations: vi.fn(),
  previewInvitations: vi.fn(),
  makeInvitationLink: vi.fn(),
  reissueInvitations: vi.fn(),
  listPlaces: vi.fn(),
  listMembers: vi.fn(),
  revokeInvitations: vi.fn(),
  declineAccessRequest: vi.fn(),
  acceptInvitation: vi.fn(),
  isFirstVisit: vi.fn(),
  recordSignIn: vi.fn(),
  readInvitation: vi.fn(),
  changeName: vi.fn(),
  choosePassword: vi.fn(),
  askForAccess: vi.fn(),
}));
vi.mock("next/cache", () => calls);
vi.mock("next/server", () => ({ after: (task: () => unknown) => task() }));
vi.mock("@/lib/auth/require-user", () => ({ requireUser: calls.requireUser, requireLiveUser: calls.requireUser }));
vi.mock("@/lib/permissions/require-place", () => calls);
vi.mock("@/lib/permissions/invalidate", () => calls);
vi.mock("@/lib/permissions/list-places", () => calls);
vi.mock("@/lib/team-access/members", () => calls);
vi.mock("@/lib/team-access/change-access", () => calls);
vi.mock("@/lib/team-access/requests", () => calls);
vi.mock("@/lib/invitations/invitations", () => calls);
vi.mock("@/lib/activity/sign-ins", () => calls);
vi.mock(import("@/lib/auth/account"), async (original) => ({ ...(await original()), ...calls }));

const id = "00000000-0000-4000-8000-000000000001";
const role = "00000000-0000-4000-8000-000000000002";
const session = { userId: id, email: "noor@people.test" };
const campaignSettings = { ...plainCampaign, archived: true };
const settings = { name: "North", timeZone: "UTC", locale: "en-US", linesPerSheet: 20, eraseAfterDays: null };
const suspend = {
  kind: "members",
  team: "north",
  members: [{ userId: id, before: { roleId: role, status: "active" }, after: { roleId: role, status: "suspended" } }],
};
const administrators = { kind: "team-sets", team: "north", before: [id], after: [] };
const invitee = { email: "new@people.test", name: "Noor", roleId: role, campaigns: [{ id: "lakes", roleId: role }] };
const invitations = { team: "north", mail: true, invitations: [invitee] };

const actions = {
  saveAccess,
  previewAccess,
  createCampaign,
  editCampaign,
  declineRequest,
  inviteMembers,
  previewInvites,
  editOpenInvitations,
  resendOpenInvitations,
  revokeOpenInvitations,
  showInvitationLinks,
  selectMembers,
  createPermissionSet,
  createRole,
  editPermissionSet,
  renameRole,
  editTeam,
};
type Name = keyof typeof actions;
type Fields = Record<string, string>;
type Action = (state: FormState<never>, form: FormData) => Promise<FormState<unknown>>;
const send = (action: Action, fields: Fields) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return action(initialFormState, form);
};
const save = (change: unknown) => send(saveAccess, { change: JSON.stringify(change) });

beforeEach(() => {
  vi.resetAllMocks();
  calls.changeAccess.mockResolvedValue({ takenOver: 0 });
  calls.previewAccessChange.mockResolvedValue({ effects: [], invitations: [] });
  calls.invalidatePermissions.mockResolvedValue(true);
  calls.createInvitations.mockResolvedValue({ made: [], members: [], invited: [] });
  calls.requireUser.mockResolvedValue(session);
  for (const guard of [calls.requirePermission, calls.requireTeam]) guard.mockResolvedValue({ session });
  calls.listMembers.mockResolvedValue([]);
  vi.stubEnv("SEARCHSVC_URL_NY", "https://search.example");
});

// The fields of forms without `team`, and the change that they make.
const newCampaign = { campaign: "lakes", name: "Lakes", signatureGoal: "1,500", startsOn: "2026-01-01", endsOn: "" };
const editedCampaign = {
  campaign: "lakes",
  before: JSON.stringify(campaignSettings),
  name: "Lakes",
  signatureGoal: "",
  startsOn: "",
  endsOn: "2026-01-01",
  linesPerSheet: "25",
  searchProfile: "NY",
  districts: " 11, 33 ",
  requiredSignatures: "12,500",
  safetyMargin: "10%",
  officialRejection: "2.5",
  checkMethod: "sample",
  samplePercent: "3",
  sampleMinimum: "",
  passPercent: "110",
  failPercent: "95",
  countyTargets: "King, 12,000\nPierce\t400",
};
const sampled = {
  requiredSignatures: 12_500,
  safetyMargin: 10,
  officialRejection: 2.5,
  checkMethod: "sample",
  samplePercent: 3,
  sampleMinimum: null,
  passPercent: 110,
  failPercent: 95,
  countyTargets: [
    { county: "King", target: 12_000 },
    { county: "Pierce", target: 400 },
  ],
};
const editedTeam = {
  before: JSON.stringify(settings),
  name: " North side ",
  timeZone: "Europe/Berlin",
  locale: "de-DE",
  linesPerSheet: "15",
  eraseAfterDays: "45",
};
const driving = { name: "Driving", description: null };
const forms: [action: Name, key: string, fields: Fields, change: object][] = [
  [
    "createRole",
    "roles.manage",
    { name: " Drivers ", scope: "assigned", setIds: "[]" },
    { kind: "create-role", name: "Drivers", scope: "assigned", setIds: [] },
  ],
  [
    "renameRole",
    "roles.manage",
    { roleId: role, before: "Drivers", name: "Riders" },
    { kind: "rename-role", roleId: role, before: "Drivers", after: "Riders" },
  ],
  [
    "createPermissionSet",
    "roles.manage",
    { name: "Driving", description: "", keys: '["charts.view"]' },
    { kind: "create-set", after: driving, keys: ["charts.view"] },
  ],
  [
    "editPermissionSet",
    "roles.manage",
    { setId: id, before: JSON.stringify(driving), name: "Driving", description: "By night" },
    { kind: "edit-set", setId: id, before: driving, after: { ...driving, description: "By night" } },
  ],
  [
    "createCampaign",
    "members.manage",
    newCampaign,
    {
      kind: "create-campaign",
      campaign: "lakes",
      after: { name: "Lakes", signatureGoal: 1_500, startsOn: "2026-01-01", endsOn: null },
    },
  ],
  [
    "editCampaign",
    "members.manage",
    editedCampaign,
    {
      kind: "edit-campaign",
      campaign: "lakes",
      before: campaignSettings,
      after: {
        ...campaignSettings,
        endsOn: "2026-01-01",
        linesPerSheet: 25,
        searchProfile: "NY",
        districts: "11, 33",
        ...sampled,
      },
    },
  ],
  [
    "editTeam",
    "members.manage",
    editedTeam,
    {
      kind: "edit-team",
      before: settings,
      after: { name: "North side", timeZone: "Europe/Berlin", locale: "de-DE", linesPerSheet: 15, eraseAfterDays: 45 },
    },
  ],
];

type Case = [action: Name, key: string, fields: Fields, calledFunction: keyof typeof calls, ...args: unknown[]];
const [inviteFields, single] = [{ list: JSON.stringify(invitations) }, { team: "north", id }];
const invitationIds = { team: "north", ids: [id] };
const jsonIds = { team: "north", ids: JSON.stringify([id]) };
const sent = (change: object) => ({ change: JSON.stringify(change) });
test.each<Case>([
  ...forms.map(([action, key, fields, change]): Case => {
    return [action, key, { team: "north", ...fields }, "changeAccess", session, { team: "north", ...change }];
  }),
  ["saveAccess", "members.manage", sent(suspend), "changeAccess", session, suspend],
  ["saveAccess", "roles.manage", sent(administrators), "changeAccess", session, administrators],
  ["previewAccess", "roles.manage", sent(administrators), "previewAccessChange", session, administrators],
  ["selectMembers", "members.manage", { team: "north", status: "active" }, "listMembers", "north"],
  ["inviteMembers", "members.manage", inviteFields, "createInvitations", session, invitations],
  ["previewInvites", "members.manage", inviteFields, "previewInvitations", session, invitations],
  ["showInvitationLinks", "members.manage", jsonIds, "makeInvitationLink", session, single],
  ["resendOpenInvitations", "members.manage", jsonIds, "reissueInvitations", session, invitationIds],
  [
    "editOpenInvitations",
    "members.manage",
    { ...jsonIds, edit: "{}" },
    "reissueInvitations",
    session,
    { ...invitationIds, edit: {} },
  ],
  ["revokeOpenInvitations", "members.manage", jsonIds, "revokeInvitations", session, invitationIds],
  ["declineRequest", "members.manage", single, "declineAccessRequest", session, { ...single, answer: null }],
])("%s needs a session, valid fields and %s, and is then done once", async (...parameters) => {
  const [name, key, fields, calledFunction, ...args] = parameters;
  const action = actions[name];
  calls.requireUser.mockImplementationOnce(async () => redirect("/login"));
  await expect(send(action, fields)).rejects.toMatchObject({ digest: expect.stringContaining("/login") });
  expect(await send(action, {})).toMatchObject({ message: null, zodIssues: expect.any(Array) });
  expect(calls.requirePermission).not.toHaveBeenCalled();
  calls.requirePermission.mockRejectedValueOnce(new PermissionRefused({ team: "north" }, "members.manage"));
  const refused = { message: null, error: expect.stringContaining("Ask an administrator") };
  expect(await send(action, fields)).toMatchObject(refused);
  expect([calls[calledFunction].mock.calls, calls.invalidatePermissions.mock.calls]).toEqual([[], []]);

  expect(await send(action, fields)).toMatchObject({ error: null, message: expect.any(String) });
  expect(calls.requirePermission).toHaveBeenLastCalledWith({ team: "north" }, key);
  expect(calls[calledFunction].mock.calls).toEqual([args]);
});

test("reports fields that don't fit together next to others that are wrong", async () => {
  const wrong = { name: " ", startsOn: "2026-02-01", failPercent: "120", countyTargets: "King", safetyMargin: "ten" };
  const state = await send(editCampaign, { team: "north", ...editedCampaign, ...wrong });
  expect(state).toMatchObject({ error: "Fix the 5 fields above." });
  const issues = "zodIssues" in state ? (state.zodIssues ?? []) : [];
  const paths = issues.map(({ path }) => path.join(".")).sort();
  expect(paths).toEqual(["countyTargets", "endsOn", "failPercent", "name", "safetyMargin"]);
});

test("says how to enter a percentage with a decimal comma", async () => {
  const state = await send(editCampaign, { team: "north", ...editedCampaign, officialRejection: "3,5%" });
  expect(state.error).toBe("Fix the field above.");
  expect(fieldIssue(state, "officialRejection")).toBe("Use a decimal point: 3.5%");
});

test("invalidates permissions after each change, and says when that fails", async () => {
  expect(await save(suspend)).toEqual({ error: null, message: "Suspended." });
  expect(calls.invalidatePermissions).toHaveBeenCalledTimes(1);
  calls.changeAccess.mockResolvedValueOnce({ takenOver: 2 });
  expect(await save({ ...suspend, takeOver: true })).toMatchObject({
    message: "Suspended. 2 invitations are now yours.",
  });
  calls.invalidatePermissions.mockResolvedValueOnce(false);
  expect(await save(suspend)).toMatchObject({ message: "Saved. It takes effect within 10 seconds." });
  calls.changeAccess.mockResolvedValueOnce(null);
  expect(await save(suspend)).toMatchObject({ message: "Already up to date. Nothing was changed." });
});

test.each([
  ["unavailable", 1],
  ["conflict", 0],
] as const)(
  "after a change that ends as %s, invalidates permissions %i times, because it may have been made",
  async (code, times) => {
    calls.changeAccess.mockRejectedValueOnce(new AppError(code, "No."));
    expect(await save(suspend)).toMatchObject({ error: "No.", message: null });
    expect(calls.invalidatePermissions).toHaveBeenCalledTimes(times);
  },
);

test("lets every member leave their team, without a permission or a refresh of the page", async () => {
  const leave = { kind: "leave-team", team: "north" };
  for (const action of [previewAccess, saveAccess])
    expect(await send(action, sent(leave))).toMatchObject({ error: null });
  expect(calls.requireTeam.mock.calls).toEqual([["north"], ["north"]]);
  expect(calls.requirePermission).not.toHaveBeenCalled();
  expect(calls.refresh).not.toHaveBeenCalled();
  expect(calls.changeAccess.mock.calls).toEqual([[session, leave]]);
  calls.requireTeam.mockRejectedValueOnce(new Error("to the start"));
  await save(leave);
  expect(calls.changeAccess).toHaveBeenCalledTimes(1);
});

test("counts the people of another team who lose a campaign, and doesn't name them", async () => {
  const effects = [{ userId: id, name: "Hugo Ferrer", places: [] }];
  calls.previewAccessChange.mockResolvedValue({ effects, invitations: [] });
  const stop = { kind: "stop-sharing", team: "north", campaign: "lakes", from: "south" };
  expect(await send(previewAccess, sent(stop))).toEqual({
    message: "1 person in that team will lose access.",
    error: null,
    data: { effects: [], invitations: [] },
  });
});

const json = (name: string, value: unknown) => ({ [name]: JSON.stringify(value) });
const many = Array.from({ length: maxChangesAtOnce + 1 }, () => ({
  ...suspend.members[0],
  userId: crypto.randomUUID(),
}));
const invited = (invitations: unknown[]) => json("list", { team: "north", mail: true, invitations });
test.each<[what: string, action: Name, fields: Fields, path: string]>([
  ["invalid JSON", "saveAccess", { change: "{" }, "change"],
  ["no kind", "saveAccess", json("change", { team: "north" }), "change.kind"],
  [
    "an unknown permission",
    "saveAccess",
    json("change", { kind: "set-keys", team: "north", sets: [{ setId: id, before: [], after: ["x.y"] }] }),
    "change.sets.0.after.0",
  ],
  [
    "the same member twice",
    "saveAccess",
    json("change", { ...suspend, members: Array(2).fill(suspend.members[0]) }),
    "change.members",
  ],
  ["no one", "saveAccess", json("change", { ...suspend, members: [] }), "change.members"],
  ["too many", "saveAccess", json("change", { ...suspend, members: many }), "change.members"],
  ["no one to invite", "inviteMembers", invited([]), "list.invitations"],
  ["too many to invite", "inviteMembers", invited(Array(501).fill(invitee)), "list.invitations"],
  ["an invalid email", "inviteMembers", invited([{ ...invitee, email: "noone" }]), "list.invitations.0.email"],
  ["no role", "inviteMembers", invited([{ ...invitee, roleId: "" }]), "list.invitations.0.roleId"],
  ["an unknown time zone", "editTeam", { timeZone: "Mars/Olympus" }, "timeZone"],
  ["an unknown locale", "editTeam", { locale: "xx-XX" }, "locale"],
  ["a word for a locale", "editTeam", { locale: "english" }, "locale"],
  ["no line on a sheet", "editTeam", { linesPerSheet: "0" }, "linesPerSheet"],
  ["half a line", "editTeam", { linesPerSheet: "1.5" }, "linesPerSheet"],
  ["a word for the number of lines", "editTeam", { linesPerSheet: "many" }, "linesPerSheet"],
  ["a number with a comma in the wrong place", "editTeam", { linesPerSheet: "2,0" }, "linesPerSheet"],
  ["a sample without a size", "editCampaign", { samplePercent: "" }, "samplePercent"],
  ["thresholds in the wrong order", "editCampaign", { failPercent: "120" }, "failPercent"],
  ["a missing threshold", "editCampaign", { passPercent: "" }, "failPercent"],
  ["a rejection of more than half", "editCampaign", { officialRejection: "51" }, "officialRejection"],
  ["a word for a percentage", "editCampaign", { safetyMargin: "ten" }, "safetyMargin"],
  ["half a signature", "editCampaign", { requiredSignatures: "0.5" }, "requiredSignatures"],
  ["an unknown method", "editCampaign", { checkMethod: "luck" }, "checkMethod"],
  ["a county without a number", "editCampaign", { countyTargets: "King" }, "countyTargets"],
  ["a period of 29 days", "editTeam", { eraseAfterDays: "29" }, "eraseAfterDays"],
  ["a word for the period", "editTeam", { eraseAfterDays: "never" }, "eraseAfterDays"],
  ["no name", "editTeam", { name: " " }, "name"],
  ["dates in the wrong order", "createCampaign", { startsOn: "2026-02-01", endsOn: "2026-01-01" }, "endsOn"],
  ["a search that is not configured", "editCampaign", { searchProfile: "TX" }, "searchProfile"],
  ["the common search by its name", "editCampaign", { searchProfile: "SEARCH" }, "searchProfile"],
  ["a search whose variable is empty", "editCampaign", { searchProfile: "EMPTY" }, "searchProfile"],
])("refuses %s with the path of its field, and returns the typed values", async (_what, action, wrong, path) => {
  vi.stubEnv("SEARCHSVC_URL_EMPTY", "");
  vi.stubEnv("SEARCHSVC_URL_SEARCH", "https://search.example");
  const rest = forms.find(([candidate]) => candidate === action)?.[2];
  const state = await send(actions[action], { team: "north", ...rest, ...wrong });
  const issues = "zodIssues" in state ? (state.zodIssues ?? []) : [];
  expect(issues.map((issue) => issue.path.join("."))).toEqual([path]);
  expect(state.data).toMatchObject(rest ? wrong : {});
  for (const call of [calls.requirePermission, calls.changeAccess, calls.createInvitations])
    expect(call).not.toHaveBeenCalled();
});

test("says at its field that the ID of a campaign is taken", async () => {
  calls.changeAccess.mockRejectedValueOnce(new RefusedOutcome("id-taken", ["conflict", "This campaign ID is taken."]));
  const state = await send(createCampaign, { team: "north", ...newCampaign });
  expect(state).toMatchObject({
    error: "Fix the field above.",
    zodIssues: [{ path: ["campaign"], message: "is taken. Choose another" }],
    data: { campaign: newCampaign.campaign },
  });
});

test.each([
  ["name-taken", "This name is taken. Choose another"],
  ["archived-name-taken", "An archived campaign has this name. Choose another"],
])("says at its field that a name is taken: %s", async (outcome, message) => {
  calls.changeAccess.mockRejectedValueOnce(new RefusedOutcome(outcome, ["conflict", "This name is taken."]));
  const state = await send(createCampaign, { team: "north", ...newCampaign });
  expect(state).toMatchObject({ zodIssues: [{ path: ["name"], message }] });
});

test("shows the page again where someone else has changed the settings of a campaign", async () => {
  calls.changeAccess.mockRejectedValueOnce(new RefusedOutcome("stale", ["conflict", "Someone else changed this."]));
  const state = await send(editCampaign, { team: "north", ...editedCampaign });
  expect(state.error).toMatch(/^Someone else changed these settings, so nothing was saved/);
  expect(calls.refresh).toHaveBeenCalledOnce();
});

test("a campaign requires a link", async () => {
  const state = await send(createCampaign, { team: "north", ...newCampaign, campaign: "" });
  expect(state).toMatchObject({
    zodIssues: [{ path: ["campaign"], message: "Enter a web address" }],
  });
});

test.each(["0026-09-29", "2101-01-01", "9999-12-31"])("a campaign can't begin on %s", async (startsOn) => {
  const state = await send(createCampaign, { team: "north", ...newCampaign, startsOn, endsOn: "" });
  expect(state).toMatchObject({ zodIssues: [{ path: ["startsOn"], message: "must be from 2000 to 2100" }] });
});

test("editCampaign uses the common profile when there is none to choose", async () => {
  const { searchProfile: _, ...fields } = editedCampaign;
  expect(await send(editCampaign, { team: "north", ...fields })).toMatchObject({ error: null });
  expect(calls.changeAccess.mock.calls).toMatchObject([[session, { after: { searchProfile: null } }]]);
});

test("selectMembers returns the filtered members without oneself", async () => {
  const member = { name: "Ada", email: "", roleId: role, role: "Office", isAdministrator: false, campaigns: [] };
  calls.listMembers.mockResolvedValue([
    { ...member, userId: id, status: "active" },
    { ...member, userId: role, status: "active" },
    { ...member, userId: "00000000-0000-4000-8000-000000000003", status: "suspended" },
  ]);
  const result = await send(selectMembers, { team: "north", status: "active" });
  expect(result).toMatchObject({ data: [{ userId: role }] });
});

test.each([
  [true, 1],
  [false, 0],
])("joining at a first visit (%s) saves the name and password that were chosen with it", async (isFirst, times) => {
  const invitation = { state: "open" };
  calls.readInvitation.mockResolvedValue(invitation);
  calls.isFirstVisit.mockResolvedValue(isFirst);
  calls.acceptInvitation.mockResolvedValue({ team: "north", campaign: null });
  calls.listPlaces.mockResolvedValue([]);
  const token = "a".repeat(43);
  const password = "a-password-of-choice";
  await expect(send(joinTeam, { token, name: " Noor ", password })).rejects.toThrow("NEXT_REDIRECT");
  await expect(send(joinTeam, { token, name: "Noor", password: "" })).rejects.toThrow("NEXT_REDIRECT");
  expect(await send(joinTeam, { token, password: "Noor@people.test" })).toMatchObject({ zodIssues: expect.any(Array) });
  expect(calls.isFirstVisit.mock.calls).toEqual(Array(2).fill([session, invitation]));
  expect(calls.changeName.mock.calls).toEqual(Array(2 * times).fill([session, "Noor"]));
  expect(calls.choosePassword.mock.calls).toEqual(Array(times).fill([password]));
  expect(calls.recordSignIn).toHaveBeenCalledTimes(2 * times);
  expect(await send(joinTeam, { token, name: "Noor", password: "short" })).toMatchObject({ error: expect.any(String) });
  expect(calls.acceptInvitation).toHaveBeenCalledTimes(2);
});

test("shows the link of a single invitation, but not of several", async () => {
  calls.makeInvitationLink.mockResolvedValue("https://x");
  const made = [{ id, email: "a" }];
  calls.createInvitations.mockResolvedValueOnce({ made, members: [], invited: [] });
  expect(await send(inviteMembers, inviteFields)).toMatchObject({ data: { link: "https://x" } });
  calls.createInvitations.mockResolvedValueOnce({ made: [...made, { id, email: "b" }], members: [], invited: [] });
  const created = { message: expect.stringContaining("2 invitations"), data: { link: null } };
  expect(await send(inviteMembers, inviteFields)).toMatchObject(created);
  expect(calls.makeInvitationLink).toHaveBeenCalledTimes(1);
});

test("sends a new member to their campaign, or to the team, once the permissions are in effect", async () => {
  calls.listPlaces.mockResolvedValue([
    { id: "north", campaigns: [{ id: "lakes", permissionKeys: ["signatures.view"] }] },
  ]);
  calls.acceptInvitation.mockResolvedValueOnce({ team: "north", campaign: "lakes" });
  calls.acceptInvitation.mockResolvedValue({ team: "north", campaign: null });
  const accept = (token = "a".repeat(43)) => send(joinTeam, { token });
  for (const path of ["/north/campaign/lakes/signatures", "/north"]) {
    await expect(accept()).rejects.toMatchObject({ digest: expect.stringContaining(`;${path};`) });
  }
  expect(calls.acceptInvitation.mock.calls).toEqual(Array(2).fill([session, "a".repeat(43)]));
  calls.invalidatePermissions.mockResolvedValueOnce(false);
  expect(await accept()).toMatchObject({ error: null, message: expect.stringContaining("in a few seconds") });
  expect(await accept("short")).toMatchObject({ zodIssues: expect.any(Array) });
});

const request = { team: "north", campaign: "lakes", key: "charts.view", page: "/north/x" };
test("lets only members of the team request access", async () => {
  calls.askForAccess.mockResolvedValue("asked");
  const args = { error: null, message: expect.stringContaining("Request sent") };
  expect(await send(requestAccess, request)).toMatchObject(args);
  const place = { team: "north", campaign: "lakes" };
  expect(await send(requestAccess, { ...request, reason: " For the report " })).toMatchObject(args);
  expect(calls.askForAccess.mock.calls).toEqual(
    [null, "For the report"].map((reason) => [session, place, "charts.view", { page: "/north/x", reason }]),
  );
  calls.requireTeam.mockRejectedValueOnce(new Error("to the start"));
  await send(requestAccess, request);
  expect(calls.askForAccess).toHaveBeenCalledTimes(2);
});

test.each([
  ["accessPreview", previewAccess, sent(administrators), "previewAccessChange"],
  ["accessRequest", requestAccess, request, "askForAccess"],
] as const)(
  "%s has a limit per minute, beyond which nothing is requested",
  async (kind, action, fields, calledFunction) => {
    calls.askForAccess.mockResolvedValue("asked");
    expect(await send(action, fields)).toMatchObject({ error: null });
    const counters: unknown = Reflect.get(globalThis, Symbol.for("signet.rate-limit"));
    if (!(counters instanceof Map)) throw new Error("Nothing was counted.");
    expect([...counters.keys()]).toContain(`rate:${kind}:${id}`);
    counters.set(`rate:${kind}:${id}`, { count: rateLimits()[kind], endsAt: Date.now() + 30_000 });
    expect(await send(action, fields)).toMatchObject({
      message: null,
      error: "Too many requests. Try again in 30 seconds.",
    });
    expect(calls[calledFunction]).toHaveBeenCalledTimes(1);
  },
);

test("people who can't change their own membership are sent to an administrator", () => {
  expect(refusalsOf({ kind: "leave-team", team: "north" })["own-membership"]).toEqual([
    "conflict",
    "You can't change your own membership. Ask another administrator.",
  ]);
});
