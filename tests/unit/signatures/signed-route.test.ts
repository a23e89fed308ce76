import { beforeEach, expect, test, vi } from "vitest";
import { POST } from "../../../app/api/signatures/signed/route.ts";

const state = vi.hoisted(() => ({
  session: null as { userId: string } | null,
  snapshot: { campaignAccess: true, permissionKeys: [] as string[] },
  places: [] as unknown[],
  asked: [] as unknown[],
  answer: {} as { data: unknown; error: Error | null },
}));
vi.mock("../../../lib/auth/get-session.ts", () => ({ getSession: async () => state.session }));
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({
  routePermissions: async (_: unknown, place: unknown) => {
    state.places.push(place);
    return state.snapshot;
  },
}));
vi.mock("../../../lib/supabase/admin.ts", () => ({
  createAdminClient: () => ({
    rpc: async (name: string, given: unknown) => {
      state.asked.push({ name, given });
      return state.answer;
    },
  }),
}));
vi.spyOn(console, "error").mockImplementation(() => undefined);

beforeEach(() => {
  Object.assign(state, {
    session: { userId: "u" },
    snapshot: { campaignAccess: true, permissionKeys: ["signatures.view"] },
    places: [],
    asked: [],
    answer: { data: {}, error: null },
  });
});

const ask = async (body: unknown) => {
  const response = await POST(
    new Request("http://signet.test/api/signatures/signed", {
      method: "POST",
      headers: { "content-type": "application/json", host: "signet.test" },
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, body: await response.json(), cache: response.headers.get("cache-control") };
};
const body = { team: "north", campaign: "lakes", voterIds: ["V-1", "__proto__"] };
const error = { error: expect.any(String) };

test.each(["signatures.view", "signatures.enter"])(
  "tells one who holds %s there where voters have signed",
  async (key) => {
    state.snapshot.permissionKeys = [key];
    const own = { ownTeam: true, enteredAt: "2026-11-21T10:00:00.000Z", enteredBy: "Rosa", sheet: 3, line: 9 };
    state.answer.data = JSON.parse(
      `{"V-1": {"ownTeam": false, "sheet": 7, "enteredBy": "Ed"}, "__proto__": ${JSON.stringify(own)}}`,
    );
    const answer = await ask(body);
    expect(answer).toEqual({ status: 200, body: expect.any(Object), cache: "no-store" });
    expect(JSON.stringify(answer.body)).toBe(`{"signed":{"V-1":{"ownTeam":false},"__proto__":${JSON.stringify(own)}}}`);
    expect(state.places).toEqual([{ team: "north", campaign: "lakes" }]);
    expect(state.asked).toEqual([
      {
        name: "signed_already",
        given: { p_team_id: "north", p_campaign_id: "lakes", p_voter_ids: ["V-1", "__proto__"] },
      },
    ]);
  },
);

test.each<[what: string, changed: Record<string, unknown>]>([
  ["team", { team: "a/b" }],
  ["campaign", { campaign: "a:b" }],
  ["voterIds", { voterIds: [] }],
  ["voterIds", { voterIds: "V-1" }],
  ["voterIds", { voterIds: Array.from({ length: 101 }, (_, index) => `V-${index}`) }],
  ["voterIds.0", { voterIds: ["two words"] }],
  ["voterIds.0", { voterIds: [1] }],
])("names %s when it does not fit", async (what, changed) => {
  expect(await ask({ ...body, ...changed })).toEqual({
    status: 400,
    body: { error: expect.stringMatching(new RegExp(`^${what.replace(".", "\\.")} `)) },
    cache: "no-store",
  });
  expect(state.asked).toEqual([]);
});

test("an unreadable table is never an answer that nobody has signed", async () => {
  state.answer = { data: null, error: new Error("away") };
  expect(await ask(body)).toEqual({ status: 503, body: error, cache: "no-store" });
});
