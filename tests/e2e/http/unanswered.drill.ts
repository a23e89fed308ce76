// The edge functions on a Supabase that takes connections and answers nothing.
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { passwordDigest, searchClaims, searchToken } from "../../support/search-token.ts";
import { startFunctions } from "../../support/start-functions.ts";

test("the functions that somebody waits for answer 500 before she has given up", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  const secretKey = "sb_secret_x";
  const account = "search@people.test";
  const functions = await startFunctions({
    REDIS_URL: "redis://127.0.0.1:1",
    SUPABASE_URL: `http://127.0.0.1:${address.port}`,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: "sb_publishable_x" }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    SEARCH_BACKEND_EMAIL: account,
    SEARCH_BACKEND_PASSWORD_SHA256: passwordDigest("secret"),
  });
  onTestFinished(() => {
    functions.stop();
    silent.close();
  });
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(`${functions.url}/${path}`, { ...init, signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return { path, status: response.status };
  };
  await ask("get-permissions-snapshot", {}); // so that it is loaded
  const withToken = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
  const json = (body: object) => ({ method: "POST", body: JSON.stringify(body) });
  const asked: [path: string, init: RequestInit][] = [
    ["get-permissions-snapshot", withToken("a.b.c")],
    ["search-backend/auth/login", json({ email: account, password: "secret", mode: "json" })],
    [
      "search-backend/essearch/validation",
      { ...json({ lastName: "Li" }), ...withToken(await searchToken(searchClaims(account), secretKey)) },
    ],
  ];
  const answers = await Promise.all(asked.map(([path, init]) => ask(path, init)));
  expect(answers).toEqual(asked.map(([path]) => ({ path, status: 500 })));
});
