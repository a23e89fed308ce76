import { globSync, readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { startRedis } from "../../harness/redis-server.ts";

test("pins images and actions by digest, so that no one can change what a tag means", () => {
  const lines = globSync(["Dockerfile", "compose.yaml", ".github/workflows/*.yml"]).flatMap((path) =>
    readFileSync(path, "utf8").split("\n"),
  );
  const named = lines.flatMap((line) => /^(?:FROM|\s*image:|\s*- uses:) (\S+)/.exec(line)?.[1] ?? []);
  expect(named.length).toBeGreaterThanOrEqual(5);
  for (const name of named) expect(name).toMatch(/^\S+@(sha256:[0-9a-f]{64}|[0-9a-f]{40})$/);
});

test("requires Signet's password at the Redis of compose.yaml, and limits its memory", async () => {
  const compose = readFileSync("compose.yaml", "utf8").replaceAll(/\$\{REDIS_PASSWORD:\?[^}]+\}/g, "abc123");
  const [, settings = ""] = /command: redis-server (.+)/.exec(compose) ?? [];
  const [, url = ""] = /REDIS_URL: (\S+)/.exec(compose) ?? [];
  const server = await startRedis({ settings: settings.split(" ") });
  const outsider = new Redis(server.url, { retryStrategy: () => null });
  const signet = new Redis(url.replace("redis:6379", `127.0.0.1:${server.port}`), { retryStrategy: () => null });
  try {
    await expect(outsider.get("x")).rejects.toThrow("NOAUTH");
    expect(await signet.config("GET", "maxmemory")).toEqual(["maxmemory", String(2 ** 30)]);
    expect(await signet.config("GET", "maxmemory-policy")).toEqual(["maxmemory-policy", "noeviction"]);
  } finally {
    outsider.disconnect();
    signet.disconnect();
    await server.close();
  }
});
