import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DrainSteps } from "../../../supabase/functions/_shared/drain-permission-changes.ts";
import { handle } from "../../../supabase/functions/invalidate-permissions/handler.ts";

const secretKeys = ["sb_secret_current", "sb_secret_previous"];
const withKey = { apikey: "sb_secret_current" };

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => void vi.restoreAllMocks());

type Sent = { method?: string; headers?: Record<string, string>; query?: string };

// One call, and the names of the steps that were called. Three notes about two users wait, unless told.
async function call({ method = "POST", headers = withKey, query = "" }: Sent = {}, told: Partial<DrainSteps> = {}) {
  const called: string[] = [];
  const spied =
    <Given, Result>(name: keyof DrainSteps, run: (given: Given) => Promise<Result>) =>
    (given: Given) => {
      called.push(name);
      return run(given);
    };
  const request = new Request(`http://functions/invalidate-permissions${query}`, { method, headers });
  const response = await handle(request, {
    secretKeys,
    steps: {
      readClock: told.readClock ?? (async () => 0),
      readNotes: spied("readNotes", told.readNotes ?? (async () => ({ ids: [7, 8, 9], userIds: ["ann", "ben"] }))),
      renewEpochs: spied("renewEpochs", told.renewEpochs ?? (async () => undefined)),
      deleteNotes: spied("deleteNotes", told.deleteNotes ?? (async () => undefined)),
      markDrained: spied("markDrained", told.markDrained ?? (async () => undefined)),
    },
  });
  const body: unknown = await response.json();
  return {
    called,
    answer: { status: response.status, cacheControl: response.headers.get("cache-control"), body },
    allow: response.headers.get("allow"),
  };
}

const answered = (status: number, body: unknown) => ({ status, cacheControl: "no-store", body });

test.each<[what: string, headers: Record<string, string>]>([
  ["as apikey", withKey],
  ["an older one, as apikey", { apikey: "sb_secret_previous" }],
  ["as bearer token", { authorization: "Bearer sb_secret_current" }],
])("with a secret key %s it answers 200 with how many users there were", async (_, headers) => {
  const { answer, called } = await call({ headers });
  expect(answer).toEqual(answered(200, { users: 2, left: false }));
  expect(called).toEqual(["readNotes", "renewEpochs", "deleteNotes", "markDrained"]);
  expect(vi.mocked(console.log).mock.calls).toEqual([
    [JSON.stringify({ event: "permissions-invalidated", by: "schedule", users: ["ann", "ben"] })],
  ]);
});

test("with nothing to do it answers 200, marks, and prints nothing", async () => {
  const { answer, called } = await call({}, { readNotes: async () => ({ ids: [], userIds: [] }) });
  expect(answer).toEqual(answered(200, { users: 0, left: false }));
  expect(called).toEqual(["readNotes", "markDrained"]);
  expect(console.log).not.toHaveBeenCalled();
});

test("of more notes than one call carries out it says that some are left, and does not mark", async () => {
  const readNotes = async (limit: number) => ({ ids: Array.from({ length: limit }, (_, id) => id), userIds: ["ann"] });
  const { answer, called } = await call({}, { readNotes });
  expect(answer).toEqual(answered(200, { users: 1, left: true }));
  expect(called).toEqual(["readNotes", "renewEpochs", "deleteNotes"]);
});

test.each<[what: string, sent: Sent]>([
  ["no key", { headers: {} }],
  ["an empty key", { headers: { apikey: "" } }],
  ["the publishable key", { headers: { apikey: "sb_publishable_current" } }],
  ["a user's token", { headers: { authorization: "Bearer e.y.J" } }],
  [
    "the publishable key and a user's token",
    { headers: { apikey: "sb_publishable_current", authorization: "Bearer e.y.J" } },
  ],
  ["a wrong secret key", { headers: { apikey: "sb_secret_other" } }],
  ["a wrong secret key as bearer token", { headers: { authorization: "Bearer sb_secret_other" } }],
  ["the key in the address", { headers: {}, query: "?apikey=sb_secret_current" }],
])("with %s it answers 401 and does nothing", async (_, sent) => {
  const { answer, called } = await call(sent);
  expect(answer).toEqual(answered(401, { error: "Send the secret key as `apikey`." }));
  expect(called).toEqual([]);
});

test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])(
  "%s is answered 405, whatever the key, and does nothing",
  async (method) => {
    for (const headers of [withKey, {}]) {
      const { answer, allow, called } = await call({ method, headers });
      expect(answer).toEqual(answered(405, { error: "Use POST." }));
      expect(allow).toBe("POST");
      expect(called).toEqual([]);
    }
  },
);

test.each<[failing: keyof DrainSteps, called: string[]]>([
  ["readNotes", ["readNotes"]],
  ["renewEpochs", ["readNotes", "renewEpochs"]],
  ["deleteNotes", ["readNotes", "renewEpochs", "deleteNotes"]],
  ["markDrained", ["readNotes", "renewEpochs", "deleteNotes", "markDrained"]],
])("when %s fails it answers 503 in general words, logs the cause, and goes no further", async (failing, steps) => {
  const cause = new Error("connect ECONNREFUSED 10.0.0.7:6379");
  const { answer, called } = await call({}, { [failing]: () => Promise.reject(cause) });
  expect(answer).toEqual(
    answered(503, { error: "Permissions could not be invalidated now. What is left is done by the next call." }),
  );
  expect(called).toEqual(steps);
  expect(vi.mocked(console.error).mock.calls).toEqual([["invalidate-permissions failed:", cause]]);
  expect(console.log).not.toHaveBeenCalled();
});
