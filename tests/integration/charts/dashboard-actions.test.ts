import { createClient } from "@supabase/supabase-js";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  deleteChart,
  duplicateChart,
  orderCharts,
  restoreChart,
  saveChart,
  saveText,
  setMaxAge,
} from "../../../app/[team]/campaign/[campaign]/dashboard/actions.ts";
import * as stored from "../../../lib/charts/store/change.ts";
import type { FormSubmit } from "../../../lib/forms/form-state.ts";
import { sessionEnded } from "../../../lib/forms/session-ended.ts";
import { caller } from "../../support/caller.ts";
import { addChart, addSignatures, countsByCounty, sendForm, setUpChartWorld } from "../../support/chart-world.ts";

// The server actions of a dashboard, also with ids of charts on other dashboards.

vi.mock("next/cache", () => ({ refresh: () => undefined }));
vi.mock("next/headers", () => ({ headers: async () => new Headers() }));
vi.mock("../../../lib/auth/get-session.ts", () => import("../../support/caller.ts"));
vi.mock("../../../lib/permissions/route-permissions.ts", () => import("../../support/caller.ts"));
vi.mock("../../../lib/supabase/server.ts", () => ({
  createSessionClient: async () =>
    createClient(process.env.NEXT_PUBLIC_SUPABASE_URL ?? "", process.env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? "", {
      global: { headers: { Authorization: `Bearer ${caller.session?.accessToken}` } },
      auth: { persistSession: false, autoRefreshToken: false },
    }),
}));

const { database, person, signIn } = await setUpChartWorld();
beforeAll(() => addSignatures(database, { counties: ["King"] }));
beforeEach(async () => {
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  await database.sql("delete from public.charts");
});

const place = { team: "north", campaign: "lakes" };
const definition = JSON.stringify(countsByCounty);
const charts = () => database.sql("select * from public.charts order by id");

function send(
  action: FormSubmit,
  as: string | null,
  fields: Record<string, string>,
  params: Record<string, string> = place,
) {
  signIn(as);
  return sendForm(action, { ...params, ...fields });
}
const isGone = { message: null, error: expect.stringContaining("no longer exists") };

const onOne: [string, FormSubmit][] = [
  ["duplicate", duplicateChart],
  ["delete", deleteChart],
  ["restore", restoreChart],
  ["save", saveChart],
];
const fieldsOf = (id: string) => ({ id, version: "1", definition: definition });

describe.each(onOne)("%s", (name, action) => {
  test.each([
    ["another campaign", "ann", { campaign_id: "rivers" }],
    ["another team", "dan", { team_id: "south" }],
    ["the whole team", "ann", { campaign_id: null }],
  ])("a chart of %s isn't found, and stays unchanged", async (_of, editor, row) => {
    const id = await addChart(database, row);
    if (name === "restore") await stored.deleteChart({ actorId: person(editor).id, id });
    const before = await charts();
    expect(await send(action, "ann", fieldsOf(id))).toMatchObject(isGone);
    expect(await charts()).toEqual(before);
  });

  test("nothing changes without charts.edit, without a session or from another team", async () => {
    const id = await addChart(database);
    if (name === "restore") await stored.deleteChart({ actorId: person("ann").id, id });
    const before = await charts();
    expect(await send(action, "ben", fieldsOf(id))).toMatchObject({ error: expect.any(String) });
    expect(await send(action, null, fieldsOf(id))).toMatchObject({ error: sessionEnded });
    for (const other of ["cleo", "dan", "eve"]) {
      await expect(send(action, other, fieldsOf(id)), `${other}`).rejects.toThrow("NEXT_REDIRECT");
    }
    expect(await charts()).toEqual(before);
  });
});

test("a saved chart is computed, and counts once toward the limit", async () => {
  vi.stubEnv("RATE_LIMIT_CHARTS", "2");
  // Back doesn't lead to the builder again.
  for (let saved = 1; saved <= 3; saved += 1)
    await expect(send(saveChart, "ann", { definition })).rejects.toMatchObject({
      digest: expect.stringMatching(/^NEXT_REDIRECT;replace;/),
    });
  // The third is stored, but not computed.
  const stored = await database.sql<{ data: { recordCount: number } | null }>(
    "select data from public.charts order by position",
  );
  expect(stored.map(({ data }) => data?.recordCount)).toEqual([1, 1, undefined]);
});

test("a chart of the whole team is changed on the dashboard of the team, with charts.edit in the team", async () => {
  const sendTeam = (action: FormSubmit, as: string, fields: Record<string, string>) =>
    send(action, as, fields, { team: "north" });
  const id = await addChart(database, { campaign_id: null });
  const ofLakes = await addChart(database);
  const withoutKey = { error: expect.stringContaining("“Create and edit charts”") };
  expect(await sendTeam(duplicateChart, "ben", { id })).toMatchObject(withoutKey);
  expect(await sendTeam(duplicateChart, "ann", { id: ofLakes })).toMatchObject(isGone);
  expect(await charts()).toHaveLength(2);
  expect(await sendTeam(duplicateChart, "ann", { id })).toMatchObject({ error: null });
  await expect(sendTeam(saveChart, "ann", { definition })).rejects.toThrow("NEXT_REDIRECT");
  expect((await charts()).filter(({ campaign_id }) => campaign_id === null)).toHaveLength(3);
  expect(await sendTeam(setMaxAge, "ann", { maxAge: "7" })).toMatchObject({ message: null });
  expect(await sendTeam(setMaxAge, "ann", { maxAge: "null" })).toMatchObject({ error: null });
  expect(await database.sql("select team_id, campaign_id, max_age from public.dashboards")).toEqual([
    { team_id: "north", campaign_id: null, max_age: null },
  ]);
});

test("the charts are stored in the order sent", async () => {
  const [first, second] = [await addChart(database), await addChart(database)];
  const [{ name = "" } = {}] = await charts();
  const fields = { ids: [second, first].join(","), id: second };
  expect(await send(orderCharts, "ann", fields)).toMatchObject({
    message: `“${name}” moved to place 1 of 2.`,
    error: null,
  });
  const rows = await database.sql<{ id: string }>("select id from public.charts order by position");
  expect(rows.map(({ id }) => id)).toEqual([second, first]);
});

test("a text without a title is stored under its first line, and one without words is refused at its field", async () => {
  const text = "Call Ann\r\nbefore Monday";
  expect(await send(saveText, "ann", { name: " ", text })).toMatchObject({ message: "“Call Ann” added.", error: null });
  expect(await charts()).toMatchObject([{ name: "Call Ann", text: "Call Ann\nbefore Monday" }]);
  const refused = await send(saveText, "ann", { name: "", text: " " });
  expect(refused).toMatchObject({ zodIssues: [{ path: ["text"], message: "Enter a text" }] });
});
