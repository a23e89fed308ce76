import { expect, test } from "vitest";
import { administeredTeam } from "./administered-team.ts";

const { sql, id, role, set, call, change, nothingChanges } = administeredTeam();

/** Asks one minute after the previous request. */
const requestAccess = async (name: string, campaign: string | null, key: string, team = "riverside") => {
  await sql("update public.access_requests set asked_at = asked_at - interval '1 minute'");
  return call("ask_for_access", name, { p_team_id: team, p_campaign_id: campaign, p_key: key });
};
type Open = { id: string; name: string };
const open = async () => {
  const [row] = await sql<{ open: Open[] }>("select public.open_access_requests('riverside') as open");
  return row?.open ?? [];
};

test("a member asks once for a key in a place, and the request is in the activity", async () => {
  expect(await requestAccess("clerk", "clean-water", "charts.view")).toEqual({ outcome: "asked" });
  expect(await requestAccess("clerk", "clean-water", "charts.view")).toEqual({ outcome: "already-asked" });
  expect(await requestAccess("clerk", "safe-streets", "charts.view")).toEqual({ outcome: "asked" });
  expect(await requestAccess("clerk", null, "members.view")).toEqual({ outcome: "asked" });
  expect(await open()).toMatchObject([
    { name: "clerk", campaign: { id: "clean-water", name: "Clean water" }, key: "charts.view", granted: false },
    { name: "clerk", campaign: { id: "safe-streets" }, key: "charts.view", granted: false },
    { name: "clerk", campaign: null, key: "members.view", granted: false },
  ]);
  const filter = JSON.stringify({ tables: ["access_requests"] });
  const [activity] = await sql("select public.team_activity('riverside', $1::text::jsonb, 1) as rows", [filter]);
  expect(activity?.rows).toMatchObject([
    { actor_name: "clerk", subject_name: "clerk", action: "insert", after: { key: "members.view" } },
  ]);
});

test.each<[why: string, name: string, campaign: string | null, key: string, outcome: string, at?: string]>([
  ["a key that they have", "clerk", "clean-water", "voters.search", "already-granted"],
  ["an unknown key", "clerk", "clean-water", "charts.eat", "no-place"],
  ["a team that they aren't in", "clerk", null, "members.view", "no-place", "hillside"],
  ["a team that suspended them", "suspended", null, "members.view", "no-place"],
  ["an unknown team", "outsider", null, "members.view", "no-place", "nowhere"],
])("no request is made for %s", (_why, name, campaign, key, outcome, team) =>
  nothingChanges(async () => expect(await requestAccess(name, campaign, key, team)).toEqual({ outcome })),
);

test.each([
  ["doesn't exist", "nowhere"],
  ["is another team's", "hill-only"],
])("asking for a campaign that %s is answered like any other, and only the person sees it", async (_what, campaign) => {
  for (const outcome of ["asked", "already-asked"]) {
    for (const asked of ["safe-streets", campaign]) {
      expect(await requestAccess("clerk", asked, "campaign.view")).toEqual({ outcome });
    }
  }
  expect(await open()).toMatchObject([{ campaign: { id: "safe-streets" } }]);
  expect(await sql("select unknown_campaign_id from public.access_requests where campaign_id is null")).toEqual([
    { unknown_campaign_id: campaign },
  ]);
});

test("the change that grants it closes the request, and it can be asked for again later", async () => {
  await requestAccess("clerk", "clean-water", "charts.view");
  await requestAccess("canvasser", "clean-water", "charts.view");
  const without = { roleId: role("Signature clerk"), setIds: [] };
  const granted = { ...without, setIds: [set("Chart viewing")] };
  const place = { userId: id("clerk"), campaign: "clean-water" };
  const changeOf = (before: object, after: object) => ({
    kind: "campaigns",
    team: "riverside",
    places: [{ ...place, before, after }],
  });
  expect(await change("admin", changeOf(without, granted))).toEqual({ outcome: "done" });
  expect((await open()).map(({ name }) => name)).toEqual(["canvasser"]);
  expect(await change("admin", changeOf(granted, without))).toEqual({ outcome: "done" });
  expect(await requestAccess("clerk", "clean-water", "charts.view")).toEqual({ outcome: "asked" });
});

test("a campaign grants the overview in a team, not a role alone", async () => {
  const field = { userId: id("clerk"), campaign: "clean-water" };
  const clerk = { roleId: role("Signature clerk"), setIds: [] };
  const none = { roleId: null, setIds: [] };
  const give = (before: object, after: object) =>
    change("admin", { kind: "campaigns", team: "riverside", places: [{ ...field, before, after }] });
  await sql("insert into public.role_p_sets (role_id, permission_set_id) values ($1, $2)", [
    role("Field team"),
    set("Campaign overview"),
  ]);
  expect(await requestAccess("clerk", null, "campaign.view")).toEqual({ outcome: "already-granted" });
  await give(clerk, none);
  expect(await requestAccess("clerk", null, "campaign.view")).toEqual({ outcome: "asked" });
  expect(await open()).toMatchObject([{ campaign: null, key: "campaign.view", granted: false }]);
  await give(none, clerk);
  expect(await open()).toEqual([]);
});

test("only managers of the team can decline requests, and only open ones", async () => {
  await requestAccess("clerk", null, "members.view");
  const [request] = await open();
  const close = (name: string, p_team_id = "riverside") =>
    call("decline_access_request", name, { p_team_id, p_id: request?.id });
  await nothingChanges(async () => {
    for (const name of ["clerk", "staff", "hill", "outsider"]) {
      expect([name, await close(name)]).toEqual([name, { outcome: "not-allowed" }]);
    }
    expect(await close("hill", "hillside")).toEqual({ outcome: "not-open" });
  });
  expect(await close("admin")).toEqual({ outcome: "done" });
  expect(await open()).toEqual([]);
  expect(await close("admin")).toEqual({ outcome: "not-open" });
});
