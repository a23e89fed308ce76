import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { inQuietWorld, insertUsers, uuidOf, type World } from "../../support/access-world.ts";
import { changeAs } from "../../support/change-as.ts";
import { inDrill } from "../../support/in-drill.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";
import { seedOfTheDay as seed } from "../../support/seed-of-the-day.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";
import { userNames } from "../permissions/random-world.ts";
import {
  administers,
  bundled,
  hasAdministratorRole,
  managedByAdministrators,
  rebundled,
  worldOf,
} from "./administrators-oracle.ts";
import { administratorsWorld, attachedWorld, attaching, type Step, stepOf } from "./administrators-world.ts";
import { judge, sent } from "./change-oracle.ts";
import { changeOf, chosen, managedWorld, managersOf, type Picks, picks } from "./managed-world.ts";

let database: SqlSession;
beforeAll(async () => {
  database = await openSqlSession();
  await insertUsers(database, userNames);
});
afterAll(() => database.close());

const tables = [
  "team_users",
  "roles",
  "permission_sets",
  "permission_set_keys",
  "team_p_sets",
  "role_p_sets",
  "campaign_team",
  "campaign_team_sets",
  "campaign_user_roles_team",
  "campaign_user_team_sets",
  "campaigns",
];

type Place = { user: string; team: string; campaign: string | null; open: boolean; keys: string[] };
type Look = {
  rows: Record<string, unknown[]>;
  places: Place[];
  /** What everyone would hold if all members were active, and if all were so in a role that gives nothing. */
  ifActive: Place[];
  ifWithoutRole: Place[];
  administered: string[];
  log: number;
  noted: string[];
};

// All rows that decide access, what every snapshot says and would say, and what has been logged and noted. Snapshots are asked
// for anew where a row is another than before.
async function look(world: World, before?: Look): Promise<Look> {
  const [row] = await database.sql<Omit<Look, "places" | "ifActive" | "ifWithoutRole">>(
    `select jsonb_build_object(${tables.map((name) => `'${name}', (select coalesce(jsonb_agg(to_jsonb(r) order by to_jsonb(r)::text), '[]') from public.${name} r)`)}) as rows,
       (select coalesce(jsonb_agg(distinct m.team_id), '[]') from private.active_members m where m.is_team_admin) as administered,
       (select count(*)::int from public.audit_log) as log,
       (select coalesce(jsonb_agg(distinct u.name), '[]') from public.permission_changes n
        join jsonb_to_recordset($1::text::jsonb) u (id uuid, name text) on u.id = n.user_id) as noted`,
    [users],
  );
  if (!row) throw new Error("There is no answer.");
  if (before && JSON.stringify(row.rows) === JSON.stringify(before.rows)) return { ...before, ...row };
  const places = await placesOf(world);
  await database.sql("savepoint supposed");
  await database.sql("update public.team_users set status = 'active'");
  const ifActive = await placesOf(world);
  await database.sql(
    "with r as (insert into public.roles (name) values ('Supposed') returning id) update public.team_users set role_id = r.id from r",
  );
  const ifWithoutRole = await placesOf(world);
  await database.sql("rollback to savepoint supposed");
  return { ...row, places, ifActive, ifWithoutRole };
}

const users = JSON.stringify(userNames.map((name) => ({ id: uuidOf(name), name })));

type Snapshot = { teamAccess: boolean; campaignAccess?: boolean; permissionKeys: string[] };
async function placesOf(world: World): Promise<Place[]> {
  const snapshots = await database.sql<{ of: Omit<Place, "open" | "keys"> & Snapshot }>(
    `select jsonb_build_object('user', u.name, 'team', t.id, 'campaign', c.id)
       || public.permissions_snapshot(u.id, t.id, c.id) as of
     from jsonb_to_recordset($1::text::jsonb) u (id uuid, name text), public.teams t,
       (select null as id union all select value from jsonb_array_elements_text($2::text::jsonb)) c`,
    [users, JSON.stringify(world.campaigns.map(({ id }) => id))],
  );
  return snapshots.map(({ of: { user, team, campaign, teamAccess, campaignAccess, permissionKeys } }) => ({
    user,
    team,
    campaign,
    open: campaign === null ? teamAccess : campaignAccess === true,
    keys: permissionKeys,
  }));
}

const at = (places: Place[], { user, team, campaign }: Omit<Place, "open" | "keys">) =>
  places.find((place) => place.user === user && place.team === team && place.campaign === campaign);
const minus = (keys: string[], less: string[] = []) => keys.filter((key) => !less.includes(key));

const pairSchema = z.object({ team_id: z.string(), campaign_id: z.string() });

// What somebody holds by now, or would hold, and neither did before nor was the actor's to give: held by the actor before, or
// given to administrators by one of them (`ownBundles`). A campaign that comes into a team is the actor's to give as they have
// it in its other teams.
function escalations(before: Look, after: Look, actor: string, ownBundles: (place: Place) => string[]) {
  const had = (place: Place, attached: boolean): Omit<Place, "user" | "team" | "campaign"> => {
    const own = at(before.places, { ...place, user: actor });
    const elsewhere = before.places.filter(
      ({ user, team, campaign, open }) => user === actor && team !== place.team && campaign === place.campaign && open,
    );
    if (!attached) return { open: own?.open === true, keys: [...(own?.keys ?? []), ...ownBundles(place)] };
    return { open: elsewhere.length > 0, keys: elsewhere.flatMap(({ keys }) => keys) };
  };
  const hasCampaign = ({ rows }: Look, { team, campaign }: Place) =>
    (rows.campaign_team ?? []).some((row) => {
      const pair = pairSchema.parse(row);
      return pair.team_id === team && pair.campaign_id === campaign;
    });
  return (["places", "ifActive", "ifWithoutRole"] as const).flatMap((which) =>
    after[which].flatMap((now) => {
      const then = at(before[which], now);
      const opened = now.open && !then?.open;
      const actors = had(now, opened && !hasCampaign(before, now) && hasCampaign(after, now));
      const gained = minus(now.keys, opened ? [] : then?.keys);
      const wrong = minus(gained, actors.keys);
      return wrong.length > 0 || (opened && !actors.open) ? [{ which, ...now, gained, opened, actors }] : [];
    }),
  );
}

const membershipSchema = z.object({ team_id: z.string(), user_id: z.string() });
const memberships = ({ rows }: Look) => (rows.team_users ?? []).map((row) => membershipSchema.parse(row));

const ownedSchema = z.object({ id: z.string(), team_id: z.string().nullable() });
const rowSchema = z.looseObject({
  team_id: z.string().nullish(),
  user_id: z.string().optional(),
  role_id: z.string().optional(),
  permission_set_id: z.string().optional(),
});

// Rows of teams that the actor does not manage, and of no team; not her own ones in teams that she left, as anybody may.
function foreign({ rows }: Look, managed: string[], actor: string, left: string[]) {
  const others = (table: "permission_sets" | "roles") =>
    (rows[table] ?? [])
      .map((row) => ownedSchema.parse(row))
      .filter(({ team_id }) => team_id === null || !managed.includes(team_id))
      .map(({ id }) => id);
  const [sets, roles] = [others("permission_sets"), others("roles")];
  return Object.fromEntries(
    tables.map((name) => [
      name,
      (rows[name] ?? []).filter((row) => {
        const { team_id, user_id, role_id, permission_set_id } = rowSchema.parse(row);
        if (user_id === uuidOf(actor) && left.includes(team_id ?? "")) return false;
        if (name === "permission_set_keys") return sets.includes(permission_set_id ?? "");
        if (name === "role_p_sets") return roles.includes(role_id ?? "");
        return team_id == null || !managed.includes(team_id); // a campaign's is the one that runs it
      }),
    ]),
  );
}

const ofBundles = ["team-sets", "campaign-sets", "set-keys"];

function holdsAfterAll(world: World, before: Look, after: Look, actor: string, { kind }: { kind?: unknown }) {
  const then = worldOf(before.rows, world, userNames);
  const now = worldOf(after.rows, world, userNames);
  const ownBundles = ({ user, team, campaign }: Place) =>
    ofBundles.includes(String(kind)) && administers(then, actor, team) && hasAdministratorRole(now, user, team)
      ? bundled(now, { team, campaign })
      : [];
  const managed = before.places
    .filter(
      ({ user, campaign, keys }) =>
        user === actor && campaign === null && (keys.includes("members.manage") || keys.includes("roles.manage")),
    )
    .map(({ team }) => team);
  expect(escalations(before, after, actor, ownBundles), "escalations").toEqual([]);
  const teamsOf = (look: Look) =>
    memberships(look)
      .filter(({ user_id }) => user_id === uuidOf(actor))
      .map(({ team_id }) => team_id);
  const left = minus(teamsOf(before), teamsOf(after));
  expect(foreign(after, managed, actor, left), "rows of others").toEqual(foreign(before, managed, actor, left));
  expect(minus(before.administered, after.administered), "teams without an administrator").toEqual([]);
  expect(
    minus(managedByAdministrators(then, userNames), managedByAdministrators(now, userNames)),
    "teams whose administrators manage them no more",
  ).toEqual([]);
  const notTheirs = rebundled(then, now).filter(({ team }) => !administers(then, actor, team));
  expect(notTheirs, "changed what administrators hold, and is none").toEqual([]);
  const differing = userNames.filter((user) =>
    after.places.some((now) => now.user === user && JSON.stringify(now) !== JSON.stringify(at(before.places, now))),
  );
  expect(minus(differing, after.noted), "affected and not noted").toEqual([]);
  if (JSON.stringify(after.rows) !== JSON.stringify(before.rows)) expect(after.log).toBeGreaterThan(before.log);
}

// What `places` says about who gains and loses, in the shape of the preview, names apart.
function effectsOf(before: Look, after: Look, team: string) {
  return userNames
    .map((user) => ({
      userId: uuidOf(user),
      places: after.places
        .filter((now) => now.user === user && now.team === team)
        .flatMap((now) => {
          const then = at(before.places, now);
          const had = then?.open ? then.keys : [];
          const has = now.open ? now.keys : [];
          const access = now.open === then?.open ? "stays" : now.open ? "opens" : "closes";
          const [gains, losses] = [minus(has, had), minus(had, has)];
          return access === "stays" && gains.length + losses.length === 0
            ? []
            : [{ campaign: now.campaign && { id: now.campaign, name: now.campaign }, access, gains, losses }];
        }),
    }))
    .filter(({ places }) => places.length > 0);
}

const effectsSchema = z.array(z.object({ userId: z.string(), name: z.string(), places: z.array(z.unknown()) }));
const inOrder = (effects: { userId: string; places: unknown[] }[]) =>
  effects
    .map(({ userId, places }) => ({ userId, places: places.map((place) => JSON.stringify(sortedKeys(place))).sort() }))
    .sort((one, other) => (one.userId < other.userId ? -1 : 1));
const sortedKeys = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort()
          .map(([key, inner]) => [key, sortedKeys(inner)]),
      )
    : value;

// Random changes with what each of them is answered; whether anybody's access in the team differs then; and whether the sets of
// a campaign give administrators something else, which is to be theirs by the whole team's when no administrator does it.
type Case = Step & { world: World; outcome: string; isFelt: boolean; isHeldTwice: boolean };
const judged = (worlds: fc.Arbitrary<World>, stepIn: (world: World, pick: Picks) => Step | undefined) =>
  fc.tuple(worlds, picks).map(([world, pick]): Case | undefined => {
    const step = stepIn(world, pick);
    if (!step) return undefined;
    const after = judge(world, step.actor, step.change);
    return typeof after === "string"
      ? { world, ...step, outcome: after, isFelt: false, isHeldTwice: false }
      : {
          ...{ world, ...step, outcome: "done", isFelt: accessIn(world, step) !== accessIn(after, step) },
          isHeldTwice: !administers(world, step.actor, step.change.team) && ofCampaigns(world) !== ofCampaigns(after),
        };
  });
const ofCampaigns = (world: World) =>
  JSON.stringify(
    world.campaign_team_sets
      .flatMap(({ permission_set_id: set, ...place }) =>
        world.permission_set_keys
          .filter((row) => row.permission_set_id === set)
          .map(({ key }) => [place.team_id, place.campaign_id, key].join()),
      )
      .sort(),
  );
const accessIn = (world: World, { change: { team } }: Step) =>
  JSON.stringify(
    userNames.flatMap((user) =>
      [null, ...world.campaigns.map(({ id }) => id)]
        .map((campaign) => expectedSnapshot(world, { user, team, campaign }))
        .map(({ teamAccess, campaignAccess = teamAccess, permissionKeys }) => campaignAccess && permissionKeys),
    ),
  );
const anyCase = fc.oneof(
  judged(managedWorld, (world, pick) => {
    const manager = chosen(managersOf(world), pick.who);
    const change = manager && changeOf(world, manager, pick);
    return change && { actor: manager.actor, change };
  }),
  judged(administratorsWorld, stepOf),
);
const anyAttached = judged(attachedWorld, () => attaching);
const kinds: Record<string, (one: Case) => boolean> = {
  felt: ({ isFelt }) => isFelt,
  "held twice": ({ isHeldTwice }) => isHeldTwice,
  "out of one of two teams": ({ world, change }) =>
    change.kind === "members" &&
    change.members.some(
      ({ userId, after }) => after === null && world.team_users.filter((row) => row.user_id === userId).length > 1,
    ),
};
const caseOf = (outcome: string, kind?: string) =>
  (kind === "attach-campaign" ? anyAttached : anyCase).filter(
    (one): one is Case =>
      one?.outcome === outcome && (kind === undefined || (kinds[kind]?.(one) ?? one.change.kind === kind)),
  );

const some = inDrill(12, { else: 3 });
const many = inDrill(60, { else: 10 });

test.each<[outcome: string, runs: number, kind?: string]>([
  ["done", many],
  ["done", many, "felt"],
  ["done", some, "held twice"],
  ["done", some, "out of one of two teams"],
  ["done", some, "attach-campaign"],
  ["more-than-own", many],
  ["more-than-own", some, "attach-campaign"],
  ["not-allowed", some],
  ["not-allowed", 2 * some, "campaigns"],
  ["not-allowed", 2 * some, "attach-campaign"],
  ["own-membership", some],
  ["stale", some],
  ["gone", some],
  ["gone", some, "role-sets"],
  ["gone", some, "set-keys"],
  ["unchanged", some],
  ["last-administrator", some],
  ["administrators-stripped", some],
  ["nobody-left", some],
  ["administrators-only", many],
])(
  "%s, as the rows say, in %i random worlds (%s): previewed so, no escalation, nothing of others, and administrators stay",
  {
    timeout: 600_000,
  },
  async (wanted, numRuns, kind) => {
    await fc.assert(
      fc.asyncProperty(caseOf(wanted, kind), ({ world, actor, change, isFelt }) =>
        inQuietWorld(database, world, async () => {
          const asSent = sent(world, change);
          const before = await look(world);
          const preview = await changeAs(database, actor, asSent, "preview_access_change");
          expect(await look(world, before), "after the preview").toEqual(before);
          const { outcome } = await changeAs(database, actor, asSent);
          const after = await look(world, before);
          expect([preview.outcome, outcome]).toEqual([wanted, wanted]);
          holdsAfterAll(world, before, after, actor, change);
          if (outcome !== "done") {
            expect(after).toEqual(before);
            return;
          }
          const effects = inOrder(effectsSchema.parse(preview.effects));
          expect(effects).toEqual(inOrder(effectsOf(before, after, change.team)));
          if (isFelt) expect(effects.length, "changes that are felt").toBeGreaterThan(0);
        }),
      ),
      { numRuns, seed },
    );
  },
);
