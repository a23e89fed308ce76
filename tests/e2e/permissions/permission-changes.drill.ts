import { afterAll, expect, test } from "vitest";
import { callAction } from "../../support/call-action.ts";
import { restAsService } from "../../support/demo.ts";
import { connectToRedis, epochOf } from "../../support/epochs.ts";
import { createOwnTeam, type Member } from "../../support/own-team.ts";
import { pageOutcome } from "../../support/page-outcome.ts";
import { cookieOf } from "../../support/session-cookies.ts";

// A change of one member, of one campaign and of a whole team in the running application: whom it affects, their pages
// follow; whom it does not, theirs are still decided by the snapshots that were cached before. Whom each change of each table
// affects is integration/permissions/permission-changes.long.test.ts.

const redis = connectToRedis();
afterAll(() => redis.disconnect());

const { team, campaign, path, people } = await createOwnTeam({
  admin: { team: "Administrator" },
  analyst: { team: "Member" },
  staff: { team: "Office" },
  canvasser: { team: "Field team", campaign: "Canvasser" },
  clerk: { team: "Field team", campaign: "Signature clerk" },
});
const other = await createOwnTeam({ hill: { team: "Administrator" } });

const idsOf = async (table: string) => {
  const rows = (await restAsService(`${table}?team_id=is.null&select=id,name`, { method: "GET" })) as Named[];
  return Object.fromEntries(rows.map(({ id, name }) => [name, id]));
};
type Named = { id: string; name: string };
const [roles, sets] = [await idsOf("roles"), await idsOf("permission_sets")];
const bundle = Object.values(sets);
const building = sets["Chart building"];
const member = (role: string) => ({ roleId: roles[role], status: "active" });
const inCampaign = (role: string | null) => ({ roleId: role && roles[role], setIds: [] });

/** A page of somebody. */
type Seen = { who: Member; at: string };
type Change = {
  affected: Seen;
  before: string;
  after: string;
  /** Somebody as near to the change as can be. */
  unaffected: Seen;
  bySql: [method: string, path: string, body?: object];
  /** What takes it back, as the administrator's screens send it. */
  back: object;
};
const changes: Record<string, Change> = {
  "a member's role": {
    affected: { who: people.analyst, at: `/${team}/members` },
    before: "is refused",
    after: "opens",
    unaffected: { who: people.staff, at: `/${team}/members` },
    bySql: ["PATCH", `team_users?user_id=eq.${people.analyst.id}`, { role_id: roles.Office }],
    back: {
      kind: "members",
      team,
      members: [{ userId: people.analyst.id, before: member("Office"), after: member("Member") }],
    },
  },
  "a member's campaign": {
    affected: { who: people.canvasser, at: path },
    before: "opens",
    after: `/${team}/campaign/no-access`,
    unaffected: { who: people.clerk, at: path },
    bySql: ["DELETE", `campaign_user_roles_team?user_id=eq.${people.canvasser.id}`],
    back: {
      kind: "campaigns",
      team,
      places: [{ userId: people.canvasser.id, campaign, before: inCampaign(null), after: inCampaign("Canvasser") }],
    },
  },
  "the sets of a team": {
    affected: { who: people.admin, at: `${path}/dashboard/charts/new` },
    before: "opens",
    after: "is refused",
    unaffected: { who: other.people.hill, at: `/${other.team}/roles` },
    bySql: ["DELETE", `team_p_sets?team_id=eq.${team}&permission_set_id=eq.${building}`],
    back: { kind: "team-sets", team, before: bundle.filter((id) => id !== building), after: bundle },
  },
};

test.each(Object.entries(changes))(
  "%s, changed by SQL within 10 s, and back by an action at once",
  async (_what, change) => {
    const { affected, unaffected, bySql } = change;
    const cookies = new Map([
      [affected, await cookieOf(affected.who.email)],
      [unaffected, await cookieOf(unaffected.who.email)],
    ]);
    const see = (seen: Seen) => pageOutcome(seen.at, cookies.get(seen) ?? "");
    // The rest is what a busy machine takes to answer.
    const inTime = { timeout: 15_000, interval: 100 };
    await expect.poll(() => see(affected), inTime).toBe(change.before);
    expect(await see(unaffected)).toBe("opens");
    await expect.poll(() => epochOf(redis, unaffected.who.id), inTime).not.toBeNull();
    const epoch = await epochOf(redis, unaffected.who.id);

    const [method, row, body] = bySql;
    await restAsService(row, { method, body });
    await expect.poll(() => see(affected), inTime).toBe(change.after);

    const fields = { change: JSON.stringify(change.back) };
    const admin = await cookieOf(people.admin.email);
    expect(await callAction({ action: "saveAccess", path: `/${team}`, fields }, admin)).toMatchObject({ error: null });
    expect(await see(affected)).toBe(change.before);

    expect(await see(unaffected)).toBe("opens");
    expect(await epochOf(redis, unaffected.who.id)).toBe(epoch);
  },
);
