// Forty clerks enter lines for a minute over the real route, each with a separate outbox, while everything around them fails
// in turn.
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { type Instances, startTwoInstances } from "../../../harness/two-instances.ts";
import type { OutboxLine } from "../../../lib/signatures/outbox/outbox.ts";
import { readItem } from "../../../lib/signatures/outbox/read-saved.ts";
import { changeSender, type Outcome, sendOutbox } from "../../../lib/signatures/outbox/send.ts";
import { type Outbox, openOutbox, outboxName } from "../../../lib/signatures/outbox/store.ts";
import { demoPassword } from "../../../scripts/demo-data/demo-data.ts";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";
import { signersKey } from "../../../supabase/functions/_shared/signers.ts";
import { rejected, signature } from "../../support/entry-lines.ts";

const clerkCount = 40;
const durationMs = 55_000;
const voterCount = 600; // few enough to collide
const contested = 90; // a sheet whose lines are each entered by three clerks
const place = { team: "riverside", campaign: "safe-streets" };

type Clerk = {
  userId: string;
  /** Their instance and session. */
  at: { url: string; cookie: string };
  name: string;
  store: Outbox;
  lines: Map<string, OutboxLine>;
  undone: Set<string>;
  outcomes: Map<string, Outcome>;
  waited: number;
};

let world: Instances;
let clerks: Clerk[];
const random = seededRandom(7);

// The outbox of each clerk uses their instance and cookie, as in their browser.
const asClerk = new AsyncLocalStorage<Clerk["at"]>();
const realFetch = fetch;
vi.stubGlobal("fetch", (path: string | URL, init?: RequestInit) => {
  const position = asClerk.getStore();
  if (!position || typeof path !== "string" || !path.startsWith("/")) return realFetch(path, init);
  const headers = new Headers(init?.headers);
  headers.set("cookie", position.cookie);
  return realFetch(position.url + path, { ...init, headers });
});

beforeAll(async () => {
  world = await startTwoInstances();
  const { rest } = world.stack;
  const roles = z.array(z.object({ id: z.string(), name: z.string() })).parse(await rest("roles?select=id,name"));
  const inRole = (name: string) => ({ team_id: place.team, role_id: roles.find((role) => role.name === name)?.id });
  clerks = await Promise.all(Array.from({ length: clerkCount }, (_, index) => signUp(index)));
  const asMember = { ...inRole("Field team"), status: "active" };
  const ofCampaign = { ...inRole("Signature clerk"), campaign_id: place.campaign };
  const each = (row: object) => clerks.map(({ userId }) => ({ user_id: userId, ...row }));
  await rest("team_users", "POST", each(asMember));
  await rest("campaign_user_roles_team", "POST", each(ofCampaign));
}, 180_000);
afterAll(() => world?.stop(), 60_000);

async function signUp(index: number): Promise<Clerk> {
  const { env, supabaseUrl, signIn } = world.stack;
  const email = `clerk-${index}@people.test`;
  const response = await realFetch(`${supabaseUrl}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? "", "content-type": "application/json" },
    body: JSON.stringify({ email, password: demoPassword, data: { name: `Clerk ${index}` } }),
  });
  expect(response.status).toBe(200);
  const { userId, cookie } = await signIn(email);
  const name = outboxName({ userId, ...place });
  return {
    userId,
    at: { url: world.url(index % 2), cookie },
    name,
    store: openOutbox(name, readItem),
    lines: new Map(),
    undone: new Set(),
    outcomes: new Map(),
    waited: 0,
  };
}

let contests = 0;

function nextLine(index: number, line: number): OutboxLine {
  const isContested = random() < 0.15;
  const position = isContested
    ? { sheet: contested, line: Math.floor(contests++ / 3) + 1 }
    : { sheet: 1_000 + index, line };
  if (random() < 0.15) {
    const verdict = random() < 0.5 ? "illegible" : "not-found";
    return { ...rejected(1, verdict, { name: "smi" }), ...position };
  }
  return { ...signature(1), voterId: `DRILL-${Math.floor(random() * voterCount)}`, ...position };
}

// Enters a line about every three seconds, like the fastest clerks, and undoes each eighth.
async function enterLines(clerk: Clerk, index: number, endsAt: number) {
  clerk.store.add({ kind: "open-sheet", sheet: 1_000 + index });
  for (let line = 1; Date.now() < endsAt; line++) {
    await wait(2_000 + random() * 2_000);
    const change = nextLine(index, line);
    const { item } = clerk.store.add(change);
    clerk.lines.set(item.id, change);
    if (random() > 0.125) continue;
    await wait(random() * 500);
    clerk.store.add({ kind: "undo", of: item.id });
    clerk.undone.add(item.id);
  }
  clerk.store.add({ kind: "close-sheet", sheet: 1_000 + index });
}

// Like useOutbox, but without growing pauses.
async function send(clerk: Clerk, isEntering: () => boolean) {
  const sender = changeSender({ userId: clerk.userId, ...place });
  const { signal } = new AbortController();
  const onOutcome = ({ id }: { id: string }, outcome: Outcome) => void clerk.outcomes.set(id, outcome);
  while (isEntering() || clerk.store.reread().some(({ refused }) => refused === null)) {
    const waiting = await asClerk.run(clerk.at, () =>
      sendOutbox(clerk.name, { outbox: clerk.store, send: sender.send, onOutcome, signal }),
    );
    if (waiting) clerk.waited++;
    await wait(waiting ? 500 : 50);
  }
}

async function failInTurn() {
  const { redis, stack, restart } = world;
  await wait(6_000);
  await redis.stop();
  await wait(8_000);
  await redis.start();
  await wait(5_000);
  await restart(0);
  await wait(3_000);
  stack.freezeDatabase();
  await wait(5_000);
  stack.thawDatabase();
  await wait(5_000);
  await restart(1);
  await wait(3_000);
  // Both at once: lines that arrive during this are stored late, by any attempt.
  await redis.stop();
  stack.freezeDatabase();
  await wait(5_000);
  stack.thawDatabase();
  await wait(3_000);
  await redis.start();
}

const rowSchema = z.object({
  id: z.string(),
  entered_by: z.string().nullable(),
  sheet: z.int().nullable(),
  line: z.int().nullable(),
  verdict: z.string(),
  voter_id: z.string().nullable(),
  removed_at: z.string().nullable(),
});

async function readRows() {
  const columns = Object.keys(rowSchema.shape).join(",");
  const rows: z.infer<typeof rowSchema>[] = [];
  for (;;) {
    const page = `lines?select=${columns}&campaign_id=eq.${place.campaign}&order=id&limit=1000&offset=${rows.length}`;
    const stored = z.array(rowSchema).parse(await world.stack.rest(page));
    rows.push(...stored);
    if (stored.length === 0) return rows;
  }
}
const counted = <Row extends { verdict: string; removed_at: string | null }>(rows: Row[]) =>
  rows.filter(({ verdict, removed_at }) => verdict === "accepted" && removed_at === null);

test("each acknowledged line is stored once, and set and table are equal", async () => {
  const endsAt = Date.now() + durationMs;
  let entering = true;
  const sending = clerks.map((clerk) => send(clerk, () => entering));
  await Promise.all([failInTurn(), ...clerks.map((clerk, index) => enterLines(clerk, index, endsAt))]);
  entering = false;
  await Promise.all(sending);

  const rows = await readRows();
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  let refused = 0;
  for (const { userId, lines, outcomes, undone, store } of clerks) {
    const left = new Map(store.items().map((item) => [item.id, item]));
    for (const [id, change] of lines) {
      const outcome = outcomes.get(id);
      const row = rowOf.get(id);
      if (!outcome) {
        // Refused: it stays on the device with the line in its place, and isn't stored.
        refused++;
        expect(left.get(id)?.refused).toMatchObject({ reason: "line-taken", taken: { enteredAt: expect.any(String) } });
        expect(row).toBeUndefined();
        continue;
      }
      expect(row).toMatchObject({
        entered_by: userId,
        sheet: change.sheet,
        line: change.line,
        voter_id: change.voterId,
      });
      expect(row?.verdict).toBe(outcome.outcome === "duplicate" ? "duplicate" : (outcome.verdict ?? row?.verdict));
      expect([change.verdict, "duplicate"]).toContain(row?.verdict);
      expect(row?.removed_at === null, `${id} was ${undone.has(id) ? "" : "not "}undone`).toBe(!undone.has(id));
      left.delete(id);
    }
    expect([...left.values()].filter((item) => !lines.has(item.id))).toEqual([]); // undos and sheets are done
  }
  const own = rows.filter(({ entered_by }) => clerks.some(({ userId }) => userId === entered_by));
  const entered = clerks.reduce((sum, { lines }) => sum + lines.size, 0);
  expect(own).toHaveLength(entered - refused);

  // Nothing twice.
  const voters = counted(rows).map(({ voter_id }) => voter_id);
  expect(new Set(voters).size).toBe(voters.length);
  const live = rows.filter(({ removed_at, line }) => removed_at === null && line !== null);
  expect(new Set(live.map(({ sheet, line }) => `${sheet}/${line}`)).size).toBe(live.length);

  // Each case must have occurred; how often depends on the speed of the machine.
  const met = {
    refused,
    entered: Math.min(...clerks.map(({ lines }) => lines.size)),
    undone: clerks.reduce((sum, { undone }) => sum + undone.size, 0),
    duplicates: own.filter(({ verdict }) => verdict === "duplicate").length,
    waited: clerks.filter(({ waited }) => waited > 0).length,
  };
  expect(Object.entries(met).filter(([, times]) => times === 0)).toEqual([]);

  const members = async () =>
    z.array(z.string()).parse(await world.redis.command("SMEMBERS", signersKey(place.campaign)));
  const isEqual = async () => expect((await members()).sort()).toEqual(voters.map(String).sort());
  await vi.waitFor(isEqual, { timeout: 60_000, interval: 500 });
}, 600_000);
