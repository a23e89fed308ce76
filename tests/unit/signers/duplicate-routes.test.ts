import { beforeEach, describe, expect, test, vi } from "vitest";
import { POST as batch } from "../../../app/api/duplicate/batch/route.ts";
import { POST as duplicate } from "../../../app/api/duplicate/route.ts";
import { AppError } from "../../../lib/errors.ts";
import { postJson, readJson } from "../../support/post-json.ts";
import { setUpRedis } from "../../support/redis.ts";

const state = vi.hoisted(() => ({
  session: async (): Promise<{ userId: string; email: string; accessToken: string } | null> => null,
  places: async (): Promise<{ campaigns: { id: string }[] }[]> => [],
  rpc: vi.fn(),
}));
vi.mock("../../../lib/supabase/admin.ts", () => ({ createAdminClient: () => ({ rpc: state.rpc }) }));
vi.mock("../../../lib/auth/get-session.ts", () => ({ getSession: () => state.session() }));
vi.mock("../../../lib/permissions/list-places.ts", () => ({ listPlaces: () => state.places() }));
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({ routePermissions: async () => ({}) }));

vi.spyOn(console, "error").mockImplementation(() => undefined);
const { server, redis } = await setUpRedis();
process.env.REDIS_URL = server.url;

const campaignId = "clean-water";
const set = "campaign:clean-water:signers";
beforeEach(async () => {
  await redis.flushall();
  await redis.sadd(set, "v1", "v2");
  const session = { userId: crypto.randomUUID(), email: "clerk@demo.test", accessToken: "session-token" };
  state.session = async () => session;
  state.places = async () => [
    { campaigns: [{ id: "safe-streets" }] },
    { campaigns: [{ id: campaignId }, { id: "open-parks" }] },
  ];
});

type Handler = (request: Request) => Promise<Response>;
const exists = async (handler: Handler, body: unknown) => {
  const response = await postJson(handler, body);
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  return (await response.json()).exists;
};

test("answers whether the voter is in the campaign's set", async () => {
  await redis.sadd("campaign:open-parks:signers", "v3");
  expect(await exists(duplicate, { campaignId, voterId: "v1" })).toBe(true);
  expect(await exists(duplicate, { campaignId, voterId: "v3" })).toBe(false);
  expect(await exists(duplicate, { campaignId: "open-parks", voterId: "v3" })).toBe(true);
  expect(await exists(duplicate, { campaignId: "safe-streets", voterId: "v1" })).toBe(false);
  await redis.srem(set, "v1");
  expect(await exists(duplicate, { campaignId, voterId: "v1" })).toBe(false);
});

test("answers for each of many voters, even with names of object properties", async () => {
  const voterIds = ["v2", "v3", "v1", "v2"];
  expect(await exists(batch, { campaignId, voterIds })).toEqual({ v1: true, v2: true, v3: false });
  await redis.sadd(set, "__proto__", "toString");
  const response = await postJson(batch, { campaignId, voterIds: ["__proto__", "constructor", "toString"] });
  expect(await response.text()).toBe('{"exists":{"__proto__":true,"constructor":false,"toString":true}}');
});

test("reads 500 voters with one Redis command, and refuses 501", async () => {
  const voterIds = Array.from({ length: 500 }, (_, number) => `${String(number).padStart(3, "0")}${"x".repeat(61)}`);
  await redis.sadd(set, ...voterIds.filter((_, number) => number % 3 === 0));
  await redis.config("RESETSTAT");
  expect(await exists(batch, { campaignId, voterIds })).toEqual(
    Object.fromEntries(voterIds.map((voterId, number) => [voterId, number % 3 === 0])),
  );
  expect(await redis.info("commandstats")).toMatch(/cmdstat_smismember:calls=1,/);
  const error = "voterIds must contain at most 500 voter ids.";
  expect(await readJson(await postJson(batch, { campaignId, voterIds: [...voterIds, "v1"] }))).toEqual({
    status: 400,
    body: { error },
  });
});

const expectRefusal = async (response: Promise<Response>, status: number, error: string) => {
  await redis.config("RESETSTAT");
  expect(await readJson(await response)).toEqual({ status, body: { error } });
  expect(await redis.info("commandstats")).not.toMatch(/ismember/);
};

describe.each<[string, Handler, object]>([
  ["/api/duplicate", duplicate, { campaignId, voterId: "v1" }],
  ["/api/duplicate/batch", batch, { campaignId, voterIds: ["v1"] }],
])("%s", (path, handler, body) => {
  test("returns 403 for a campaign that the user can't open or that doesn't exist, without asking Redis", async () => {
    const error = "You don't have access to this campaign. Ask an administrator of its team.";
    state.places = async () => [{ campaigns: [{ id: "clean-water-2" }, { id: "Clean-water" }] }, { campaigns: [] }];
    await expectRefusal(postJson(handler, body), 403, error);
    state.places = async () => [];
    await expectRefusal(postJson(handler, body), 403, error);
  });

  test.each([
    ["could not be read", new AppError("unavailable", "Couldn't load the data. Try again in a moment."), undefined],
    ["was answered nonsense", new Error("no places"), "Something went wrong on our side. Try again in a moment."],
  ])("returns 500, never a no, when access %s: 503 is for the store (contract 4.4)", async (_how, failure, error) => {
    state.places = () => Promise.reject(failure);
    const response = await postJson(handler, body);
    expect([response.headers.get("retry-after"), response.headers.get("cache-control")]).toEqual([null, "no-store"]);
    await expectRefusal(postJson(handler, body), 500, error ?? failure.message);
  });

  test("returns 503 without the store, to be asked again after a second", async () => {
    await server.stop();
    try {
      const response = await postJson(handler, body);
      expect(response.headers.get("retry-after")).toBe("1");
      expect(await readJson(response)).toEqual({
        status: 503,
        body: { error: "Part of Signet is down. Try again in a moment." },
      });
    } finally {
      await server.restart();
      await vi.waitFor(async () => expect((await postJson(handler, body)).status).toBe(200), { timeout: 3_000 });
    }
  });

  test.each([
    ["requested once", async () => ({ data: {}, error: null }), 1],
    ["requested again after a failure", async () => ({ data: null, error: new Error("unreachable") }), 2],
    ["not waited for", () => new Promise(() => undefined), 1],
  ])("returns 503 for another type of key in place of the set, and a rebuild is %s", async (how, answer, times) => {
    const other = `${how.replaceAll(" ", "-")}-${path.length}`;
    state.places = async () => [{ campaigns: [{ id: other }] }];
    state.rpc.mockReset().mockImplementation(answer);
    await redis.set(`campaign:${other}:signers`, "no set");
    for (let turn = 0; turn < 2; turn++) {
      const response = await postJson(handler, { ...body, campaignId: other });
      expect(response.headers.get("retry-after")).toBe("5");
      const error = "The duplicate check is being rebuilt. Try again in a few seconds.";
      expect(await readJson(response)).toEqual({ status: 503, body: { error } });
    }
    expect(state.rpc.mock.calls).toEqual(Array(times).fill(["request_signer_rebuilds", { p_campaign_ids: [other] }]));
  });

  test("checks the session before the body, and the body before access", async () => {
    state.places = async () => [];
    expect((await postJson(handler, "{")).status).toBe(400);
    state.session = async () => null;
    expect((await postJson(handler, "{")).status).toBe(401);
  });
});

const visible = "must be 1 to 64 letters, digits or symbols, without spaces or accents.";
test.each<[string, Handler, object, string]>([
  ["no campaign", duplicate, { voterId: "v1" }, "campaignId must be text."],
  ["a name of a page", duplicate, { campaignId: "no-access", voterId: "v1" }, "campaignId is the name of a page."],
  ["a list instead of a text", duplicate, { campaignId, voterId: ["v1"] }, "voterId must be text."],
  ["two words", duplicate, { campaignId, voterId: "v 1" }, `voterId ${visible}`],
  ["two words in a batch", batch, { campaignId, voterIds: ["v1", "v 1"] }, `voterIds.1 ${visible}`],
  ["no list", batch, { campaignId, voterIds: "v1" }, "voterIds must be a list of voter ids."],
  ["an empty list", batch, { campaignId, voterIds: [] }, "voterIds must contain at least one voter id."],
])("returns 400 for %s, names the field, and doesn't ask Redis", async (_name, handler, body, error) => {
  await expectRefusal(postJson(handler, body), 400, error);
});
