// Forty clerks key for a minute over the real route, each with a queue of their own, while everything around them fails in
// turn.
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
const lasts = 55_000; // ms
const voterCount = 600; // few enough that they meet
const contested = 90; // a sheet of which each line is keyed by three clerks
const place = { team: "riverside", campaign: "safe-streets" };

type Clerk = {
  userId: string;
  /** Where they are connected, and as whom. */
  at: { url: string; cookie: string };
  name: string;
  store: Outbox;
  lines: Map<string, OutboxLine>;
  undone: Set<string>;
  told: Map<string, Outcome>;
  waited: number;
};

let world: Instances;
let clerks: Clerk[];
const random = seededRandom(7);

// Each clerk's queue asks their own instance, with their own cookie, as a page in their browser does.
const asClerk = new AsyncLocalStorage<Clerk["at"]>();
const realFetch = fetch;
vi.stubGlobal("fetch", (path: string | URL, init?: RequestInit) => {
  const at = asClerk.getStore();
  if (!at || typeof path !== "string" || !path.startsWith("/")) return realFetch(path, init);
  const headers = new Headers(init?.headers);
  headers.set("cookie", at.cookie);
  return realFetch(at.url + path, { ...init, headers });
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
  const answer = await realFetch(`${supabaseUrl}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? "", "content-type": "application/json" },
    body: JSON.stringify({ email, password: demoPassword, data: { name: `Clerk ${index}` } }),
  });
  expect(answer.status).toBe(200);
  const { userId, cookie } = await signIn(email);
  const name = outboxName({ userId, ...place });
  return {
    ...{ userId, at: { url: world.url(index % 2), cookie }, name, store: openOutbox(name, readItem) },
    ...{ lines: new Map(), undone: new Set(), told: new Map(), waited: 0 },
  };
}

let contests = 0;

function nextLine(index: number, line: number): OutboxLine {
  const isContested = random() < 0.15;
  const at = isContested ? { sheet: contested, line: Math.floor(contests++ / 3) + 1 } : { sheet: 1_000 + index, line };
  if (random() < 0.15) {
    const verdict = random() < 0.5 ? "illegible" : "not-found";
    return { ...rejected(1, verdict, { name: "smi" }), ...at };
  }
  return { ...signature(1), voterId: `DRILL-${Math.floor(random() * voterCount)}`, ...at };
}

// A line every three seconds or so, as the fastest clerk keys them; each eighth is taken back.
async function key(clerk: Clerk, index: number, endsAt: number) {
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

// As useOutbox does it, without a pause that grows.
async function send(clerk: Clerk, stillKeys: () => boolean) {
  const sender = changeSender({ userId: clerk.userId, ...place });
  const { signal } = new AbortController();
  const onOutcome = ({ id }: { id: string }, outcome: Outcome) => void clerk.told.set(id, outcome);
  while (stillKeys() || clerk.store.reread().some(({ refused }) => refused === null)) {
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
  // Both at once: the lines that arrive meanwhile are stored late, by whichever try.
  await redis.stop();
  stack.freezeDatabase();
  await wait(5_000);
  stack.thawDatabase();
  await wait(3_000);
  await redis.start();
}

const rowSchema = z.object({
  ...{ id: z.string(), entered_by: z.string().nullable(), sheet: z.int().nullable(), line: z.int().nullable() },
  ...{ verdict: z.string(), voter_id: z.string().nullable(), removed_at: z.string().nullable() },
});

async function readRows() {
  const columns = Object.keys(rowSchema.shape).join(",");
  const rows: z.infer<typeof rowSchema>[] = [];
  for (;;) {
    const page = `lines?select=${columns}&campaign_id=eq.${place.campaign}&order=id&limit=1000&offset=${rows.length}`;
    const found = z.array(rowSchema).parse(await world.stack.rest(page));
    rows.push(...found);
    if (found.length === 0) return rows;
  }
}
const counted = <Row extends { verdict: string; removed_at: string | null }>(rows: Row[]) =>
  rows.filter(({ verdict, removed_at }) => verdict === "accepted" && removed_at === null);

test("every line that was acknowledged is stored once, and set and table hold the same", async () => {
  const endsAt = Date.now() + lasts;
  let keying = true;
  const sending = clerks.map((clerk) => send(clerk, () => keying));
  await Promise.all([failInTurn(), ...clerks.map((clerk, index) => key(clerk, index, endsAt))]);
  keying = false;
  await Promise.all(sending);

  const rows = await readRows();
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  let refused = 0;
  for (const { userId, lines, told, undone, store } of clerks) {
    const left = new Map(store.items().map((item) => [item.id, item]));
    for (const [id, change] of lines) {
      const outcome = told.get(id);
      const row = rowOf.get(id);
      if (!outcome) {
        // Refused: it stays on the device with what stands on its line, and is stored nowhere.
        refused++;
        expect(left.get(id)?.refused).toMatchObject({ why: "line-taken", taken: { enteredAt: expect.any(String) } });
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
  const keyed = clerks.reduce((sum, { lines }) => sum + lines.size, 0);
  expect(own).toHaveLength(keyed - refused);

  // Nothing twice.
  const voters = counted(rows).map(({ voter_id }) => voter_id);
  expect(new Set(voters).size).toBe(voters.length);
  const live = rows.filter(({ removed_at, line }) => removed_at === null && line !== null);
  expect(new Set(live.map(({ sheet, line }) => `${sheet}/${line}`)).size).toBe(live.length);

  // Everything was put to the test. How often goes by how fast the machine is: what fails is over sooner on a fast one.
  const met = {
    refused,
    keyed: Math.min(...clerks.map(({ lines }) => lines.size)),
    undone: clerks.reduce((sum, { undone }) => sum + undone.size, 0),
    duplicates: own.filter(({ verdict }) => verdict === "duplicate").length,
    waited: clerks.filter(({ waited }) => waited > 0).length,
  };
  expect(Object.entries(met).filter(([, times]) => times === 0)).toEqual([]);

  const members = async () =>
    z.array(z.string()).parse(await world.redis.command("SMEMBERS", signersKey(place.campaign)));
  const untilSame = async () => expect((await members()).sort()).toEqual(voters.map(String).sort());
  await vi.waitFor(untilSame, { timeout: 60_000, interval: 500 });
}, 600_000);
