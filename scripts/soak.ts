import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { quantile } from "../harness/measure.ts";
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
const { values: options } = readArguments(usage, { options: { minutes: { type: "string", default: "15" } } });
const minutes = Number(options.minutes);
if (!(minutes > 0)) exitWithUsageError(usage, "--minutes takes a number above 0");

const random = seededRandom(7);
const pickOne = <Value>(list: readonly [Value, ...Value[]]) => list[Math.floor(random() * list.length)] ?? list[0];
const campaignPath = "/riverside/campaign/clean-water";
const place = { team: "riverside", campaign: "clean-water" };
const query = new URLSearchParams(place);
const read = (path: string) => () => ({ path });
const send = (path: string, body: () => object) => () => ({ path, body: body() });

let line = 0;
const enterLine = () => {
  line++;
  const [sheet, number] = [5_000 + Math.floor(line / 20), (line % 20) + 1];
  const values = { verdict: "accepted", voterId: `SOAK-${line}`, name: "Smith, Ada", signedOn: null };
  return { ...place, changes: [{ kind: "line", id: crypto.randomUUID(), sheet, line: number, ...values }] };
};
const searchVoters = () => ({ params: { lastName: pickOne(["s", "smi", "garcia", "nguyen", "jo"]), querySize: 25 } });
const checkDuplicate = () => ({ campaignId: place.campaign, voterId: `SOAK-${1 + Math.floor(random() * (line + 5))}` });

const requestsByEmail = {
  "admin@demo.test": [
    read("/riverside"),
    read(campaignPath),
    read("/riverside/members"),
    read(`/api/progress?${query}`),
  ],
  "analyst@demo.test": [read(`${campaignPath}/dashboard`), read(`/api/permissions/fingerprint?${query}`)],
  "canvasser@demo.test": [read(`${campaignPath}/voters`), send("/api/essearch-common", searchVoters)],
  "clerk@demo.test": [
    read(`${campaignPath}/signatures`),
    send("/api/signatures", enterLine),
    send("/api/signatures", enterLine),
    send("/api/essearch-common", searchVoters),
    send("/api/duplicate", checkDuplicate),
  ],
} as const;

const statusCounts = new Map<number, number>();
let durationsMs: number[] = [];

async function simulatePerson(
  url: string,
  currentCookie: () => string,
  requests: readonly [() => SoakRequest, ...(() => SoakRequest)[]],
  endsAt: number,
) {
  let searchToken = "";
  while (Date.now() < endsAt) {
    const { path, body } = pickOne(requests)();
    const startedAt = performance.now();
    const response = await fetch(url + path, {
      headers: { cookie: `${currentCookie()}; ${searchToken}`, ...(body && { "content-type": "application/json" }) },
      redirect: "manual",
      signal: AbortSignal.timeout(30_000),
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const tokenCookie = response.headers.getSetCookie().findLast((set) => set.startsWith("searchsvc_token_search="));
    searchToken = tokenCookie?.split(";")[0] ?? searchToken; // as in a browser; without it, each search logs in
    durationsMs.push(performance.now() - startedAt);
    statusCounts.set(response.status, (statusCounts.get(response.status) ?? 0) + 1);
    if (response.status >= 400) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`);
    await wait(random() * 500);
  }
}
type SoakRequest = { path: string; body?: object };

const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;

/** Memory and connections of a process, from /proc. */
function memoryAndSockets(pid: number) {
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

  const startedAt = Date.now();
  const endsAt = startedAt + minutes * 60_000;
  const printState = async () => {
    const info = await redis.info();
    const [clients, memory] = ["connected_clients", "used_memory"].map((name) =>
      Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1]),
    );
    const counts = [...statusCounts].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
    console.log(
      `${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s  ${counts.join(", ")}; ` +
        `median ${quantile(durationsMs, 0.5).toFixed(0)} ms, p95 ${quantile(durationsMs, 0.95).toFixed(0)} ms; ` +
        `application ${memoryAndSockets(app.pid)}; Redis ${megabytes(memory ?? 0)}, ${clients} clients`,
    );
    durationsMs = [];
  };
  const users = Object.entries(requestsByEmail).flatMap(([email, requests]) => [
    [email, requests] as const,
    [email, requests] as const, // the same person in two browsers
  ]);
  const cookies = new Map<string, string>();
  let signedInAt = 0;
  const signIn = async () => {
    for (const email of Object.keys(requestsByEmail)) cookies.set(email, await cookieOf(stack, email));
    signedInAt = Date.now();
  };
  await signIn();
  const simulations = Promise.all(
    users.map(([email, requests]) => simulatePerson(app.url, () => cookies.get(email) ?? "", requests, endsAt)),
  );
  const isOver = simulations.then(() => true);
  while (!(await Promise.race([isOver, wait(Math.min(30_000, minutes * 30_000)).then(() => false)]))) {
    await printState();
    if (Date.now() - signedInAt > 600_000) await signIn(); // tokens last 900 s, and refreshed cookies are ignored
  }
  await printState();
});
