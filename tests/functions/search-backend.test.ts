import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { publishableKey, setting, signInOverApi, supabaseUrl } from "../support/demo.ts";

const address = setting("SEARCHSVC_URL_SEARCH");
const account = {
  email: setting("SEARCHSVC_API_EMAIL_SEARCH"),
  password: setting("SEARCHSVC_API_PASSWORD_SEARCH"),
};

const post = (path: string, body: unknown, token?: string, headers: Record<string, string> = {}) =>
  fetch(address + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  });

const loginSchema = z.strictObject({
  data: z.strictObject({ access_token: z.string(), refresh_token: z.string(), expires: z.number() }),
});
const foundSchema = z.strictObject({
  hits: z.strictObject({
    total: z.strictObject({ value: z.number(), relation: z.enum(["eq", "gte"]) }),
    hits: z.array(z.strictObject({ _id: z.string(), _source: z.record(z.string(), z.string()) })),
  }),
});

async function logIn() {
  const response = await post("/auth/login", { ...account, mode: "json" });
  expect(response.status).toBe(200);
  return loginSchema.parse(await response.json()).data;
}

async function find(params: Record<string, unknown>) {
  const response = await post("/essearch/validation", params, token);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const { hits } = foundSchema.parse(await response.json());
  return { total: hits.total, voters: hits.hits.map(({ _source }) => _source), ids: hits.hits.map(({ _id }) => _id) };
}

async function refusal(response: Response) {
  expect(response.headers.get("cache-control")).toBe("no-store");
  const { errors } = z
    .strictObject({
      errors: z.tuple([z.strictObject({ message: z.string(), extensions: z.strictObject({ code: z.string() }) })]),
    })
    .parse(await response.json());
  return { status: response.status, code: errors[0].extensions.code, message: errors[0].message };
}

let token: string;
beforeAll(async () => {
  token = (await logIn()).access_token;
});

describe("the login", () => {
  test("answers as Directus does, and what it gives opens the search", async () => {
    const { access_token, expires } = await logIn();
    expect(expires).toBe(3_600_000);
    expect((await post("/essearch/validation", {}, access_token)).status).toBe(200);
  });

  test.each([
    ["a wrong password", { ...account, password: "wrong-password-1", mode: "json" }],
    ["an unknown address", { email: "nobody@demo.test", password: account.password, mode: "json" }],
    ["somebody else with her own password", { email: "admin@demo.test", password: "demo-password-1", mode: "json" }],
  ])("refuses %s", async (_what, body) => {
    expect(await refusal(await post("/auth/login", body))).toEqual({
      status: 401,
      code: "INVALID_CREDENTIALS",
      message: "Invalid user credentials.",
    });
  });
});

describe("the search", () => {
  test("finds by the beginning of names, whatever the case and diacritics", async () => {
    const { total, voters, ids } = await find({ lastName: "NUN", querySize: 100 });
    expect(total).toEqual({ value: voters.length, relation: "eq" });
    expect(voters.length).toBeGreaterThan(5);
    expect(new Set(voters.map(({ lastName }) => lastName))).toEqual(new Set(["Núñez"]));
    expect(voters.map(({ voterId }) => voterId)).toEqual(ids);
  });

  test("shows by what namesakes are told apart", async () => {
    const { voters } = await find({ firstName: "maria", lastName: "garcia", county: "king", querySize: 100 });
    expect(voters.length).toBeGreaterThan(3);
    for (const voter of voters) {
      expect(voter).toMatchObject({ firstName: "María", lastName: "García", county: "King" });
      expect(voter).toEqual(
        expect.objectContaining({ city: expect.any(String), zip: expect.stringMatching(/^9\d{4}$/) }),
      );
    }
    expect(new Set(voters.map(({ houseNumber, street }) => `${houseNumber} ${street}`)).size).toBeGreaterThan(3);
  });

  test("counts 20 000 voters as far as it counts, and pages to the end of that", async () => {
    expect(await find({ queryFrom: 9_900, querySize: 100 })).toMatchObject({
      total: { value: 10_000, relation: "gte" },
      voters: { length: 100 },
    });
  });

  test.each([
    [{ order: "height" }, /^order must be/],
    [{ queryFrom: 9_990, querySize: 25 }, /^queryFrom must be/],
    [{ querySize: 101 }, /^querySize must be/],
    [{ zip: 98030 }, /^zip must be/],
    [{ lastName: "a\0b" }, /^lastName must be/],
  ])("refuses %j and names the field", async (params, message) => {
    expect(await refusal(await post("/essearch/validation", params, token))).toEqual({
      status: 400,
      code: "INVALID_PAYLOAD",
      message: expect.stringMatching(message),
    });
  });
});

describe("who may search", () => {
  const secret = z
    .object({ jwtSecret: z.string() })
    .parse(JSON.parse(readFileSync(join(inject("signet").folder, "keys.json"), "utf8"))).jwtSecret;
  const resigned = (change: Record<string, unknown>, key: string) => {
    const [header = "", payload = ""] = token.split(".");
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, "base64url").toString());
    const content = `${header}.${Buffer.from(JSON.stringify({ ...claims, ...change })).toString("base64url")}`;
    return `${content}.${createHmac("sha256", key).update(content).digest("base64url")}`;
  };
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600;

  test.each([
    ["no token", () => undefined],
    ["nonsense", () => "nonsense"],
    ["the publishable key", () => publishableKey],
    ["the secret key", () => setting("SUPABASE_SECRET_KEY")],
    ["an expired token", () => resigned({ exp: hourAgo, iat: hourAgo - 60 }, secret)],
    ["a token that another key signed", () => resigned({}, "another key")],
  ])("%s is 401", async (_what, given) => {
    const response = await post("/essearch/validation", { lastName: "smi" }, given(), { apikey: publishableKey });
    expect(await refusal(response)).toMatchObject({
      status: 401,
      code: expect.stringMatching(/^(INVALID_TOKEN|TOKEN_EXPIRED)$/),
    });
  });

  test.each(["admin@demo.test", "canvasser@demo.test", "outsider@demo.test"])(
    "%s is 403 with her own valid token",
    async (email) => {
      const person = await signInOverApi(email);
      const response = await post("/essearch/validation", { lastName: "smi" }, person.token);
      expect(await refusal(response)).toMatchObject({ status: 403, code: "FORBIDDEN" });
    },
  );

  test("the account itself reads nothing over REST, and is in no team", async () => {
    const headers = { apikey: publishableKey, authorization: `Bearer ${token}` };
    const rest = (path: string, init: RequestInit = {}) =>
      fetch(`${supabaseUrl}/rest/v1/${path}`, { ...init, headers: { ...headers, ...init.headers } });
    expect((await rest("voters?select=*", { headers: { "accept-profile": "voterfile" } })).status).toBe(406);
    const call = { method: "POST", headers: { "content-type": "application/json" }, body: '{"p_params":{}}' };
    expect((await rest("rpc/search_voters", call)).status).toBe(403);
    expect(await (await rest("teams?select=id")).json()).toEqual([]);
  });
});

test.each([
  ["GET", "/auth/login", 405],
  ["GET", "/essearch/validation", 405],
  ["OPTIONS", "/essearch/validation", 405],
  ["POST", "/essearch", 404],
  ["POST", "/", 404],
])("%s %s is %i", async (method, path, status) => {
  const response = await fetch(address + path, { method, headers: { authorization: `Bearer ${token}` } });
  expect((await refusal(response)).status).toBe(status);
});

test("a body over 64 KiB is 413", async () => {
  const response = await post("/auth/login", { ...account, mode: "json", more: "x".repeat(65_536) });
  expect(await refusal(response)).toMatchObject({ status: 413, code: "CONTENT_TOO_LARGE" });
});
