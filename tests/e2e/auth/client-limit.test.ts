import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownPort } from "../../../harness/own-port.ts";
import { endInstance, startInstance } from "../../../harness/two-instances.ts";
import { callAction } from "../../support/call-action.ts";
import { env, siteUrl } from "../../support/demo.ts";

// One password on many addresses. Without TRUSTED_PROXIES the connected client counts, not a header.

const folder = mkdtempSync(join(tmpdir(), "signet-log-"));
const logFile = join(folder, "application.log");
const port = await ownPort(3560);
let instance: Awaited<ReturnType<typeof startInstance>>;
beforeAll(async () => {
  const { href } = pathToFileURL("tests/support/public-client.mjs");
  instance = await startInstance({ port, env: { ...env, NODE_OPTIONS: `--import=${href}` }, logFile });
});
afterAll(async () => {
  await endInstance(instance);
  rmSync(folder, { recursive: true });
});

const wrong = "Wrong email or password. Check both and try again.";
const attempt = async (site: string, headers: Record<string, string>) => {
  const fields = { email: `${crypto.randomUUID()}@people.test`, password: "one-password-for-all", next: "/" };
  const result = await callAction({ action: "startSession", path: "/login", fields }, "", { site, headers });
  return "error" in result ? result.error : result.leadsTo;
};
const claimed = (address: string) => ({ "x-signet-connected": address, "x-forwarded-for": address });
const all = Array.from({ length: 36 }, (_, number) => number);

test("a client from the internet has 31 attempts at once, with any claimed addresses", async () => {
  const answers = await Promise.all(
    all.map((number) => attempt(`http://localhost:${port}`, claimed(`198.51.100.${number}`))),
  );
  expect(answers.filter((other) => other === wrong)).toHaveLength(31);
  expect(answers.filter((answer) => answer !== wrong)).toEqual(
    Array(5).fill(expect.stringMatching(/^Too many attempts\. Try again in \d+ seconds?\.$/)),
  );
});

test("a connection from this machine is a proxy, and isn't limited as one client", async () => {
  const answers = await Promise.all(all.map(() => attempt(siteUrl, claimed("203.0.113.8"))));
  expect(answers).toEqual(all.map(() => wrong));
});

test("the log says at the start that TRUSTED_PROXIES isn't set", () => {
  expect(readFileSync(logFile, "utf8")).toContain('"message":"TRUSTED_PROXIES is not set: ');
});
