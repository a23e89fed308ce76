import { afterAll, expect, test } from "vitest";
import { callAction } from "../../support/call-action.ts";
import { restAsService } from "../../support/demo.ts";
import { connectToRedis, epochOf } from "../../support/epochs.ts";
import { createOwnTeam, type Member } from "../../support/own-team.ts";
import { pageOutcome } from "../../support/page-outcome.ts";
import { cookieOf } from "../../support/session-cookies.ts";

// A change of one member, one campaign and one team in the running application: pages of affected people follow, those of
// others still use their cached snapshots. permission-changes.long.test.ts tests who is affected by a change of each table.

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
const all = Object.values(sets);
const building = sets["Chart building"];
const member = (role: string) => ({ roleId: roles[role], status: "active" });
const inCampaign = (role: string | null) => ({ roleId: role && roles[role], setIds: [] });

/** A page of a member. */
type Seen = { who: Member; at: string };
type Change = {
  affected: Seen;
  before: string;
  after: string;
  /** Someone as close to the change as possible. */
  unaffected: Seen;
  bySql: [method: string, path: string, body?: object];
  /** The change that reverts it, as the screens send it. */
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
    back: { kind: "team-sets", team, before: all.filter((id) => id !== building), after: all },
  },
};

test.each(Object.entries(changes))(
  "a change of %s applies within 10 s by SQL, and at once by an action",
  async (_what, change) => {
    const { affected, unaffected, bySql } = change;
    const cookies = new Map([
      [affected, await cookieOf(affected.who.email)],
      [unaffected, await cookieOf(unaffected.who.email)],
    ]);
    const see = (seen: Seen) => pageOutcome(seen.at, cookies.get(seen) ?? "");
    // The rest is time for a busy machine.
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
