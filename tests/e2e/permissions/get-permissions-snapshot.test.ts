import { createHmac, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { jwtSecretOf } from "../../../harness/session.ts";
import { folder, publishableKey, signInOverApi, supabaseUrl } from "../../support/demo.ts";
import { demoKeys } from "../../support/demo-keys.ts";

const address = `${supabaseUrl}/functions/v1/get-permissions-snapshot`;

const get = (query: string, token?: string, init: RequestInit = {}) =>
  fetch(address + query, {
    ...init,
    headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...init.headers },
  });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signedToken(claims: Record<string, unknown>, secret: string) {
  const content = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

const secret = jwtSecretOf(folder);

describe("the snapshot of each demo person has the documented keys", () => {
  test.each(Object.entries(demoKeys))("%s", async (name, person) => {
    const { token } = await signInOverApi(`${name}@demo.test`);
    const sorted = (...keys: string[]) => [...new Set(keys)].sort();
    const inTeam = { teamAccess: person !== null, permissionKeys: sorted(...(person?.team ?? [])) };
    const campaign = (reached = false, keys: string[] = []) => ({
      ...inTeam,
      campaignAccess: reached,
      permissionKeys: reached ? sorted(...inTeam.permissionKeys, ...keys) : inTeam.permissionKeys,
    });
    const read = async (query: string) => {
      const response = await get(query, token);
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
      return response.json();
    };
    expect(await read("?team_id=riverside")).toEqual(inTeam);
    expect(await read("?team_id=riverside&campaign_id=clean-water")).toEqual(
      campaign(person !== null, person?.campaign),
    );
    expect(await read("?team_id=riverside&campaign_id=open-parks")).toEqual(campaign(person?.allCampaigns));
    expect(await read("")).toEqual({ teamAccess: inTeam.teamAccess || name === "hill", permissionKeys: [] });
  });
});

const { token } = await signInOverApi("staff@demo.test");

describe("tokens", () => {
  test("missing, malformed, expired, foreign and unsigned tokens and keys are 401 with a clear error", async () => {
    const payload = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()));
    const past = Math.floor(Date.now() / 1000) - 60;
    // The same claims signed with the secret of the stack are accepted, so each other token is refused for its change.
    expect((await get("?team_id=riverside", signedToken(payload, secret))).status).toBe(200);
    const refused = {
      none: undefined,
      malformed: "not-a-token",
      expired: signedToken({ ...payload, exp: past }, secret),
      foreign: signedToken(payload, "another secret of more than thirty-two characters"),
      unsigned: `${encode({ alg: "none", typ: "JWT" })}.${encode(payload)}.`,
      tampered: token.replace(/\.[^.]+\./, `.${encode({ ...payload, sub: randomUUID() })}.`),
      "unknown user": signedToken({ ...payload, sub: randomUUID() }, secret),
      "publishable key": publishableKey,
    };
    for (const [name, value] of Object.entries(refused)) {
      const response = await get("?team_id=riverside", value);
      expect([name, response.status, response.headers.get("cache-control")]).toEqual([name, 401, "no-store"]);
      expect(await response.json(), name).toEqual({ error: expect.stringMatching(/token/) });
    }
  });
});

test.each<[status: number, what: string, query: string, init: RequestInit]>([
  [400, "a campaign without its team", "?campaign_id=clean-water", {}],
  [405, "another method", "?team_id=riverside", { method: "POST" }],
  [204, "OPTIONS, as a browser of another origin asks", "", { method: "OPTIONS" }],
])("%i for %s, without caching", async (status, _what, query, init) => {
  const response = await get(query, token, init);
  expect([response.status, response.headers.get("cache-control")]).toEqual([status, "no-store"]);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
});
