// The edge functions on a Supabase that accepts connections and never answers.
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listenNear } from "../../../scripts/local-stack/ports.ts";
import { passwordDigest, searchClaims, searchToken } from "../../support/search-token.ts";
import { startFunctions } from "../../support/start-functions.ts";

test("functions that people wait for answer 500 within 5 s", async () => {
  const silent = createServer(() => undefined);
  const secretKey = "sb_secret_x";
  const account = "search@people.test";
  const functions = await startFunctions({
    REDIS_URL: "redis://127.0.0.1:1",
    SUPABASE_URL: `http://127.0.0.1:${await listenNear(silent)}`,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: "sb_publishable_x" }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    SEARCH_BACKEND_EMAIL: account,
    SEARCH_BACKEND_PASSWORD_SHA256: passwordDigest("secret"),
  });
  onTestFinished(() => {
    functions.stop();
    silent.close();
  });
  const sendRequest = async (path: string, init: RequestInit) => {
    const response = await fetch(`${functions.url}/${path}`, { ...init, signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return { path, status: response.status };
  };
  await sendRequest("get-permissions-snapshot", {}); // to load it
  const withToken = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
  const json = (body: object) => ({ method: "POST", body: JSON.stringify(body) });
  const requests: [path: string, init: RequestInit][] = [
    ["get-permissions-snapshot", withToken("a.b.c")],
    ["search-backend/auth/login", json({ email: account, password: "secret", mode: "json" })],
    [
      "search-backend/essearch/validation",
      { ...json({ lastName: "Li" }), ...withToken(await searchToken(searchClaims(account), secretKey)) },
    ],
  ];
  const answers = await Promise.all(requests.map(([path, init]) => sendRequest(path, init)));
  expect(answers).toEqual(requests.map(([path]) => ({ path, status: 500 })));
});
