import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { quantile } from "../harness/numbers.ts";
import { atEnd, runBench } from "../harness/run-bench.ts";
import { startedApp } from "../harness/started-app.ts";
import { cookieOf, startedStack } from "../harness/started-stack.ts";
import { exitWithUsageError, readArguments } from "./cli.ts";
import { seededRandom } from "./demo-data/seeded-random.ts";

const usage = `npm run soak [-- --minutes 15]

Simulates eight people using one instance for 15 minutes, on its own stack. Every 30 seconds it prints response counts and
times, memory and connections: a number that keeps growing is a leak. Any error response ends it with code 1.

  --minutes 15  how long
  --help        print this`;
const { values } = readArguments(usage, { options: { minutes: { type: "string", default: "15" } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) exitWithUsageError(usage, "--minutes takes a number above 0");

const random = seededRandom(7);
const oneOf = <Value>(list: readonly [Value, ...Value[]]) => list[Math.floor(random() * list.length)] ?? list[0];
const here = "/riverside/campaign/clean-water";
const place = { team: "riverside", campaign: "clean-water" };
const query = new URLSearchParams(place);
const read = (path: string) => () => ({ path });
const send = (path: string, body: () => object) => () => ({ path, body: body() });

let line = 0;
const enterLine = () => {
  line++;
  const [sheet, number] = [5_000 + Math.floor(line / 20), (line % 20) + 1];
  const what = { verdict: "accepted", voterId: `SOAK-${line}`, name: "Smith, Ada", signedOn: null };
  return { ...place, changes: [{ kind: "line", id: crypto.randomUUID(), sheet, line: number, ...what }] };
};
const lookUp = () => ({ params: { lastName: oneOf(["s", "smi", "garcia", "nguyen", "jo"]), querySize: 25 } });
const check = () => ({ campaignId: place.campaign, voterId: `SOAK-${1 + Math.floor(random() * (line + 5))}` });

const people = {
  "admin@demo.test": [read("/riverside"), read(here), read("/riverside/members"), read(`/api/progress?${query}`)],
  "analyst@demo.test": [read(`${here}/dashboard`), read(`/api/permissions/fingerprint?${query}`)],
  "canvasser@demo.test": [read(`${here}/voters`), send("/api/essearch-common", lookUp)],
  "clerk@demo.test": [
    read(`${here}/signatures`),
    send("/api/signatures", enterLine),
    send("/api/signatures", enterLine),
    send("/api/essearch-common", lookUp),
    send("/api/duplicate", check),
  ],
} as const;

const answers = new Map<number, number>();
let times: number[] = [];

async function use(url: string, cookieNow: () => string, acts: readonly [() => Act, ...(() => Act)[]], endsAt: number) {
  let searchToken = "";
  while (Date.now() < endsAt) {
    const { path, body } = oneOf(acts)();
    const begin = performance.now();
    const response = await fetch(url + path, {
      headers: { cookie: `${cookieNow()}; ${searchToken}`, ...(body && { "content-type": "application/json" }) },
      redirect: "manual",
      signal: AbortSignal.timeout(30_000),
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const tokenCookie = response.headers.getSetCookie().findLast((set) => set.startsWith("searchsvc_token_search="));
    searchToken = tokenCookie?.split(";")[0] ?? searchToken; // kept as in a browser: without it, each search logs in
    times.push(performance.now() - begin);
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
    if (response.status >= 400) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`);
    await wait(random() * 500);
  }
}
type Act = { path: string; body?: object };

const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;

/** Memory and connections of a process, from /proc. */
function taken(pid: number) {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  const sockets = readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith("socket:");
    } catch {
      return false; // it has just been closed
    }
  });
  return `${megabytes(pages * 4096)}, ${sockets.length} sockets`;
}

await runBench(async () => {
  const stack = await startedStack();
  const app = await startedApp(stack);
  const redis = new Redis(stack.REDIS_URL);
  atEnd(() => redis.disconnect());

  const beganAt = Date.now();
  const endsAt = beganAt + minutes * 60_000;
  const printState = async () => {
    const info = await redis.info();
    const [clients, memory] = ["connected_clients", "used_memory"].map((name) =>
      Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1]),
    );
    const counts = [...answers].sort(([one], [other]) => one - other).map(([status, count]) => `${count} × ${status}`);
    console.log(
      `${String(Math.round((Date.now() - beganAt) / 1000)).padStart(4)} s  ${counts.join(", ")}; ` +
        `median ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms; ` +
        `application ${taken(app.pid)}; Redis ${megabytes(memory ?? 0)}, ${clients} clients`,
    );
    times = [];
  };
  const users = Object.entries(people).flatMap(([email, acts]) => [
    [email, acts] as const,
    [email, acts] as const, // the same person in two browsers
  ]);
  const cookies = new Map<string, string>();
  let signedInAt = 0;
  const signIn = async () => {
    for (const email of Object.keys(people)) cookies.set(email, await cookieOf(stack, email));
    signedInAt = Date.now();
  };
  await signIn();
  const using = Promise.all(users.map(([email, acts]) => use(app.url, () => cookies.get(email) ?? "", acts, endsAt)));
  const isOver = using.then(() => true);
  while (!(await Promise.race([isOver, wait(Math.min(30_000, minutes * 30_000)).then(() => false)]))) {
    await printState();
    if (Date.now() - signedInAt > 600_000) await signIn(); // tokens last 900 s, and this doesn't keep refreshed cookies
  }
  await printState();
});
