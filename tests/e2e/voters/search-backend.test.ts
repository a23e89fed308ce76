import { createServer } from "node:http";
import { decodeJwt, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { startRedis } from "../../../harness/redis-server.ts";
import { jwtSecretOf } from "../../../harness/session.ts";
import { listenNear } from "../../../scripts/local-stack/ports.ts";
import { env, folder, publishableKey, setting, signInOverApi, supabaseUrl } from "../../support/demo.ts";
import { connectToRedis } from "../../support/epochs.ts";
import { passwordDigest, searchClaims, searchToken } from "../../support/search-token.ts";
import { functionSettings, startFunctions } from "../../support/start-functions.ts";

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
  data: z.strictObject({ access_token: z.string(), expires: z.number() }),
});
const foundSchema = z.strictObject({
  hits: z.strictObject({
    total: z.strictObject({ value: z.number(), relation: z.enum(["eq", "gte"]) }),
    hits: z.array(
      z.strictObject({ _id: z.string(), _source: z.record(z.string(), z.union([z.string(), z.number()])) }),
    ),
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
  test("answers as Directus does, with a token for the search", async () => {
    const { access_token, expires } = await logIn();
    expect(expires).toBe(300_000);
    const { iat = 0, exp = 0, jti, ...claims } = decodeJwt(access_token);
    expect({ life: exp - iat, jti, claims }).toEqual({
      life: 300,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      claims: {
        iss: "search-backend",
        aud: "essearch/validation",
        sub: searchClaims(account.email).sub,
      },
    });
    expect((await post("/essearch/validation", {}, access_token)).status).toBe(200);
  });
});

describe("the search", () => {
  test("finds and counts voters of the demo, up to 10,000, and pages to that end", async () => {
    const { total, voters, ids } = await find({ lastName: "NUN", querySize: 100 });
    expect(total).toEqual({ value: voters.length, relation: "eq" });
    expect(voters.map(({ lastName }) => lastName)).toEqual(expect.arrayContaining(["Núñez", "Nunez"]));
    expect(voters.map(({ voterId }) => voterId)).toEqual(ids);
    expect(await find({ queryFrom: 9_900, querySize: 100 })).toMatchObject({
      total: { value: 10_000, relation: "gte" },
      voters: { length: 100 },
    });
  });
});

describe("the token", () => {
  const secretKey = setting("SUPABASE_SECRET_KEY");
  const claims = (change: Record<string, unknown> = {}) => ({ ...searchClaims(account.email), ...change });
  const signed = (change: Record<string, unknown>) => searchToken(claims(change), secretKey);
  const hs256 = (key: string) =>
    new SignJWT(claims()).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(key));
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
  const ofAuth = async (email: string, password?: string) => (await signInOverApi(email, password)).token;

  test("is accepted if it is signed like those below", async () => {
    expect((await post("/essearch/validation", {}, await signed({}))).status).toBe(200);
  });

  test.each<[string, () => string | undefined | Promise<string>]>([
    ["no token", () => undefined],
    ["nonsense", () => "nonsense"],
    ["nonsense in three parts", () => "a.b.c"],
    ["the publishable key", () => publishableKey],
    ["the secret key", () => secretKey],
    ["an expired token", () => signed({ exp: hourAgo, iat: hourAgo - 60 })],
    ["a token that never expires", () => signed({ exp: undefined })],
    ["a token without an id", () => signed({ jti: undefined })],
    ["a token of another account", () => signed({ sub: searchClaims("admin@demo.test").sub })],
    ["a token without an account", () => signed({ sub: undefined })],
    ["a token for something else", () => signed({ aud: "authenticated" })],
    ["a token of another issuer", () => signed({ iss: `${supabaseUrl}/auth/v1` })],
    ["a token that another project signed", () => searchToken(claims(), "sb_secret_other")],
    ["a token that the secret key itself signed", () => hs256(secretKey)],
    ["a token that Auth's key signed", () => hs256(jwtSecretOf(folder))],
    ["an unsigned token", () => new UnsecuredJWT(claims()).encode()],
    ["the account's own token of Auth", () => ofAuth(account.email, account.password)],
    ["an administrator's token of Auth", () => ofAuth("admin@demo.test")],
    ["a canvasser's token of Auth", () => ofAuth("canvasser@demo.test")],
    ["an outsider's token of Auth", () => ofAuth("outsider@demo.test")],
  ])("%s is 401", async (_what, given) => {
    const response = await post("/essearch/validation", { lastName: "smi" }, await given(), { apikey: publishableKey });
    expect(await refusal(response)).toMatchObject({
      status: 401,
      code: expect.stringMatching(/^(INVALID_TOKEN|TOKEN_EXPIRED)$/),
    });
  });
});

const redis = connectToRedis();
afterAll(() => redis.disconnect());

describe("limits", () => {
  const tooMany = {
    status: 429,
    code: "REQUESTS_EXCEEDED",
    message: expect.stringMatching(/^Too many requests\. Try again in \d+ seconds\.$/),
  };
  const waited = (response: Response) => Number(response.headers.get("retry-after"));

  test("are 1,200 searches a minute with one token, and 6,000 in total", async () => {
    const { access_token } = await logIn();
    const own = `rate:search-backend:token:${decodeJwt(access_token).jti}`;
    expect((await post("/essearch/validation", { querySize: 0 }, access_token)).status).toBe(400);
    expect([await redis.get(own), (await redis.ttl(own)) > 0]).toEqual(["1", true]);
    await redis.set(own, 1_200, "EX", 30);
    const response = await post("/essearch/validation", {}, access_token);
    expect([waited(response) > 0, waited(response) <= 30]).toEqual([true, true]);
    expect(await refusal(response)).toEqual(tooMany);
    expect((await post("/essearch/validation", {}, token)).status).toBe(200);

    const all = "rate:search-backend:searches";
    await redis.set(own, 60, "EX", 30);
    await redis.set(all, 6_000, "EX", 30);
    try {
      expect(await refusal(await post("/essearch/validation", {}, access_token))).toEqual(tooMany);
      const { access_token: another } = await logIn();
      expect((await post("/essearch/validation", {}, another)).status).toBe(200);
    } finally {
      await redis.del(all);
    }
  });
});

describe("an instance of another account without Redis", () => {
  const secretKey = setting("SUPABASE_SECRET_KEY");
  const email = "other@demo.test";
  const startOther = async (settings: Record<string, string> = {}) => {
    const functions = await startFunctions({
      ...functionSettings(env),
      REDIS_URL: "redis://127.0.0.1:1",
      SEARCH_BACKEND_EMAIL: email,
      SEARCH_BACKEND_PASSWORD_SHA256: passwordDigest(account.password),
      ...settings,
    });
    onTestFinished(functions.stop);
    return (path: string, body: unknown, bearer = "") =>
      fetch(`${functions.url}/search-backend${path}`, {
        method: "POST",
        headers: bearer === "" ? {} : { authorization: `Bearer ${bearer}` },
        body: JSON.stringify(body),
      });
  };

  test("accepts only its own tokens, and counts separately", async () => {
    const send = await startOther();
    const own = await searchToken(searchClaims(email), secretKey);
    expect((await send("/essearch/validation", {}, own)).status).toBe(200);
    expect(await refusal(await send("/essearch/validation", {}, token))).toMatchObject({ status: 401 });

    const statuses: number[] = [];
    for (let failed = 1; failed <= 61; failed++) statuses.push((await send("/auth/login", {})).status);
    expect([new Set(statuses.slice(0, -1)), statuses.at(-1)]).toEqual([new Set([400]), 429]);
  });

  test("waits once for a Redis that hangs", async () => {
    const hanging = await startRedis();
    onTestFinished(() => hanging.close());
    const send = await startOther({ REDIS_URL: hanging.url });
    const own = await searchToken(searchClaims(email), secretKey);
    const timed = async () => {
      const begin = performance.now();
      const { status } = await send("/essearch/validation", {}, own);
      return { status, waited: performance.now() - begin > 1_900 };
    };
    expect(await timed()).toEqual({ status: 200, waited: false });
    hanging.freeze();
    expect(await timed()).toEqual({ status: 200, waited: true });
    expect(await timed()).toEqual({ status: 200, waited: false });
  });

  test("ends the session in which it checked the password", async () => {
    const seen: { path: string; status: number; body: string; authorization: string | undefined }[] = [];
    const auth = createServer(async (request, response) => {
      const headers = new Headers();
      for (const name of ["apikey", "authorization", "content-type"]) {
        const value = request.headers[name];
        if (typeof value === "string") headers.set(name, value);
      }
      const sent = Buffer.concat(await request.toArray());
      const answer = await fetch(`${supabaseUrl}${request.url}`, {
        method: "POST",
        headers,
        ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
      });
      const body = await answer.text();
      seen.push({ path: request.url ?? "", status: answer.status, body, authorization: request.headers.authorization });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
    });
    const port = await listenNear(auth);
    onTestFinished(() => void auth.close());
    const send = await startOther({ SUPABASE_URL: `http://127.0.0.1:${port}`, SEARCH_BACKEND_EMAIL: account.email });
    const response = await send("/auth/login", { ...account, mode: "json" });
    const answered = await response.text();
    expect(response.status).toBe(200);

    expect(seen.map(({ path, status }) => [path, status])).toEqual([
      ["/auth/v1/token?grant_type=password", 200],
      ["/auth/v1/logout?scope=local", 204],
    ]);
    const session = z
      .object({ access_token: z.string(), refresh_token: z.string() })
      .parse(JSON.parse(seen[0]?.body ?? ""));
    expect(seen[1]?.authorization).toBe(`Bearer ${session.access_token}`);
    for (const secret of Object.values(session)) expect(answered).not.toContain(secret);
    const refreshed = await fetch(`${supabaseUrl}/auth/v1/token?grant_type=refresh_token`, {
      method: "POST",
      headers: { apikey: publishableKey, "content-type": "application/json" },
      body: JSON.stringify({ refresh_token: session.refresh_token }),
    });
    expect(refreshed.ok).toBe(false);
  });
});
