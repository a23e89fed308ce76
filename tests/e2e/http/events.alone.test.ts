import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { cookieHeader } from "../../../scripts/local-stack/session-cookies.ts";
import { folder, signInOverApi, siteUrl } from "../../support/demo.ts";
import { sessionCookies } from "../../support/session-cookies.ts";

const log = () => readFileSync(join(folder, "application.log"), "utf8");
const events = () =>
  log()
    .split("\n")
    .flatMap((line) => (line.startsWith('{"event"') ? [JSON.parse(line) as Record<string, unknown>] : []));

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

test("each refusal and each invalidation is one structured line, without tokens, names or addresses", async () => {
  const { userId } = await signInOverApi("canvasser@demo.test");
  const cookies = await sessionCookies("canvasser@demo.test");
  const headers = { cookie: cookieHeader(cookies) };
  const before = events().length;
  await fetch(`${siteUrl}/riverside/members`, { headers: { ...headers, "x-request-id": "from-the-proxy-1" } });
  await fetch(`${siteUrl}/riverside/campaign/open-parks`, { headers, redirect: "manual" });
  await fetch(`${siteUrl}/hillside`, { headers, redirect: "manual" });
  const refreshed = await fetch(`${siteUrl}/api/permissions/revalidate`, { method: "POST", headers });
  expect(refreshed.status).toBe(204);
  const request = refreshed.headers.get("x-request-id");

  const made = expect.stringMatching(uuid);
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  // A line is written before the answer, and reaches the file a moment later.
  const refreshOf = (all: Record<string, unknown>[]) => all.some(({ by }) => by === "refresh");
  const seen = await vi.waitUntil(() => refreshOf(events().slice(before)) && events().slice(before), {
    timeout: 5_000,
  });
  expect(seen).toContainEqual({
    event: "refused",
    at,
    request: "from-the-proxy-1",
    user: userId,
    team: "riverside",
    key: "members.view",
    why: "key missing",
  });
  expect(seen).toContainEqual({
    event: "refused",
    at,
    request: made,
    user: userId,
    team: "riverside",
    campaign: "open-parks",
    why: "campaign not reached",
  });
  expect(seen).toContainEqual({
    ...{ event: "refused", at, request: made, user: userId, team: "hillside", why: "no active membership" },
  });
  expect(seen).toContainEqual({ event: "permissions-invalidated", at, request, by: "refresh", users: [userId] });
  expect(seen.filter(({ key }) => key === "members.view")).toHaveLength(1);

  for (const secret of ["eyJ", "@demo.test", "sb_secret", "sb_publishable", "Malik", "base64-"]) {
    expect([secret, log().includes(secret)]).toEqual([secret, false]);
  }
});
