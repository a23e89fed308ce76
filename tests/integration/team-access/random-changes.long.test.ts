import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { emptyWorld, insertUsers, inWorldWithoutTriggers, uuidOf, type World } from "../../support/access-world.ts";
import { changeAs } from "../../support/change-as.ts";
import { inDrill } from "../../support/in-drill.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";
import { seedOfTheDay as seed } from "../../support/seed-of-the-day.ts";
import { expectedSources, type Invited, type Source } from "../../support/sources-oracle.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";
import { invite, randomInvitations, userNames } from "../permissions/random-world.ts";
import {
  administers,
  type Excess,
  expectedExcess,
  expectedHeld,
  expectedOutcome,
  type Held,
  hasAdministratorRole,
  keysOfPlace,
  type RandomChange,
  sent,
  setChangeKinds,
  timings,
} from "./change-oracle.ts";
import {
  administratorsWorld,
  attachedWorld,
  attaching,
  changeKinds,
  changeOf,
  chosen,
  managedWorld,
  managersOf,
  type Picks,
  picks,
  type Step,
  stepOf,
} from "./managed-world.ts";

const database = await setUpSqlSession();
await insertUsers(database, userNames);
for (const table of ["roles", "permission_sets"]) await database.sql(`delete from public.${table}`); // the built-in ones
const loggedBefore = await lastLogged();

// The columns of each table by which access is decided.
const rowsSchema = z.object({
  roles: columns("id", "team_id", "scope"),
  permission_sets: columns("id", "team_id"),
  permission_set_keys: columns("permission_set_id", "key"),
  team_users: columns("user_id", "team_id", "role_id", "status"),
  team_p_sets: columns("team_id", "permission_set_id"),
  role_p_sets: columns("role_id", "permission_set_id"),
  campaign_team: columns("team_id", "campaign_id"),
  campaign_team_sets: columns("team_id", "campaign_id", "permission_set_id"),
  campaign_user_roles_team: columns("user_id", "team_id", "campaign_id", "role_id"),
  campaign_user_team_sets: columns("user_id", "team_id", "campaign_id", "permission_set_id"),
});
function columns(...names: string[]) {
  const row = z.object(Object.fromEntries(names.map((name) => [name, z.string().nullable()])));
  return z.array(row).transform((rows) => rows.map((item) => JSON.stringify(item)).sort());
}

async function lastLogged() {
  const [row] = await database.sql<{ id: number }>("select coalesce(max(id), 0)::int as id from public.audit_log");
  return row?.id ?? 0;
}

async function storedRows() {
  const tables = Object.keys(rowsSchema.shape);
  const [row] = await database.sql<{ rows: unknown }>(
    `select jsonb_build_object(${tables.map((name) => `'${name}', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from public.${name} r)`)}) as rows`,
  );
  return rowsSchema.parse(row?.rows);
}

/** What each user has in a team and in each campaign there. */
const placesIn = (world: World, team: string) =>
  userNames.flatMap((user) =>
    [null, ...world.campaigns.map(({ id }) => id)].map((campaign) => {
      const { teamAccess, campaignAccess, permissionKeys } = expectedSnapshot(world, { user, team, campaign });
      return { user, campaign, open: campaignAccess ?? teamAccess, keys: permissionKeys };
    }),
  );
const minus = (keys: string[], less: string[]) => keys.filter((key) => !less.includes(key));

/** Who gains and loses what, as in a preview. */
function effectsOf(before: World, after: World, team: string) {
  const then = placesIn(before, team);
  const differing = placesIn(after, team).flatMap(({ user, campaign, open, keys }, index) => {
    const was = then[index];
    const [had, has] = [was?.open ? was.keys : [], open ? keys : []];
    const access = open === was?.open ? "stays" : open ? "opens" : "closes";
    const [gains, losses] = [minus(has, had), minus(had, has)];
    if (access === "stays" && gains.length + losses.length === 0) return [];
    return [{ user, place: { campaign: campaign && { id: campaign, name: campaign }, access, gains, losses } }];
  });
  return userNames.flatMap((name) => {
    const places = differing.filter(({ user }) => user === name).map(({ place }) => place);
    return places.length > 0 ? [{ userId: uuidOf(name), places }] : [];
  });
}

// The world as it is; with all members active; and with all active in a role that grants nothing.
const everyone = (world: World, as: Partial<World["team_users"][number]>) => ({
  ...world,
  team_users: world.team_users.map((row) => ({ ...row, ...as })),
});
const suppositions: ((world: World) => World)[] = [
  (world) => world,
  (world) => everyone(world, { status: "active" }),
  (world) => everyone(world, { status: "active", role_id: "none" }),
];

/**
 * What users have or would have after a change, but neither had before nor could get from the actor. An actor can grant what they
 * have, administrators anything to administrators, and a campaign that is new to the team as they have it in other teams.
 */
function escalations({ world, actor, change: { team, kind } }: Step & { world: World }, after: World) {
  const own = placesIn(world, team).filter(({ user }) => user === actor);
  const elsewhere = (campaign: string | null) =>
    minus(
      world.teams.map(({ id }) => id),
      [team],
    )
      .map((other) => expectedSnapshot(world, { user: actor, team: other, campaign }))
      .filter(({ campaignAccess }) => campaignAccess);
  const isIn = ({ campaign_team }: World, campaign: string | null) =>
    campaign_team.some((row) => row.team_id === team && row.campaign_id === campaign);
  const grantsSets = setChangeKinds.includes(kind) && administers(world, actor, team);

  return suppositions.flatMap((suppose) => {
    const before = placesIn(suppose(world), team);
    return placesIn(suppose(after), team).filter(({ user, campaign, open, keys }, index) => {
      const opened = open && !before[index]?.open;
      const gained = minus(keys, opened ? [] : (before[index]?.keys ?? []));
      if (opened && !isIn(world, campaign) && isIn(after, campaign)) {
        const there = elsewhere(campaign);
        return (
          there.length === 0 ||
          minus(
            gained,
            there.flatMap(({ permissionKeys }) => permissionKeys),
          ).length > 0
        );
      }
      const ownPlace = own.find((place) => place.campaign === campaign);
      const granted =
        grantsSets && hasAdministratorRole(after, user, team) ? keysOfPlace(after, { team, campaign }) : [];
      return minus(gained, [...(ownPlace?.keys ?? []), ...granted]).length > 0 || (opened && !ownPlace?.open);
    });
  });
}

/** A random change with its expected answer: the refusal, or the world afterwards. */
type Case = Step & { world: World; answer: World | string };
const judged = (worlds: fc.Arbitrary<World>, stepIn: (world: World, pick: Picks) => Step | undefined) =>
  fc.tuple(worlds, picks).map(([world, pick]): Case | undefined => {
    const step = stepIn(world, pick);
    return step && { world, ...step, answer: expectedOutcome(world, step.actor, step.change) };
  });
const managed = (kind?: RandomChange["kind"]) =>
  judged(managedWorld, (world, pick) => {
    const manager = chosen(managersOf(world), pick.who);
    const change = manager && changeOf(world, manager, pick, kind);
    return change && { actor: manager.actor, change };
  });
const anyCase = fc.oneof(managed(), judged(administratorsWorld, stepOf));
const ofKind = (kind: RandomChange["kind"]) =>
  kind === "attach-campaign" ? judged(attachedWorld, () => attaching) : managed(kind);

const hasEffect = ({ world, answer, change: { team } }: Case) =>
  typeof answer !== "string" && effectsOf(world, answer, team).length > 0;
const isFromOneOfTwoTeams = ({ world, change }: Case) => {
  if (change.kind !== "members") return false;
  const [{ userId, after }] = change.members;
  return after === null && world.team_users.filter((row) => row.user_id === userId).length > 1;
};
/** Someone who isn't an administrator changes sets of a campaign whose keys administrators also have through the team. */
const isHeldTwice = ({ world, actor, answer, change: { team } }: Case) => {
  const ofCampaign = (of: World, campaign: string) =>
    keysOfPlace({ ...of, team_p_sets: [] }, { team, campaign })
      .sort()
      .join();
  const differs = (after: World) => world.campaigns.some(({ id }) => ofCampaign(world, id) !== ofCampaign(after, id));
  return typeof answer !== "string" && !administers(world, actor, team) && differs(answer);
};

const [few, some, many] = inDrill([12, 24, 60], { else: [2, 2, 5] });
type Row = [outcome: string, what: string, runs: number, cases: typeof anyCase, only?: (tested: Case) => boolean];
test.each<Row>([
  ...changeKinds.map((kind): Row => ["done", kind, few, ofKind(kind)]),
  ["done", "with effects", many, anyCase, hasEffect],
  ["done", "of keys also held in the team", few, anyCase, isHeldTwice],
  ["done", "removal from one of two teams", few, ofKind("members"), isFromOneOfTwoTeams],
  ["more-than-own", "any", many, anyCase],
  ["more-than-own", "attach-campaign", few, ofKind("attach-campaign")],
  ["not-allowed", "any", few, anyCase],
  ["not-allowed", "campaigns", some, ofKind("campaigns")],
  ["not-allowed", "attach-campaign", some, ofKind("attach-campaign")],
  ["own-membership", "members", few, ofKind("members")],
  ["stale", "members", few, ofKind("members")],
  ["gone", "any", few, anyCase],
  ["gone", "role-sets", few, ofKind("role-sets")],
  ["gone", "set-keys", few, ofKind("set-keys")],
  ["unchanged", "any", few, anyCase],
  ["last-administrator", "any", few, anyCase],
  ["administrators-stripped", "any", few, anyCase],
  ["no-manager-left", "any", few, anyCase],
  ["administrators-only", "any", many, anyCase],
])(
  "%s (%s): preview and change agree with the oracle in %i random worlds, and grant no more than the actor had",
  { timeout: 600_000 },
  async (outcome, _what, numRuns, cases, only = () => true) => {
    const inWorld = cases.filter(
      (tested): tested is Case =>
        tested !== undefined &&
        (typeof tested.answer === "string" ? tested.answer : "done") === outcome &&
        only(tested),
    );
    await fc.assert(
      fc.asyncProperty(inWorld, ({ answer, ...step }) =>
        inWorldWithoutTriggers(database, step.world, async () => {
          const { world, actor, change } = step;
          const asSent = sent(world, change);
          const preview = await changeAs(database, actor, asSent, { commit: false });
          expect([preview.outcome, (await changeAs(database, actor, asSent)).outcome]).toEqual([outcome, outcome]);
          const after = typeof answer === "string" ? world : answer;
          const isDone = after !== world;
          expect(await storedRows()).toEqual(rowsSchema.parse(sent(world, after)));
          expect((await lastLogged()) > loggedBefore).toBe(isDone);
          if (!isDone) return;
          const effects = effectsSchema.parse(preview.effects);
          expect(new Set(effects)).toEqual(new Set(effectsOf(world, after, change.team)));
          expect(escalations(step, after)).toEqual([]);
        }),
      ),
      { numRuns, seed },
    );
  },
);
const effectsSchema = z.array(z.object({ userId: z.string(), places: z.array(z.unknown()) }));

// The sets of bridges grant administrators what Ann has in the whole team. People invited as administrators also get a key that
// Ann lacks, and can't open bridges.
const unreached: World = {
  ...emptyWorld,
  teams: [{ id: "east" }],
  campaigns: [
    { id: "bridges", team_id: "east" },
    { id: "lakes", team_id: "east" },
  ],
  roles: [
    { id: "role-0", team_id: null, scope: "assigned" },
    { id: "role-1", team_id: "east", scope: "inherit_team" },
  ],
  permission_sets: [
    { id: "set-0", team_id: null },
    { id: "set-1", team_id: "east" },
  ],
  permission_set_keys: [
    { permission_set_id: "set-0", key: "roles.manage" },
    { permission_set_id: "set-1", key: "members.manage" },
  ],
  team_users: ["ann", "ben"].map((user_id) => ({ user_id, team_id: "east", role_id: "role-0", status: "active" })),
  team_p_sets: [{ team_id: "east", permission_set_id: "set-1" }],
  role_p_sets: [{ role_id: "role-0", permission_set_id: "set-0" }],
  campaign_team_sets: [{ team_id: "east", campaign_id: "bridges", permission_set_id: "set-0" }],
};
const lakes = { team_id: "east", campaign_id: "lakes" };
const toAdminister = [{ team: 0, role: 1, state: "open" as const }];
const examples: [World, typeof toAdminister][] = [
  [unreached, toAdminister],
  // Ann can't open one campaign, so all keys are compared, with the same result for bridges.
  [{ ...unreached, campaign_user_roles_team: [{ ...lakes, user_id: "ben", role_id: "role-0" }] }, toAdminister],
];

const unordered = (rows: object[]) =>
  [...new Set(rows.map((row) => JSON.stringify(Object.entries(row).sort())))].sort();

/** The open invitations of a team that can't be accepted, with their inviters or as if one person had made them. */
function expectedStopped(sources: Source[], invitations: (Invited & { inviter: string })[], team: string, by?: string) {
  return invitations
    .filter(({ id, team_id, inviter }) => {
      if (team_id !== team) return false;
      const held = expectedHeld(sources, uuidOf(by ?? inviter), team);
      const manages = held.some(([campaign, key]) => campaign === null && key === "members.manage");
      return !manages || expectedExcess(sources, held, team).some((row) => row.principal_id === id);
    })
    .map(({ id }) => id)
    .sort();
}

type Done = Case & { answer: World };
const demotions = fc
  .oneof(ofKind("members"), judged(administratorsWorld, stepOf))
  .filter(
    (result): result is Done =>
      result !== undefined && typeof result.answer !== "string" && result.change.kind === "members",
  )
  .filter(({ world, answer, change }) =>
    effectsOf(world, answer, change.team).some(({ places }) =>
      places.some(({ campaign, losses }) => campaign === null && losses.includes("members.manage")),
    ),
  );

const takeovers = inDrill(120, { else: 60 });
test(`a change takes over the invitations that it stops exactly if the person could have made them, in ${takeovers} random worlds`, {
  timeout: 300_000,
}, async () => {
  const met = { taken: 0, left: 0, stays: 0 };
  const property = fc.asyncProperty(demotions, randomInvitations, ({ world, actor, change, answer }, drafts) =>
    inWorldWithoutTriggers(database, world, async () => {
      const { team } = change;
      const demoted = change.kind === "members" ? change.members[0].userId : "";
      const rows = await invite(database, world, drafts);
      const invitations = rows.map((row, index) => ({ ...row, inviter: index === 2 ? actor : demoted }));
      for (const { id, inviter } of invitations) {
        await database.sql("update public.invitations set invited_by = $2 where id = $1", [id, uuidOf(inviter)]);
      }
      const stopped = async () => {
        const found = await database.sql<{ id: string }>("select private.stopped_invitations($1) as id", [team]);
        return found.map(({ id }) => id).sort();
      };
      const expected = (inWorld: World, by?: string) =>
        expectedStopped(expectedSources(inWorld, invitations), invitations, team, by);
      const before = expected(world);
      expect(await stopped()).toEqual(before);
      const after = expected(answer);
      const left = after.filter((id) => before.includes(id) || expected(answer, actor).includes(id));
      const done = await changeAs(database, actor, { ...sent(world, change), takeOver: true });
      expect(done).toEqual({ outcome: "done", takenOver: after.length - left.length });
      expect(await stopped()).toEqual(left);
      met.taken += after.length - left.length;
      met.left += left.length;
      met.stays += invitations.length - after.length;
    }),
  );
  // Some seeds meet a case only later.
  for (let round = 0; round === 0 || (round < 5 && Object.values(met).includes(0)); round++) {
    await fc.assert(property, { numRuns: takeovers, seed: seed + round });
  }
  expect(Object.entries(met).filter(([, times]) => times === 0)).toEqual([]);
});

const worlds = inDrill(120, { else: 20 });
test(`changes are judged by the sources of the contract's text, in force or not, in ${worlds} random worlds`, {
  timeout: 300_000,
}, async () => {
  const met = new Map(Object.keys(timings).map((state) => [state, 0]));
  await fc.assert(
    fc.asyncProperty(managedWorld, randomInvitations, async (world, drafts) => {
      await inWorldWithoutTriggers(database, world, async () => {
        const sources = expectedSources(world, await invite(database, world, drafts));
        for (const { actor: name, team } of managersOf(world)) {
          const actor = uuidOf(name);
          const [row] = await database.sql<{ before: { own: Held[]; excess: Excess[] } }>(
            "select private.read_state_before($1, $2) as before",
            [actor, team],
          );
          const held = expectedHeld(sources, actor, team);
          const excess = expectedExcess(sources, held, team);
          expect(unordered(row?.before.own ?? [])).toEqual(unordered(held));
          expect(unordered(row?.before.excess ?? [])).toEqual(unordered(excess));
          for (const { state } of excess) met.set(state, (met.get(state) ?? 0) + 1);
        }
      });
    }),
    { numRuns: worlds, examples, seed },
  );
  expect([...met].filter(([, times]) => times === 0)).toEqual([]);
});
