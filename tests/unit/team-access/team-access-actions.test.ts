import { redirect } from "next/navigation";
import { beforeEach, expect, test, vi } from "vitest";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { createCampaign, editCampaign } from "@/app/[team]/campaign/actions";
import { closeRequest } from "@/app/[team]/members/actions";
import {
  inviteMembers,
  previewInvites,
  resendOpenInvitation,
  revokeOpenInvitation,
  showInvitationLink,
} from "@/app/[team]/members/invitation-actions";
import { selectMembers } from "@/app/[team]/members/select-members";
import { createPermissionSet, createRole, editPermissionSet, renameRole } from "@/app/[team]/roles/actions";
import { editTeam } from "@/app/[team]/settings/actions";
import { submitAcceptance } from "@/app/invitation/[token]/actions";
import { submitAccessRequest } from "@/components/permissions/submit-access-request";
import { rateLimits } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { type FormState, unsent } from "@/lib/forms/form-state";
import type { RateKind } from "@/lib/http/require-rate";
import { PermissionRefused } from "@/lib/permissions/permission-refused";
import { mostChangesAtOnce } from "@/lib/team-access/access-change";

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
  resendInvitation: vi.fn(),
  listPlaces: vi.fn(),
  listMembers: vi.fn(),
  revokeInvitation: vi.fn(),
  closeAccessRequest: vi.fn(),
  acceptInvitation: vi.fn(),
  askForAccess: vi.fn(),
}));
vi.mock("next/cache", () => ({ refresh: calls.refresh }));
vi.mock("next/server", () => ({ after: (task: () => unknown) => task() }));
vi.mock("@/lib/auth/require-user", () => ({ requireUser: calls.requireUser, requireLiveUser: calls.requireUser }));
vi.mock("@/lib/permissions/require-place", () => ({
  requirePermission: calls.requirePermission,
  requireTeam: calls.requireTeam,
}));
vi.mock("@/lib/permissions/invalidate-permissions", () => ({ invalidatePermissions: calls.invalidatePermissions }));
vi.mock("@/lib/team-access/list-members", () => ({ listMembers: calls.listMembers }));
vi.mock("@/lib/team-access/change-access", () => ({ changeAccess: calls.changeAccess }));
vi.mock("@/lib/team-access/preview-access-change", () => ({ previewAccessChange: calls.previewAccessChange }));
vi.mock("@/lib/team-access/close-access-request", () => ({ closeAccessRequest: calls.closeAccessRequest }));
vi.mock("@/lib/team-access/ask-for-access", () => ({ askForAccess: calls.askForAccess }));
vi.mock("@/lib/invitations/create-invitations", () => ({ createInvitations: calls.createInvitations }));
vi.mock("@/lib/invitations/preview-invitations", () => ({ previewInvitations: calls.previewInvitations }));
vi.mock("@/lib/invitations/make-invitation-link", () => ({ makeInvitationLink: calls.makeInvitationLink }));
vi.mock("@/lib/invitations/resend-invitation", () => ({ resendInvitation: calls.resendInvitation }));
vi.mock("@/lib/permissions/list-places", () => ({ listPlaces: calls.listPlaces }));
vi.mock("@/lib/invitations/revoke-invitation", () => ({ revokeInvitation: calls.revokeInvitation }));
vi.mock("@/lib/invitations/accept-invitation", () => ({ acceptInvitation: calls.acceptInvitation }));

const id = "00000000-0000-4000-8000-000000000001";
const role = "00000000-0000-4000-8000-000000000002";
const session = { userId: id };
const texts = {
  ...{ name: "Lakes", signatureGoal: null, startsOn: null, endsOn: null },
  ...{ linesPerSheet: 20, searchProfile: null, archived: true },
};
const settings = { name: "North", timeZone: "UTC", locale: "en-US", linesPerSheet: 20 };
const leave = { kind: "leave-team", team: "north" };
const suspend = {
  kind: "members",
  team: "north",
  members: [{ userId: id, before: { roleId: role, status: "active" }, after: { roleId: role, status: "suspended" } }],
};
const administrators = { kind: "team-sets", team: "north", before: [id], after: [] };

const invitations = {
  team: "north",
  mail: true,
  invitations: [{ email: "new@people.test", name: "Noor", roleId: role, campaigns: [{ id: "lakes", roleId: role }] }],
};

type Case = {
  action: (state: FormState<never>, form: FormData) => Promise<FormState<unknown>>;
  fields: Record<string, string>;
  key: string;
  verb: keyof typeof calls;
  called: unknown;
};
const cases: Record<string, Case> = {
  saveAccess: {
    action: saveAccess,
    fields: { change: JSON.stringify(suspend) },
    key: "members.manage",
    verb: "changeAccess",
    called: suspend,
  },
  "saveAccess of a bundle": {
    action: saveAccess,
    fields: { change: JSON.stringify(administrators) },
    key: "roles.manage",
    verb: "changeAccess",
    called: administrators,
  },
  previewAccess: {
    action: previewAccess,
    fields: { change: JSON.stringify(administrators) },
    key: "roles.manage",
    verb: "previewAccessChange",
    called: administrators,
  },
  createRole: {
    action: createRole,
    fields: { team: "north", name: " Drivers ", scope: "assigned" },
    key: "roles.manage",
    verb: "changeAccess",
    called: { kind: "create-role", team: "north", name: "Drivers", scope: "assigned" },
  },
  renameRole: {
    action: renameRole,
    fields: { team: "north", roleId: role, before: "Drivers", name: "Riders" },
    key: "roles.manage",
    verb: "changeAccess",
    called: { kind: "rename-role", team: "north", roleId: role, before: "Drivers", after: "Riders" },
  },
  createPermissionSet: {
    action: createPermissionSet,
    fields: { team: "north", name: "Driving", description: "", keys: '["charts.view"]' },
    key: "roles.manage",
    verb: "changeAccess",
    called: {
      kind: "create-set",
      team: "north",
      after: { name: "Driving", description: null },
      keys: ["charts.view"],
    },
  },
  editPermissionSet: {
    action: editPermissionSet,
    fields: {
      team: "north",
      setId: id,
      before: '{"name":"Driving","description":null}',
      name: "Driving",
      description: "By night",
    },
    key: "roles.manage",
    verb: "changeAccess",
    called: {
      kind: "edit-set",
      team: "north",
      setId: id,
      before: { name: "Driving", description: null },
      after: { name: "Driving", description: "By night" },
    },
  },
  createCampaign: {
    action: createCampaign,
    fields: {
      team: "north",
      campaign: "lakes",
      name: "Lakes",
      signatureGoal: "500",
      startsOn: "2026-01-01",
      endsOn: "",
    },
    key: "members.manage",
    verb: "changeAccess",
    called: {
      kind: "create-campaign",
      team: "north",
      campaign: "lakes",
      after: { name: "Lakes", signatureGoal: 500, startsOn: "2026-01-01", endsOn: null },
    },
  },
  editCampaign: {
    action: editCampaign,
    fields: {
      team: "north",
      campaign: "lakes",
      before: JSON.stringify(texts),
      name: "Lakes",
      signatureGoal: "",
      startsOn: "",
      endsOn: "2026-01-01",
      linesPerSheet: "25",
      searchProfile: "NY",
    },
    key: "members.manage",
    verb: "changeAccess",
    called: {
      kind: "edit-campaign",
      team: "north",
      campaign: "lakes",
      before: texts,
      after: { ...texts, endsOn: "2026-01-01", linesPerSheet: 25, searchProfile: "NY" },
    },
  },
  editTeam: {
    action: editTeam,
    fields: {
      ...{ team: "north", before: JSON.stringify(settings) },
      ...{ name: " North side ", timeZone: "Europe/Berlin", locale: "de-DE", linesPerSheet: "15" },
    },
    key: "members.manage",
    verb: "changeAccess",
    called: {
      kind: "edit-team",
      team: "north",
      before: settings,
      after: { name: "North side", timeZone: "Europe/Berlin", locale: "de-DE", linesPerSheet: 15 },
    },
  },
  selectMembers: {
    action: selectMembers,
    fields: { team: "north", status: "active" },
    key: "members.manage",
    verb: "listMembers",
    called: "north",
  },
  inviteMembers: {
    action: inviteMembers,
    fields: { list: JSON.stringify(invitations) },
    key: "members.manage",
    verb: "createInvitations",
    called: invitations,
  },
  previewInvites: {
    action: previewInvites,
    fields: { list: JSON.stringify(invitations) },
    key: "members.manage",
    verb: "previewInvitations",
    called: invitations,
  },
  showInvitationLink: {
    action: showInvitationLink,
    fields: { team: "north", id },
    key: "members.manage",
    verb: "makeInvitationLink",
    called: { team: "north", id },
  },
  resendOpenInvitation: {
    action: resendOpenInvitation,
    fields: { team: "north", id },
    key: "members.manage",
    verb: "resendInvitation",
    called: { team: "north", id },
  },
  revokeOpenInvitation: {
    action: revokeOpenInvitation,
    fields: { team: "north", id },
    key: "members.manage",
    verb: "revokeInvitation",
    called: { team: "north", id },
  },
  closeRequest: {
    action: closeRequest,
    fields: { team: "north", id },
    key: "members.manage",
    verb: "closeAccessRequest",
    called: { team: "north", id },
  },
};

const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};
const send = ({ action, fields }: Pick<Case, "action" | "fields">) => action(unsent, formOf(fields));

beforeEach(() => {
  vi.resetAllMocks();
  calls.changeAccess.mockResolvedValue(true);
  calls.previewAccessChange.mockResolvedValue([]);
  calls.invalidatePermissions.mockResolvedValue(true);
  calls.createInvitations.mockResolvedValue({ made: [], members: [], invited: [] });
  calls.requireUser.mockResolvedValue(session);
  for (const guard of [calls.requirePermission, calls.requireTeam]) guard.mockResolvedValue({ session });
  calls.listMembers.mockResolvedValue([]);
  vi.stubEnv("SEARCHSVC_URL_NY", "https://search.example");
});

const forNobody: Case["verb"][] = ["listMembers"]; // a guard alone decides there
test.each(Object.entries(cases))("%s asks for its key in its team first, then does it once", async (_name, one) => {
  const state = await send(one);
  expect(state).toMatchObject({ error: null, message: expect.any(String) });
  expect(calls.requirePermission.mock.calls).toEqual([[{ team: "north" }, one.key]]);
  const actor = forNobody.includes(one.verb) ? [] : [session];
  expect(calls[one.verb].mock.calls).toEqual([[...actor, one.called]]);
});

test.each(Object.entries(cases))("%s does nothing for a stranger, nor without its key", async (_name, one) => {
  calls.requireUser.mockImplementationOnce(async () => redirect("/login"));
  await expect(send(one)).rejects.toMatchObject({ digest: expect.stringContaining("/login") });
  expect(calls.requirePermission).not.toHaveBeenCalled();
  calls.requirePermission.mockRejectedValueOnce(new PermissionRefused({ team: "north" }, "members.manage"));
  expect(await send(one)).toMatchObject({ message: null, error: expect.stringContaining("Ask an administrator") });
  expect(calls[one.verb]).not.toHaveBeenCalled();
  expect(calls.invalidatePermissions).not.toHaveBeenCalled();
});

test.each(Object.entries(cases))("%s names the fields that are wrong, and does nothing", async (_name, one) => {
  const state = await send({ ...one, fields: {} });
  expect(state).toMatchObject({ message: null, zodIssues: expect.any(Array) });
  expect(calls[one.verb]).not.toHaveBeenCalled();
});

test("each change is brought into effect, and says so when it is not yet", async () => {
  const save = cases.saveAccess;
  if (!save) throw new Error("There is no such case.");
  expect(await send(save)).toEqual({ error: null, message: "Suspended." });
  expect(calls.invalidatePermissions).toHaveBeenCalledTimes(1);
  calls.invalidatePermissions.mockResolvedValueOnce(false);
  expect(await send(save)).toMatchObject({ message: "Saved; it takes effect when the connection is back." });
  calls.changeAccess.mockResolvedValueOnce(false);
  expect(await send(save)).toMatchObject({ message: "It was so already; nothing was changed." });
});

test.each([
  ["unavailable", 1],
  ["conflict", 0],
] as const)(
  "a change that ends as %s is brought into effect %i times: without an answer it may have been made",
  async (code, times) => {
    const save = cases.saveAccess;
    if (!save) throw new Error("There is no such case.");
    calls.changeAccess.mockRejectedValueOnce(new AppError(code, "No."));
    expect(await send(save)).toMatchObject({ error: "No.", message: null });
    expect(calls.invalidatePermissions).toHaveBeenCalledTimes(times);
  },
);

test.each<[string, unknown]>([
  ["what is not JSON", "{"],
  ["no kind", { team: "north" }],
  ["a key that there is not", { kind: "set-keys", team: "north", sets: [{ setId: id, before: [], after: ["x.y"] }] }],
  ["nobody", { ...suspend, members: [] }],
  ["too many", { ...suspend, members: Array.from({ length: mostChangesAtOnce + 1 }, () => suspend.members[0]) }],
])("saveAccess refuses %s", async (_what, change) => {
  const fields = { change: typeof change === "string" ? change : JSON.stringify(change) };
  expect(await send({ action: saveAccess, fields })).toMatchObject({ zodIssues: expect.any(Array) });
  expect(calls.requirePermission).not.toHaveBeenCalled();
  expect(calls.changeAccess).not.toHaveBeenCalled();
});

test("every member leaves her team, and nothing asks for a key or shows the page anew", async () => {
  const fields = { change: JSON.stringify(leave) };
  for (const action of [previewAccess, saveAccess])
    expect(await send({ action, fields })).toMatchObject({ error: null });
  expect(calls.requireTeam.mock.calls).toEqual([["north"], ["north"]]);
  expect(calls.requirePermission).not.toHaveBeenCalled();
  expect(calls.refresh).not.toHaveBeenCalled();
  expect(calls.changeAccess.mock.calls).toEqual([[session, leave]]);
  calls.requireTeam.mockRejectedValueOnce(new Error("to the start"));
  await send({ action: saveAccess, fields });
  expect(calls.changeAccess).toHaveBeenCalledTimes(1);
});

test.each([
  ["timeZone", "Mars/Olympus"],
  ["locale", "xx-XX"],
  ["locale", "english"],
  ["linesPerSheet", "0"],
  ["linesPerSheet", "1.5"],
  ["linesPerSheet", "many"],
  ["name", " "],
])("editTeam names the field %s that is %j, and gives back what was typed", async (field, value) => {
  const state = await send({ action: editTeam, fields: { ...cases.editTeam?.fields, [field]: value } });
  expect(state).toMatchObject({ zodIssues: [{ path: [field] }], data: { [field]: value } });
  expect(calls.changeAccess).not.toHaveBeenCalled();
});

test.each([
  ["a profile that is not configured", { searchProfile: "TX" }],
  ["the common one by its name", { searchProfile: "SEARCH" }],
  ["one whose variable is empty", { searchProfile: "EMPTY" }],
])("editCampaign refuses %s", async (_what, fields) => {
  vi.stubEnv("SEARCHSVC_URL_EMPTY", "");
  vi.stubEnv("SEARCHSVC_URL_SEARCH", "https://search.example");
  const state = await send({ action: editCampaign, fields: { ...cases.editCampaign?.fields, ...fields } });
  expect(state).toMatchObject({ zodIssues: [{ path: ["searchProfile"] }] });
});

test("editCampaign takes the common profile where there is none to choose", async () => {
  const { searchProfile: _, ...fields } = { searchProfile: "", ...cases.editCampaign?.fields };
  expect(await send({ action: editCampaign, fields })).toMatchObject({ error: null });
  expect(calls.changeAccess.mock.calls).toMatchObject([[session, { after: { searchProfile: null } }]]);
});

test("selectMembers gives those whom the filter lets through, but oneself", async () => {
  const member = { name: "Ada", email: "", roleId: role, role: "Office", isAdministrator: false, campaigns: [] };
  calls.listMembers.mockResolvedValue([
    { ...member, userId: id, status: "active" },
    { ...member, userId: role, status: "active" },
    { ...member, userId: "00000000-0000-4000-8000-000000000003", status: "suspended" },
  ]);
  const select = cases.selectMembers;
  if (!select) throw new Error("There is no such case.");
  expect(await send(select)).toMatchObject({ data: [{ userId: role }] });
});

test("days of a campaign are in order", async () => {
  const fields = { ...cases.createCampaign?.fields, startsOn: "2026-02-01", endsOn: "2026-01-01" };
  const state = await send({ action: createCampaign, fields });
  expect(state).toMatchObject({ zodIssues: [{ path: ["endsOn"] }], data: { name: "Lakes" } });
});

test.each<[string, unknown]>([
  ["nobody", { ...invitations, invitations: [] }],
  ["too many", { ...invitations, invitations: Array(501).fill(invitations.invitations[0]) }],
  ["what is no address", { ...invitations, invitations: [{ ...invitations.invitations[0], email: "nobody" }] }],
  ["no role", { ...invitations, invitations: [{ ...invitations.invitations[0], roleId: "" }] }],
])("inviteMembers refuses %s", async (_what, list) => {
  expect(await send({ action: inviteMembers, fields: { list: JSON.stringify(list) } })).toMatchObject({
    zodIssues: expect.any(Array),
  });
  expect(calls.createInvitations).not.toHaveBeenCalled();
});

test("the link of a single invitation is shown, that of several is not", async () => {
  const list = { action: inviteMembers, fields: { list: JSON.stringify(invitations) } };
  calls.makeInvitationLink.mockResolvedValue("https://x");
  calls.createInvitations.mockResolvedValue({ made: [{ id, email: "new@people.test" }], members: [], invited: [] });
  expect(await send(list)).toMatchObject({ data: { link: "https://x" } });
  calls.createInvitations.mockResolvedValue({
    made: [
      { id, email: "a" },
      { id, email: "b" },
    ],
    members: [],
    invited: [],
  });
  expect(await send(list)).toMatchObject({ message: expect.stringContaining("2 people"), data: { link: null } });
  expect(calls.makeInvitationLink).toHaveBeenCalledTimes(1);
});

test("who accepts an invitation is sent to her campaign, else to the team, once its permissions are in effect", async () => {
  const campaigns = [{ id: "lakes", permissionKeys: ["signatures.view"] }];
  calls.listPlaces.mockResolvedValue([{ id: "north", campaigns }]);
  calls.acceptInvitation.mockResolvedValueOnce({ team: "north", campaign: "lakes" });
  calls.acceptInvitation.mockResolvedValue({ team: "north", campaign: null });
  const accept = { action: submitAcceptance, fields: { token: "a".repeat(43) } };
  const digest = (path: string) => ({ digest: expect.stringContaining(`;${path};`) });
  await expect(send(accept)).rejects.toMatchObject(digest("/north/campaign/lakes/signatures"));
  await expect(send(accept)).rejects.toMatchObject(digest("/north"));
  expect(calls.acceptInvitation.mock.calls).toEqual(Array(2).fill([session, accept.fields.token]));
  calls.invalidatePermissions.mockResolvedValueOnce(false);
  expect(await send(accept)).toMatchObject({ error: null, message: expect.stringContaining("connection") });
  expect(await send({ ...accept, fields: { token: "short" } })).toMatchObject({ zodIssues: expect.any(Array) });
});

test("a member of the team asks for access, and nobody else", async () => {
  calls.askForAccess.mockResolvedValue("asked");
  const ask = {
    action: submitAccessRequest,
    fields: { team: "north", campaign: "lakes", key: "charts.view", page: "/north/x" },
  };
  expect(await send(ask)).toMatchObject({ error: null, message: expect.stringContaining("Asked.") });
  expect(calls.askForAccess.mock.calls).toEqual([
    [session, { team: "north", campaign: "lakes" }, "charts.view", "/north/x"],
  ]);
  calls.requireTeam.mockRejectedValueOnce(new Error("to the start"));
  await send(ask);
  expect(calls.askForAccess).toHaveBeenCalledTimes(1);
});

test.each<[RateKind, Pick<Case, "action" | "fields">, keyof typeof calls]>([
  [
    "accessPreview",
    { action: previewAccess, fields: { change: JSON.stringify(administrators) } },
    "previewAccessChange",
  ],
  ["accessRequest", { action: submitAccessRequest, fields: { team: "north", key: "charts.view" } }, "askForAccess"],
])("%s has a limit for a minute, beyond which nothing is asked", async (kind, call, verb) => {
  vi.stubEnv("REDIS_URL", "redis://127.0.0.1:1");
  calls.askForAccess.mockResolvedValue("asked");
  expect(await send(call)).toMatchObject({ error: null });
  const counters: unknown = Reflect.get(globalThis, Symbol.for("signet.rate-limit"));
  if (!(counters instanceof Map)) throw new Error("Nothing was counted.");
  expect([...counters.keys()]).toContain(`rate:${kind}:${id}`);
  counters.set(`rate:${kind}:${id}`, { count: rateLimits()[kind], endsAt: Date.now() + 30_000 });
  expect(await send(call)).toMatchObject({ message: null, error: "That was too often. Try again in 30 seconds." });
  expect(calls[verb]).toHaveBeenCalledTimes(1);
  vi.unstubAllEnvs();
});
