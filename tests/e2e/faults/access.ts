import { expect } from "vitest";
import { readMemberForm } from "../../../harness/member-form.ts";
import { startTwoInstances } from "../../../harness/two-instances.ts";

// Shared by the fault drills: a pair of production instances on one Redis, and changes of the access of one person. The admin
// changes the access of the canvasser.

export const world = await startTwoInstances();
const canvasser = await world.stack.signIn("canvasser@demo.test");
export const admin = await world.stack.signIn("admin@demo.test");

export const guarded = "/riverside/campaign/clean-water";
const rowPath = `campaign_user_roles_team?user_id=eq.${canvasser.userId}&team_id=eq.riverside&campaign_id=eq.clean-water`;
const [campaignRow] = (await world.stack.rest(rowPath)) as unknown[];
let clock = 0;

export type Answer = "yes" | "no" | "error";

// Everything runs, access is granted, and all pending changes are applied.
export async function reset() {
  world.proxy.down = false;
  world.proxy.beforeResponse = undefined;
  world.proxy.forwardsOneAtATime = false;
  world.redis.thaw();
  if (!world.redis.isRunning()) await world.redis.start();
  await setStatus("active");
  await grantBySql();
  await processChanges();
  await untilCached();
}

export async function anHourPasses() {
  clock += 3_600_000;
  await world.moveClock(clock);
}

export async function read(instance: number): Promise<Answer> {
  const response = await sendRequest(instance, guarded);
  const body = await response.text();
  if (response.status === 200 && body.includes("Your permissions")) return "yes";
  const location = response.headers.get("location");
  return response.status === 307 && location && !location.includes("login") ? "no" : "error";
}

export const revokeBySql = () => world.stack.rest(rowPath, "DELETE");
export async function grantBySql() {
  const rows = await world.stack.rest(rowPath);
  if (Array.isArray(rows) && rows.length === 0) await world.stack.rest("campaign_user_roles_team", "POST", campaignRow);
}
const setStatus = (status: string) =>
  world.stack.rest(`team_users?user_id=eq.${canvasser.userId}&team_id=eq.riverside`, "PATCH", { status });

export const pendingChanges = async () => {
  const pending = await world.stack.rest("rpc/pending_permission_changes", "POST", { p_limit: 1000 });
  return (pending as { ids: number[] }).ids;
};

// What the schedule does every few seconds.
export const processChanges = () => expect.poll(world.stack.invalidate, { timeout: 15_000, interval: 100 }).toBe(200);

// Waits until both instances answer from their cache: only then can a test see a stale "yes".
export async function untilCached() {
  for (const instance of [0, 1]) {
    await expect
      .poll(
        async () => {
          const before = world.proxy.calls;
          const result = await read(instance);
          return `${result} after ${world.proxy.calls - before} calls`;
        },
        { timeout: 15_000, interval: 100 },
      )
      .toMatch(/^(yes|no) after 0 calls$/);
  }
}

// Sends the form of the canvasser's page, as a browser without JavaScript does.
export async function changeByAction(instance: number, status: "active" | "suspended") {
  const address = `${world.url(instance)}/riverside/members/${canvasser.userId}`;
  const html = await (await fetch(address, { headers: { cookie: admin.cookie } })).text();
  const response = await fetch(address, {
    method: "POST",
    headers: { cookie: admin.cookie, origin: world.url(instance) },
    body: readMemberForm(html, canvasser.userId)(status),
  });
  const result = await response.text();
  const inEffect = result.includes(status === "active" ? "Reactivated." : "Suspended.");
  const saved = inEffect || result.includes("takes effect within 10 seconds");
  if (!saved) throw new Error(`The action didn't answer: ${response.status}`);
  return inEffect;
}

export const readBoth = async () => [await read(0), await read(1)];

/** Sends a request of the canvasser to an instance. */
export const sendRequest = (instance: number, path: string, method = "GET") =>
  fetch(`${world.url(instance)}${path}`, { method, headers: { cookie: canvasser.cookie }, redirect: "manual" });

/** Restarts an instance, with its clock as before. */
export const restart = async (instance: number) => {
  await world.restart(instance);
  await world.moveClock(clock);
};
