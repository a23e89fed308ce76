import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { POST as batch } from "../../../app/api/duplicate/batch/route.ts";
import { POST as duplicate } from "../../../app/api/duplicate/route.ts";
import { startRedis } from "../../../harness/redis-server.ts";
import { readEpoch } from "../../../lib/permissions/read-epoch.ts";
import { withRedis } from "../../../lib/redis.ts";
import { addSigner, removeSigner } from "../../../lib/signers/signers.ts";
import { startRedisProxy } from "../../support/redis-proxy.ts";

const session = { userId: crypto.randomUUID(), email: "clerk@demo.test", accessToken: "session-token" };
const campaigns = [{ id: "clean-water" }, { id: "open-parks" }];
vi.mock("../../../lib/auth/get-session.ts", () => ({ getSession: async () => session }));
// The guard reads the user's epoch, and decides without the cache while Redis is unreachable.
vi.mock("../../../lib/permissions/list-places.ts", () => ({
  listPlaces: async () => {
    await readEpoch(session.userId);
    return [{ campaigns }];
  },
}));
// There is no database: all other calls fail.
const rebuild = vi.hoisted(() => vi.fn());
vi.mock("../../../lib/supabase/admin.ts", () => ({
  createAdminClient: () => ({
    rpc: async (name: string, args: unknown) => {
      if (name !== "request_signer_rebuilds") return { data: null, error: new Error("There is no database.") };
      rebuild(args);
      return { data: {}, error: null };
    },
  }),
}));
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({ routePermissions: async () => ({}) }));

let server: Awaited<ReturnType<typeof startRedis>>;
let proxy: Awaited<ReturnType<typeof startRedisProxy>>;
let control: Redis;
const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);

beforeAll(async () => {
  server = await startRedis();
  proxy = await startRedisProxy(server.port);
  control = connectControl();
  vi.stubEnv("REDIS_URL", proxy.url);
}, 30_000);
afterAll(async () => {
  control?.disconnect();
  proxy?.close();
  await server?.close();
});

function connectControl() {
  const client = new Redis(server.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on("error", () => undefined);
  return client;
}

const signers = "campaign:clean-water:signers";
beforeEach(async () => {
  await control.flushall();
  await control.sadd(signers, "v1");
  await vi.waitFor(async () => expect((await checkVoter()).status).toBe(200), { timeout: 2_000, interval: 20 });
});
afterEach(() => logged.mockClear());

type Answer = { status: number; body: unknown; retryAfterSeconds: string | null; took: number };
async function post(handler: (request: Request) => Promise<Response>, body: unknown): Promise<Answer> {
  const request = new Request("http://signet.test/api/duplicate", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const beganAt = performance.now();
  const response = await handler(request);
  const result = { status: response.status, body: await response.json() };
  return { ...result, retryAfterSeconds: response.headers.get("retry-after"), took: performance.now() - beganAt };
}
const checkVoter = (campaignId = "clean-water") => post(duplicate, { campaignId, voterId: "v1" });
const checkVoters = () => post(batch, { campaignId: "clean-water", voterIds: ["v1", "v2"] });

const inTime = { took: expect.toSatisfy((took: number) => took < 500) };
const unreachable = {
  status: 503,
  body: { error: "Part of Signet is down. Try again in a moment." },
  retryAfterSeconds: "1",
  ...inTime,
};
const failed = {
  status: 500,
  body: { error: "Something went wrong on our side. Try again in a moment." },
  retryAfterSeconds: null,
  ...inTime,
};
const isMember = { status: 200, body: { exists: true }, retryAfterSeconds: null, ...inTime };
const isNone = { status: 200, body: { exists: false }, retryAfterSeconds: null, ...inTime };

type Fault = { name: string; cause: () => unknown; heal: () => unknown };
const faults: Fault[] = [
  {
    name: "killed, and started again",
    cause: () => server.stop(),
    heal: async () => {
      await server.restart();
      await control.sadd(signers, "v1");
    },
  },
  { name: "frozen", cause: () => server.freeze(), heal: () => server.thaw() },
  {
    name: "slow",
    cause: () => {
      proxy.delayMs = 1_000;
    },
    heal: () => {
      proxy.delayMs = 0;
    },
  },
  { name: "silent", cause: () => proxy.setMode("silent"), heal: () => proxy.setMode("pass") },
  { name: "resetting connections", cause: () => proxy.setMode("reset"), heal: () => proxy.setMode("pass") },
  { name: "closing connections", cause: () => proxy.setMode("close"), heal: () => proxy.setMode("pass") },
  {
    name: "out of connections",
    cause: async () => {
      await control.config("SET", "maxclients", "1");
      await control.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    },
    heal: () => control.config("SET", "maxclients", "1000"),
  },
  {
    name: "asking for a password",
    cause: async () => {
      await control.config("SET", "requirepass", "other");
      await control.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    },
    heal: () => control.config("SET", "requirepass", ""),
  },
  {
    name: "busy with a script",
    cause: async () => {
      await control.config("SET", "lua-time-limit", "20");
      const busy = connectControl();
      busy.eval("while true do end", 0).catch(() => busy.disconnect());
      await vi.waitFor(() => expect(control.ping()).rejects.toThrow(/BUSY/));
    },
    heal: () => control.script("KILL"),
  },
  {
    name: "a replica that has lost its master and says so",
    cause: async () => {
      await control.config("SET", "replica-serve-stale-data", "no");
      await control.replicaof("127.0.0.1", "1");
    },
    heal: async () => {
      await control.replicaof("NO", "ONE");
      await control.config("SET", "replica-serve-stale-data", "yes");
    },
  },
];

describe.each(faults)("Redis $name", ({ cause, heal }) => {
  test("the answer is 503 within 500 ms, also for many at once, and correct again within 2 s", async () => {
    await cause();
    try {
      expect(await checkVoter()).toEqual(unreachable);
      expect(await checkVoters()).toEqual(unreachable);
      const many = await Promise.all(Array.from({ length: 50 }, () => checkVoter()));
      for (const result of many) expect(result).toEqual(unreachable);
      await wait(600); // attempts to connect come and go
      expect(await checkVoter()).toEqual(unreachable);
      await expect(addSigner({ campaignId: "clean-water", voterId: "v2", changeNumber: 1 })).rejects.toMatchObject({
        code: "unavailable",
      });
    } finally {
      await heal();
    }
    await vi.waitFor(async () => expect(await checkVoter()).toEqual(isMember), { timeout: 2_000, interval: 10 });
    expect(await checkVoters()).toMatchObject({ status: 200, body: { exists: { v1: true, v2: false } } });
    expect(await addSigner({ campaignId: "clean-water", voterId: "v2", changeNumber: 2 })).toBe("added");
  });

  test("a first burst is answered within 500 ms, and leaves no connection behind", async () => {
    await cause();
    try {
      const many = await Promise.all(Array.from({ length: 50 }, () => checkVoter()));
      for (const result of many) expect(result).toEqual(unreachable);
    } finally {
      await heal();
    }
    await vi.waitFor(async () => expect(await checkVoter()).toEqual(isMember), { timeout: 2_000, interval: 10 });
    await vi.waitFor(() => expect(proxy.openCount()).toBe(1), { timeout: 3_000 });
  });
});

test("a wrong type is 503 for that campaign and requests a rebuild, and other campaigns work as before", async () => {
  await control.set("campaign:open-parks:signers", "no set");
  for (const handler of [duplicate, batch]) {
    const body = { campaignId: "open-parks", voterId: "v1", voterIds: ["v1"] };
    expect(await post(handler, body)).toMatchObject({ status: 503, retryAfterSeconds: "5" });
    expect(await checkVoter()).toEqual(isMember);
  }
  const change = { campaignId: "open-parks", voterId: "v1", changeNumber: 1 };
  await expect(addSigner(change)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
  expect(rebuild.mock.calls).toEqual([[{ p_campaign_ids: ["open-parks"] }]]);
  await control.del("campaign:open-parks:signers");
  expect(await checkVoter("open-parks")).toEqual(isNone);
});

test("a command that the Redis user can't run is 500", async () => {
  await control.call("ACL", "SETUSER", "default", "-smismember");
  try {
    expect(await checkVoters()).toEqual(failed);
    expect(await checkVoter()).toEqual(isMember);
  } finally {
    await control.call("ACL", "SETUSER", "default", "+@all");
  }
});

test("out of memory, members are still found, and adding works again with more memory", async () => {
  const change = { campaignId: "clean-water", voterId: "v2", changeNumber: 1 };
  await control.config("SET", "maxmemory-policy", "noeviction");
  await control.config("SET", "maxmemory", "1");
  try {
    expect(await checkVoter()).toEqual(isMember);
    await expect(addSigner(change)).rejects.toThrow(/OOM/);
    expect(await checkVoter()).toEqual(isMember);
    expect(await removeSigner({ campaignId: "clean-water", voterId: "v1", changeNumber: 1 })).toBe("removed");
    expect(await checkVoter()).toEqual(isNone);
  } finally {
    await control.config("SET", "maxmemory", "0");
  }
  expect(await addSigner(change)).toBe("added");
});

test("read-only, members are still found while writing fails, and writing works again on a master", async () => {
  const change = { campaignId: "clean-water", voterId: "v2", changeNumber: 1 };
  await control.replicaof("127.0.0.1", "1");
  try {
    for (let again = 0; again < 3; again++) {
      await expect(addSigner(change)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
      expect(await checkVoter()).toEqual(isMember);
    }
  } finally {
    await control.replicaof("NO", "ONE");
  }
  expect(await addSigner(change)).toBe("added");
});

test("flushed, no one is a member", async () => {
  await control.flushall();
  expect(await checkVoter()).toEqual(isNone);
});

test("restarted or disconnected while idle, the first request is answered", async () => {
  await server.restart();
  await control.sadd(signers, "v1");
  await vi.waitFor(() => expect(proxy.openCount()).toBe(0));
  expect(await checkVoter()).toEqual(isMember);
  await control.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  await vi.waitFor(() => expect(proxy.openCount()).toBe(0));
  expect(await checkVoter()).toEqual(isMember);
});

test("a busy process doesn't report its own delay as a Redis that hangs", async () => {
  const beBusy = () => {
    const endsAt = performance.now() + 600;
    while (performance.now() < endsAt);
  };
  const ping = () => withRedis((redis) => redis.ping());
  const connected = ping();
  beBusy();
  expect(await connected).toBe("PONG");

  await control.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  await vi.waitFor(() => expect(proxy.openCount()).toBe(0));
  const connecting = ping();
  beBusy();
  expect(await connecting).toBe("PONG");
});

describe("1000 failures leave no connection behind", () => {
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  const fail = async (how: () => Promise<unknown>, pause: number) => {
    for (let count = 0; count < 1_000; count++) {
      await expect(how()).rejects.toThrow();
      if (pause > 0 && count % 100 === 0) await wait(pause);
    }
  };
  const change = { campaignId: "clean-water", voterId: "v2", changeNumber: 1 };
  const ping = () => withRedis((redis) => redis.ping());

  test.each<[string, () => unknown, () => Promise<unknown>, number, () => unknown]>([
    ["killed", () => server.stop(), ping, 150, () => server.restart()],
    ["frozen", () => server.freeze(), ping, 150, () => server.thaw()],
    ["resetting", () => proxy.setMode("reset"), ping, 150, () => proxy.setMode("pass")],
    [
      "read-only, each of them over a new connection",
      () => control.replicaof("127.0.0.1", "1"),
      () => addSigner(change),
      0,
      () => control.replicaof("NO", "ONE"),
    ],
    [
      "of a wrong type, all of them over one connection",
      () => control.multi().del(signers).set(signers, "no set").exec(),
      () => addSigner(change),
      0,
      () => control.del(signers),
    ],
  ])(
    "%s",
    async (_name, cause, how, pause, heal) => {
      const before = { sockets: sockets(), proxied: proxy.openCount() };
      await cause();
      try {
        await fail(how, pause);
      } finally {
        await heal();
      }
      await vi.waitFor(async () => expect((await checkVoter()).status).toBe(200), { timeout: 2_000, interval: 10 });
      await vi.waitFor(
        async () => {
          expect(proxy.openCount()).toBe(1);
          expect({ sockets: sockets(), proxied: proxy.openCount() }).toEqual(before);
          // The count of the server: this connection and that of the application.
          expect(
            String(await control.call("CLIENT", "LIST", "TYPE", "normal"))
              .trim()
              .split("\n"),
          ).toHaveLength(2);
        },
        { timeout: 5_000 },
      );
    },
    30_000,
  );
});
