import { createHash, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { administeredTeam, demoNames } from "../team-access/administered-team.ts";

// A helper manages members and roles, searches voters and sees campaigns in the whole team, and can open only clean-water.

const { sql, id, role, set, make, join, call, change, preview, nothingChanges } = administeredTeam(async () => {
  const [helper, helping] = [
    await make("roles", "riverside", "Helper"),
    await make("permission_sets", "riverside", "Helping"),
  ];
  const keys = ["members.manage", "members.view", "roles.manage", "voters.search", "campaign.view"];
  await sql("insert into public.permission_set_keys select $1, unnest($2::text[])", [helping, keys]);
  await sql("insert into public.role_p_sets values ($1, $2)", [helper, helping]);
  await join("helper", "riverside", helper);
  await sql("insert into public.campaign_user_roles_team values ($1, 'riverside', 'clean-water', $2)", [
    id("helper"),
    role("Canvasser"),
  ]);
});
let empty: string; // a role without sets
let guide: string; // a role of another team
beforeEach(async () => {
  empty = await make("roles", "riverside", "Empty");
  guide = await make("roles", "hillside", "Guide");
});

const email = "outsider@people.test";
type Invitee = { email: string; roleId?: string; name?: string; campaigns?: { id: string; roleId: string }[] };
const member = (email: string, campaign?: string, roleId = role("Canvasser")): Invitee => ({
  email,
  roleId: role("Member"),
  campaigns: campaign ? [{ id: campaign, roleId }] : [],
});
const answerSchema = z.looseObject({
  outcome: z.string(),
  made: z.array(z.looseObject({ id: z.string() })).optional(),
  effects: z
    .array(z.object({ name: z.string(), places: z.array(z.looseObject({ gains: z.array(z.string()) })) }))
    .optional(),
});
const create = async (by: string, invitations: Invitee[], { mail = false, commit = true, into = "riverside" } = {}) => {
  const args = { p_team_id: into, p_invitations: invitations, p_mail: mail, p_commit: commit };
  return answerSchema.parse(await call("create_invitations", by, args));
};
/** Invites, and makes the link; returns its hash. */
async function invite(by: string, more: Partial<Invitee> = {}) {
  const result = await create(by, [{ email, roleId: role("Field team"), ...more }]);
  const invitation = result.made?.[0]?.id ?? "";
  return { ...result, id: invitation, hash: invitation && (await link(invitation)) };
}
async function link(invitation: string) {
  const hash = createHash("sha256").update(randomBytes(32)).digest("hex");
  await sql("select public.save_invitation_token($1, $2)", [invitation, hash]);
  return hash;
}
const accept = (by: string, p_token_hash: string) => call("accept_invitation", by, { p_token_hash });
const ids = (list: string[]) => `{${list}}`;
const reissue = (by: string, invitationIds: string[], p_edit: object | null = null) =>
  call("reissue_invitations", by, { p_team_id: "riverside", p_ids: ids(invitationIds), p_edit });
const resend = (by: string, ...invitationIds: string[]) => reissue(by, invitationIds);
const revoke = (by: string, invitationId: string, p_team_id = "riverside") =>
  call("revoke_invitations", by, { p_team_id, p_ids: ids([invitationId]) });
const expire = () => sql("update public.invitations set expires_at = now()");
const mails = async () => (await sql("select state from private.invitation_mails")).map(({ state }) => state);
const membership = () =>
  sql(
    "select t.team_id, r.name as role, t.status from public.team_users t join public.roles r on r.id = t.role_id where t.user_id = $1",
    [id("outsider")],
  );
const setStatus = (name: string, status: string) =>
  sql("update public.team_users set status = $2 where user_id = $1", [id(name), status]);

test("an invitation lasts seven days, makes its address an active member once, and makes a change pending for them", async () => {
  const { outcome, hash } = await invite("admin", { email: " Outsider@People.test " });
  expect(outcome).toBe("done");
  expect(
    await sql("select extract(day from expires_at - created_at)::int as days, email from public.invitations"),
  ).toEqual([{ days: 7, email }]);
  expect(await membership()).toEqual([]);

  await sql("delete from public.permission_changes");
  expect(await accept("outsider", hash)).toEqual({ outcome: "done", team: "riverside", campaign: null });
  expect(await membership()).toEqual([{ team_id: "riverside", role: "Field team", status: "active" }]);
  expect(await sql("select distinct user_id from public.permission_changes")).toEqual([{ user_id: id("outsider") }]);

  expect(await accept("outsider", hash)).toEqual({ outcome: "used" });
  await setStatus("outsider", "suspended");
  await nothingChanges(async () => expect(await accept("outsider", hash)).toEqual({ outcome: "used" }));
});

const stateOf = async (hash: string) =>
  (await sql("select public.read_invitation($1) ->> 'state' as state", [hash]))[0]?.state;

describe("a link doesn't let in", () => {
  const refused = (as: string, hash: string, outcome: string) =>
    nothingChanges(async () => expect(await accept(as, hash)).toEqual({ outcome }));

  test.each<[what: string, outcome: string, prepare: () => Promise<unknown>, as?: string]>([
    ["someone with another address", "other-address", async () => undefined, "hill"],
    [
      "someone whose address isn't confirmed",
      "other-address",
      () => sql("update auth.users set email_confirmed_at = null where id = $1", [id("outsider")]),
    ],
    ["anyone once it has expired", "expired", expire],
    ["anyone if it was never made", "no-invitation", () => sql("delete from public.invitations")],
    [
      "a suspended member",
      "suspended",
      () => join("outsider", "riverside", role("Member")).then(() => setStatus("outsider", "suspended")),
    ],
    ["a member", "already-in-team", () => join("outsider", "riverside", role("Member"))],
  ])("%s", async (_what, outcome, prepare, as = "outsider") => {
    const { hash } = await invite("admin");
    await prepare();
    await refused(as, hash, outcome);
  });

  test("anyone once it was revoked, which only managers of its team can do, once", async () => {
    const { hash, id } = await invite("admin");
    expect(await revoke("helper", id, "hillside")).toEqual({ outcome: "not-allowed" });
    expect(await revoke("helper", id)).toEqual({ outcome: "done", count: 1 });
    await refused("outsider", hash, "revoked");
    expect(await revoke("helper", id)).toEqual({ outcome: "not-open" });
  });

  test("anyone once the invited person has declined it, which the log names as theirs", async () => {
    const { hash } = await invite("admin");
    const decline = (by: string) => call("decline_invitation", by, { p_token_hash: hash });
    await nothingChanges(async () => expect(await decline("hill")).toEqual({ outcome: "other-address" }));
    expect(await decline("outsider")).toEqual({ outcome: "done" });
    expect(await decline("outsider")).toEqual({ outcome: "not-open" });
    await refused("outsider", hash, "revoked");
    expect(await stateOf(hash)).toBe("declined");
    const [entry] = await sql(
      "select actor_id, after -> 'declined' as declined from public.audit_log order by id desc limit 1",
    );
    expect(entry).toEqual({ actor_id: id("outsider"), declined: true });
  });

  test("anyone when the inviter no longer manages members, which its page says before", async () => {
    const { hash } = await invite("helper");
    expect(await stateOf(hash)).toBe("open");
    await setStatus("helper", "suspended");
    expect(await stateOf(hash)).toBe("stopped");
    await refused("outsider", hash, "inviter-may-not");
    await setStatus("helper", "active");
    expect(await accept("outsider", hash)).toMatchObject({ outcome: "done" });
  });

  test("anyone when the role has gained more than the inviter has", async () => {
    const { hash } = await invite("helper", { roleId: empty });
    await sql("insert into public.role_p_sets values ($1, $2)", [empty, set("Chart editing")]);
    await refused("outsider", hash, "inviter-may-not");
  });

  test("anyone when the inviter has lost access to its campaign", async () => {
    const { hash } = await invite("helper", member(email, "clean-water"));
    const [place] = await sql("delete from public.campaign_user_roles_team where user_id = $1 returning role_id", [
      id("helper"),
    ]);
    await refused("outsider", hash, "inviter-may-not");
    await sql("insert into public.campaign_user_roles_team values ($1, 'riverside', 'clean-water', $2)", [
      id("helper"),
      place?.role_id,
    ]);
    expect(await accept("outsider", hash)).toMatchObject({ outcome: "done" });
  });
});

describe("no one grants by an invitation what they couldn't grant directly", () => {
  test("a role with open invitations can't gain what the person can't grant", async () => {
    const after = [set("Chart editing")];
    const grow = { kind: "role-sets", team: "riverside", roleId: empty, before: [], after };
    await invite("admin", { roleId: empty });
    await nothingChanges(async () => expect(await change("helper", grow)).toEqual({ outcome: "more-than-own" }));
    await expire();
    expect(await change("helper", grow)).toMatchObject({ outcome: "done" }); // no one has it or is invited to it
  });

  test.each([
    ["Office", "done"],
    ["Administrator", "more-than-own"],
    ["Campaign staff", "more-than-own"],
  ])("the role %s: %s", async (name, outcome) => {
    const attempt = () => create("helper", [{ email, roleId: role(name) }]);
    if (outcome === "done") expect(await attempt()).toMatchObject({ outcome });
    else await nothingChanges(async () => expect(await attempt()).toEqual({ outcome }));
  });

  test.each<[what: string, campaign: string, given: () => string, outcome: string]>([
    ["a role with more keys than they have there", "clean-water", () => role("Signature clerk"), "more-than-own"],
    ["a campaign that they can't open", "safe-streets", () => role("Canvasser"), "more-than-own"],
    ["a campaign of another team", "hill-only", () => role("Canvasser"), "gone"],
    ["a role of another team", "clean-water", () => guide, "gone"],
    ["a role that administers", "clean-water", () => role("Administrator"), "gone"],
  ])("%s: the whole list is refused, and nothing changes", (_what, campaign, campaigns, outcome) =>
    nothingChanges(async () => {
      const list = [member("first@people.test", "clean-water"), member("second@people.test", campaign, campaigns())];
      for (const commit of [false, true])
        expect(await create("helper", list, { commit, mail: true })).toEqual({ outcome });
      expect(await mails()).toEqual([]);
    }),
  );

  test.each(demoNames.filter((name) => name !== "admin"))(
    "%s can't invite, preview, resend or revoke",
    async (name) => {
      const { id } = await invite("admin");
      await sql("insert into private.invitation_mails (invitation_id, state) values ($1, 'sent')", [id]);
      await nothingChanges(async () => {
        const tried = [false, true].map((commit) => () => create(name, [member("b@people.test")], { commit }));
        for (const attempt of [...tried, () => resend(name, id), () => revoke(name, id)]) {
          expect(await attempt()).toEqual({ outcome: "not-allowed" });
        }
      });
      expect(await mails()).toEqual(["sent"]);
    },
  );
});

test.each<[what: string, invitee: () => Partial<Invitee>, outcome: string, into?: string]>([
  ["a role of another team", () => ({ roleId: guide }), "gone"],
  ["another team", () => ({}), "not-allowed", "hillside"],
  ["a team that doesn't exist", () => ({}), "not-allowed", "nowhere"],
  ["an invalid address", () => ({ email: "no-address" }), "gone"],
  ["an empty name", () => ({ name: "" }), "gone"],
  ["a name of more than 120 letters", () => ({ name: "a".repeat(121) }), "gone"],
  ["the same campaign twice", () => ({ campaigns: twice("Canvasser") }), "gone"],
  ["the same campaign twice, with another role", () => ({ campaigns: twice("Signature clerk") }), "gone"],
])("no invitation is made for %s", (_what, invitee, outcome, into) =>
  nothingChanges(async () => {
    const by = into === "hillside" ? "helper" : "admin";
    expect(await create(by, [{ ...member(email), ...invitee() }], { ...(into && { into }) })).toEqual({ outcome });
  }),
);
const twice = (name: string) => ["Canvasser", name].map((roleName) => ({ id: "clean-water", roleId: role(roleName) }));

test("a campaign appears once in an invitation, also by SQL", async () => {
  const row =
    "insert into public.invitations (team_id, email, role_id, campaigns) values ('riverside', $1, $2, $3::text::jsonb)";
  const written = sql(row, [email, role("Member"), JSON.stringify(twice("Signature clerk"))]);
  await expect(written).rejects.toThrow("A campaign is listed twice.");
});

test("an address has one open invitation and a member none; an expired one can be replaced", async () => {
  expect(await invite("admin")).toMatchObject({ outcome: "done" });
  expect(await invite("admin")).toMatchObject({ made: [], invited: [email] });
  expect(await invite("admin", { email: "Clerk@people.test" })).toMatchObject({
    made: [],
    members: ["clerk@people.test"],
    suspended: [],
  });
  const email2 = "suspended@people.test";
  expect(await invite("admin", { email: email2 })).toMatchObject({ members: [email2], suspended: [email2] });
  await expire();
  const { hash } = await invite("admin");
  expect(await accept("outsider", hash)).toMatchObject({ outcome: "done" });
});

test("the hash of a link is in no row that the application reads", async () => {
  const { hash } = await invite("admin");
  const [row] = await sql(
    `select jsonb_build_array((select jsonb_agg(to_jsonb(i)) from public.invitations i),
       (select jsonb_agg(to_jsonb(l)) from public.audit_log l), public.open_invitations('riverside')) as shown`,
  );
  expect(JSON.stringify(row)).toContain(email);
  expect(JSON.stringify(row)).not.toContain(hash);
});

test("the account of an invited address has the words of its email only until that is sent", async () => {
  const clerk = ["safe-streets", "clean-water"].map((campaign) => ({ id: campaign, roleId: role("Signature clerk") }));
  const { id: invitation, hash } = await invite("admin", { campaigns: clerk });
  const words = async () =>
    (await sql("select raw_user_meta_data as data from auth.users where id = $1", [id("outsider")]))[0]?.data;
  const before = await words();
  const access = "Field team, with access to Clean water (Signature clerk) and Safe streets (Signature clerk)";
  const invited = { invitation: { invites: "admin invited you", team: "Riverside", subject: "Riverside", access } };
  expect(await sql("select public.describe_invitation($1) as words", [invitation])).toEqual([{ words: invited }]);
  expect(await words()).toEqual({ ...Object(before), ...invited });
  await sql("select public.finish_invitation_mail($1, 'sent')", [invitation]);
  expect(await words()).toEqual(before);
  const accessOf = async () =>
    (await sql("select public.read_invitation($1) ->> 'access' as access", [hash]))[0]?.access;
  expect(await accessOf()).toBe(access);
  await sql(
    `with c as (insert into public.campaigns (id, name, team_id)
       select 'c' || n, 'C' || n, 'riverside' from generate_series(1, 7) n returning id)
     insert into public.campaign_team (team_id, campaign_id) select 'riverside', id from c`,
  );
  const accessToFirst = async (count: number) => {
    const campaigns = Array.from({ length: count }, (_, n) => ({ id: `c${n + 1}`, roleId: role("Analyst") }));
    await sql("update public.invitations set campaigns = $1::text::jsonb", [JSON.stringify(campaigns)]);
    return String(await accessOf()).replaceAll(" (Analyst)", "");
  };
  expect([await accessToFirst(3), await accessToFirst(7)]).toEqual([
    "Field team, with access to C1, C2, and C3",
    "Field team, with access to C1, C2, C3, C4, C5, and 2 more",
  ]);
  await sql("update public.invitations set campaigns = '[]'");
  expect(await accessOf()).toBe("Field team (no campaign yet)");
  await sql("update public.invitations set role_id = $1", [role("Administrator")]);
  expect(await accessOf()).toBe("Administrator");
});

test("the subject of an invitation's email has no character that Auth would escape", async () => {
  const { id: invitation } = await invite("admin");
  await sql("update public.teams set name = 'Parks & “Voters'' <Rights>' where id = 'riverside'");
  const [row] = await sql("select public.describe_invitation($1) -> 'invitation' -> 'subject' as subject", [
    invitation,
  ]);
  await sql("update public.teams set name = 'Riverside' where id = 'riverside'");
  expect(row).toEqual({ subject: "Parks and “Voters’ Rights" });
});

test("a person finds the invitations they can accept by their confirmed address alone, before any email", async () => {
  const { made } = await create("admin", [member("Outsider@people.test", "clean-water")]);
  await create("hill", [{ email: "admin@people.test", roleId: role("Member") }], { into: "hillside" });
  const own = async (name: string) => {
    const [row] = await sql("select public.own_invitations($1) as own", [id(name)]);
    return row?.own;
  };
  const access = "Member, with access to Clean water (Canvasser)";
  const shown = { id: made?.[0]?.id, teamId: "riverside", team: "Riverside", access, name: null, invitedBy: "admin" };
  expect(await own("outsider")).toEqual([shown]);
  expect(await own("hill")).toEqual([]);
  const confirm = (timestamp: string | null) =>
    sql("update auth.users set email_confirmed_at = $2 where id = $1", [id("outsider"), timestamp]);
  await confirm(null);
  expect(await own("outsider")).toEqual([]);
  await confirm("2026-01-01");
  await setStatus("admin", "suspended"); // so that it has stopped
  expect(await own("outsider")).toEqual([]);
  await setStatus("admin", "active");
  await join("outsider", "riverside", role("Member"));
  expect(await own("outsider")).toEqual([]);
  await sql("delete from public.team_users where user_id = $1", [id("outsider")]);
  await expire();
  expect(await own("outsider")).toEqual([]);
});

test("a link shows its invitation, and the open invitations are listed", async () => {
  const { hash } = await invite("admin");
  const shown = { email, role: "Field team", invitedBy: "admin" };
  const read = "select public.read_invitation($1) as read, public.open_invitations('riverside') as open";
  expect(await sql(read, [hash])).toMatchObject([
    { read: { ...shown, state: "open", teamId: "riverside", team: "Riverside" }, open: [{ ...shown, expired: false }] },
  ]);
  expect(await sql(read, ["1".repeat(64)])).toMatchObject([{ read: null }]);
});

describe("campaigns of an invitation", () => {
  const placesOf = () =>
    sql(
      "select t.campaign_id, r.name as role from public.campaign_user_roles_team t join public.roles r on r.id = t.role_id where t.user_id = $1 order by 1",
      [id("outsider")],
    );

  test("the guest gets a role in each and lands in the first; a campaign that has left the team is skipped", async () => {
    const { hash } = await invite("admin", {
      campaigns: [
        { id: "safe-streets", roleId: role("Canvasser") },
        { id: "open-parks", roleId: role("Canvasser") },
        { id: "clean-water", roleId: role("Signature clerk") },
      ],
    });
    await sql("delete from public.campaign_team where team_id = 'riverside' and campaign_id = 'open-parks'");
    expect(await accept("outsider", hash)).toEqual({ outcome: "done", team: "riverside", campaign: "clean-water" });
    expect(await placesOf()).toEqual([
      { campaign_id: "clean-water", role: "Signature clerk" },
      { campaign_id: "safe-streets", role: "Canvasser" },
    ]);
  });

  const uses = async () => {
    const [row] = await sql(
      "select r ->> 'invitations' as n from jsonb_array_elements(public.team_roles('riverside') -> 'roles') r where r ->> 'id' = $1",
      [empty],
    );
    return row;
  };

  test("a role of an open invitation to a campaign can't be deleted", async () => {
    await create("admin", [member("new@people.test", "clean-water", empty)]);
    const deletion = { kind: "delete-role", team: "riverside", roleId: empty };
    expect(await change("admin", deletion)).toEqual({ outcome: "in-invitations" });
    expect(await uses()).toEqual({ n: "1" });
    await sql("update public.invitations set revoked_at = now()");
    expect(await change("admin", deletion)).toMatchObject({ outcome: "done" });
  });

  test("a role isn't in use by an invitation that has stopped, and is deleted with it", async () => {
    await invite("helper", { email: "new@people.test", roleId: empty });
    await sql("update public.team_users set status = 'suspended' where user_id = $1", [id("helper")]);
    expect(await uses()).toEqual({ n: "0" });
    expect(await change("admin", { kind: "delete-role", team: "riverside", roleId: empty })).toMatchObject({
      outcome: "done",
    });
    expect(await sql("select from public.invitations")).toEqual([]);
  });
});

test("the name of an invitation is used only by a person without a name", async () => {
  for (const name of ["Nell Varga", "Someone Else"]) {
    const { hash } = await invite("admin", { name });
    expect(await accept("outsider", hash)).toMatchObject({ outcome: "done" });
    expect(await sql("select name from public.profiles where user_id = $1", [id("outsider")])).toEqual([
      { name: "Nell Varga" },
    ]);
    await sql("delete from public.team_users where user_id = $1", [id("outsider")]);
  }
});

test("a preview lists the access of each address and creates nothing", () =>
  nothingChanges(async () => {
    const list = [
      { ...member("ada@new.test", "clean-water"), name: "Ada" },
      member("ben@new.test"),
      { email: "cleo@new.test", roleId: role("Administrator") },
      member("Clerk@people.test"),
    ];
    const preview = await create("admin", list, { commit: false, mail: true });
    expect(preview).toMatchObject({ outcome: "done", members: ["clerk@people.test"], invited: [] });
    const opens = { campaign: null, access: "opens", gains: [] };
    expect(preview.effects).toMatchObject([
      {
        name: "Ada",
        places: [
          opens,
          { campaign: { id: "clean-water" }, access: "opens", gains: ["campaign.view", "voters.search"] },
        ],
      },
      { name: "ben@new.test", places: [{ ...opens, losses: [] }] },
      { name: "cleo@new.test", places: [{ campaign: null }, { campaign: { id: "clean-water" } }, {}, {}] },
    ]);
    expect(preview.effects?.[2]?.places.map(({ gains }) => gains.length)).toEqual([10, 10, 10, 10]);
    expect(await mails()).toEqual([]);
  }));

test("two hundred people are invited in one statement, each with a queued email", async () => {
  const list = Array.from({ length: 200 }, (_, number) => member(`many-${number}@new.test`, "clean-water"));
  expect((await create("admin", [...list, ...list.slice(0, 5)], { mail: true })).made).toHaveLength(200);
  const waiting = "select from private.invitation_mails where state = 'waiting' and tried_at is null";
  expect(await sql(waiting)).toHaveLength(200);
  expect(await create("admin", list, { mail: true })).toMatchObject({ made: [] });
});

test("resending makes an invitation the sender's own for seven more days, checked again, and keeps its link", async () => {
  const { id: first, hash } = await invite("admin", member(email, "clean-water", role("Signature clerk")));
  await expire();
  await nothingChanges(async () => expect(await resend("helper", first)).toEqual({ outcome: "more-than-own" }));
  await join("outsider", "riverside", role("Member"));
  expect(await resend("admin", first)).toEqual({ outcome: "already-member" });
  await sql("delete from public.team_users where user_id = $1", [id("outsider")]);
  expect(await resend("admin", first)).toEqual({ outcome: "done", count: 1 });
  expect(await mails()).toEqual(["waiting"]);
  expect(await accept("outsider", hash)).toMatchObject({ outcome: "done", campaign: "clean-water" });
  expect(await resend("admin", first)).toEqual({ outcome: "not-open" });
});

test("an invitation that was sent again outlives the demotion of the person who made it", async () => {
  const { id: first, hash } = await invite("helper", member(email, "clean-water"));
  await setStatus("helper", "suspended");
  expect(await accept("outsider", hash)).toEqual({ outcome: "inviter-may-not" });
  expect(await resend("admin", first)).toMatchObject({ outcome: "done" });
  expect(await accept("outsider", hash)).toMatchObject({ outcome: "done" });
});

test("another's invitation stays open if the sender can't give its role", async () => {
  const { id: first } = await invite("admin", member(email, "clean-water", role("Signature clerk")));
  await nothingChanges(async () => expect(await resend("helper", first)).toEqual({ outcome: "more-than-own" }));
});

test("several invitations are sent again, changed or revoked together, all or none; members are skipped", async () => {
  const inviteAs = (address: string, more: Partial<Invitee> = {}) => invite("admin", { ...member(address), ...more });
  const [first, second] = [await inviteAs("one@new.test"), await inviteAs("two@new.test", { roleId: role("Office") })];
  const joined = await inviteAs(email);
  await join("outsider", "riverside", role("Member"));
  const all = [first, second, joined].map(({ id: invitation }) => invitation);
  expect(await resend("helper", ...all)).toEqual({ outcome: "done", count: 2 });
  expect(await mails()).toEqual(["waiting", "waiting"]);

  const clerk = [{ id: "clean-water", roleId: role("Signature clerk") }];
  await nothingChanges(async () => {
    for (const edit of [{ roleId: role("Administrator") }, { campaigns: clerk }])
      expect(await reissue("helper", all, edit)).toEqual({ outcome: "more-than-own" });
    for (const edit of [{ roleId: guide }, { campaigns: [{ id: "hill-only", roleId: role("Canvasser") }] }])
      expect(await reissue("admin", all, edit)).toEqual({ outcome: "gone" });
    expect(await reissue("hill", all, {})).toEqual({ outcome: "not-allowed" });
  });
  expect(await reissue("admin", all, { campaigns: clerk })).toEqual({ outcome: "done", count: 2 });
  const open =
    "select o ->> 'email' as email, o ->> 'role' as role, o ->> 'invitedBy' as by, o #>> '{campaigns,0,role}' as there from jsonb_array_elements(public.open_invitations('riverside')) o where o ->> 'email' like '%new.test' order by 1";
  expect(await sql(open)).toEqual([
    { email: "one@new.test", role: "Member", by: "admin", there: "Signature clerk" },
    { email: "two@new.test", role: "Office", by: "admin", there: "Signature clerk" },
  ]);
  expect(await call("revoke_invitations", "helper", { p_team_id: "riverside", p_ids: ids(all) })).toEqual({
    outcome: "done",
    count: 3,
  });
});

describe("a change that stops invitations", () => {
  const demote = (takeOver?: boolean) => ({
    kind: "members",
    team: "riverside",
    ...(takeOver && { takeOver }),
    members: [{ userId: id("helper"), before: helperIs("active"), after: helperIs("suspended") }],
  });
  const helperIs = (status: string) => ({ roleId: helperRole, status });
  let helperRole: unknown;
  beforeEach(async () => {
    [{ role_id: helperRole } = { role_id: "" }] = await sql(
      "select role_id from public.team_users where user_id = $1",
      [id("helper")],
    );
  });
  const stopped = async () =>
    (await sql("select i.email from private.stopped_invitations('riverside') s join public.invitations i on i.id = s"))
      .map(({ email }) => email)
      .sort();

  test("lists them in its preview, and takes them over on request: their links keep working", async () => {
    const { hash } = await invite("helper", member(email, "clean-water"));
    await invite("admin", { email: "kept@new.test" });
    await nothingChanges(async () =>
      expect(await preview("admin", demote())).toMatchObject({
        outcome: "done",
        invitations: [{ email, invitedBy: "helper", canTakeOver: true }],
      }),
    );
    expect(await change("admin", demote(true))).toEqual({ outcome: "done", takenOver: 1 });
    expect(await stopped()).toEqual([]);
    expect(await accept("outsider", hash)).toMatchObject({ outcome: "done", campaign: "clean-water" });
  });

  test("leaves them stopped otherwise; they are marked, and inviting the address again replaces them", async () => {
    const { hash } = await invite("helper");
    expect(await change("admin", demote())).toEqual({ outcome: "done" });
    expect(await stopped()).toEqual([email]);
    const logged =
      "select after ->> 'email' as email, actor_name from public.audit_log where after -> 'stopped' = 'true'";
    expect(await sql(logged)).toEqual([{ email, actor_name: "admin" }]);
    const [row] = await sql("select public.open_invitations('riverside') as open");
    expect(row).toMatchObject({ open: [{ email, stopped: true }] });
    const again = await invite("admin");
    expect(again).toMatchObject({ outcome: "done", invited: [], made: [{ email }] });
    expect(await accept("outsider", hash)).toEqual({ outcome: "revoked" });
    expect(await accept("outsider", again.hash)).toMatchObject({ outcome: "done" });
  });

  test("takes over none that grant more than the person has", async () => {
    const managing = await make("roles", "riverside", "Managing");
    const keys = await make("permission_sets", "riverside", "Managing");
    await sql("insert into public.permission_set_keys select $1, unnest(array['members.manage', 'members.view'])", [
      keys,
    ]);
    await sql("insert into public.role_p_sets values ($1, $2)", [managing, keys]);
    await join("manager", "riverside", managing);
    await invite("helper", member(email, "clean-water"));
    await invite("helper", { email: "small@new.test", roleId: empty });
    expect(await preview("manager", demote())).toMatchObject({
      invitations: [
        { email, canTakeOver: false },
        { email: "small@new.test", canTakeOver: true },
      ],
    });
    expect(await change("manager", demote(true))).toEqual({ outcome: "done", takenOver: 1 });
    expect(await stopped()).toEqual([email]);
  });

  test("doesn't list those that had stopped before, nor a founder's", async () => {
    await invite("helper");
    await sql("update public.invitations set invited_by = null");
    await invite("helper", { email: "before@new.test" });
    await sql("update public.invitations set invited_by = $1 where email like 'before@%'", [id("clerk")]);
    expect(await preview("admin", demote())).toMatchObject({ invitations: [] });
  });
});

test("the founder of a team becomes its administrator by an invitation without inviter, once; found again, it is sent again", async () => {
  const foundTeam = async (p_email = email, p_name = "Lake district") => {
    const [row] = await sql<{ answer: { outcome: string; id?: string } }>(
      "select public.found_team('lake-district', $1, $2, 'America/New_York', 'en-US') as answer",
      [p_name, p_email],
    );
    return row?.answer;
  };
  const first = await foundTeam();
  expect(first).toEqual({ outcome: "invited", id: expect.any(String) });
  await sql("update private.invitation_mails set state = 'sent'");
  expect(await foundTeam()).toEqual(first);
  expect(await mails()).toEqual(["waiting"]);
  expect(await foundTeam("other@people.test", "Another name")).toEqual({ outcome: "id-taken", name: "Lake district" });

  const hash = await link(first?.id ?? "");
  expect(await accept("hill", hash)).toEqual({ outcome: "other-address" });
  expect(await accept("outsider", hash)).toEqual({ outcome: "done", team: "lake-district", campaign: null });
  const [row] = await sql("select public.permissions_snapshot($1, 'lake-district', null) as snapshot", [
    id("outsider"),
  ]);
  const { permissionKeys } = z.object({ permissionKeys: z.array(z.string()) }).parse(row?.snapshot);
  expect(permissionKeys).toHaveLength(10);
  expect(await foundTeam()).toEqual({ outcome: "already-administrator" });
  expect(await foundTeam("other@people.test")).toEqual({ outcome: "has-administrators" });
  expect(await accept("outsider", hash)).toEqual({ outcome: "used" });
});
