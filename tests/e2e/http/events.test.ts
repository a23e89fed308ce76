import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { folder, siteUrl } from "../../support/demo.ts";
import { createOwnTeam } from "../../support/own-team.ts";
import { cookieOf } from "../../support/session-cookies.ts";

const log = () => readFileSync(join(folder, "application.log"), "utf8");
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

test("each refusal and each invalidation is one structured line, without tokens, names or addresses", async () => {
  const { team, people } = await createOwnTeam({ malik: { team: "Field team" } });
  const { id: user, name, email } = people.malik;
  const headers = { cookie: await cookieOf(email) };
  const fetchPath = (path: string, more = {}) =>
    fetch(siteUrl + path, { headers: { ...headers, ...more }, redirect: "manual" });
  await fetchPath(`/${team}/members`, { "x-request-id": "from-the-proxy-1" });
  await fetchPath(`/${team}/campaign/open-parks`);
  await fetchPath("/hillside");
  const refreshed = await fetch(`${siteUrl}/api/permissions/revalidate`, { method: "POST", headers });
  expect(refreshed.status).toBe(204);
  const request = refreshed.headers.get("x-request-id");

  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const refusal = { event: "refused", at: timestamp, request: expect.stringMatching(uuid), user, team };
  const expected = [
    { ...refusal, request: "from-the-proxy-1", key: "members.view", why: "key missing" },
    { ...refusal, campaign: "open-parks", why: "campaign not reached" },
    { ...refusal, team: "hillside", why: "no active membership" },
    { event: "permissions-invalidated", at: timestamp, request, by: "refresh", users: [user] },
  ];
  // The line is written before the answer, but reaches the file later.
  await vi.waitFor(() => {
    const ofUser = log()
      .split("\n")
      .filter((line) => line.startsWith('{"event"') && line.includes(user));
    const events = ofUser.map((line) => JSON.parse(line));
    expect(events).toEqual(expect.arrayContaining(expected));
    expect(events.filter(({ key }) => key === "members.view")).toHaveLength(1);
  }, 5_000);

  for (const secret of ["eyJ", email, "@demo.test", "sb_secret", "sb_publishable", name, "base64-"]) {
    expect([secret, log().includes(secret)]).toEqual([secret, false]);
  }
});
