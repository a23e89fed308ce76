import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { activityFilterSchema, strictActivityFilterSchema } from "../../lib/activity/activity-filter.ts";
import { chartDefinitionSchema, chartQuerySchema } from "../../lib/charts/definition/definition.ts";
import { cellQuerySchema } from "../../lib/charts/definition/result.ts";
import { campaignIdSchema, teamIdSchema, voterIdSchema } from "../../lib/ids.ts";
import { invitationTokenSchema } from "../../lib/invitations/invitation.ts";
import { permissionKeySchema } from "../../lib/permissions/snapshot.ts";
import { enteredLineSchema } from "../../lib/signatures/changes.ts";
import { isStorable, toStorable } from "../../lib/storable.ts";
import { accessChangeSchema } from "../../lib/team-access/access-change.ts";
import { searchCredentialsSchema, searchParamsSchema } from "../../lib/voters/search-request.ts";
import { plainCampaign as campaignSettings } from "../support/no-official-check.ts";

// Values from outside that PostgreSQL can't store are refused where they are parsed.

const id = "0b6f0a52-5f0f-4d8a-9f5e-0d6f5a1c2b3d";
const metric = { key: "n", aggregation: "count" };
const filter = { column: "county", operator: "eq", value: "King" };
const query = { source: "signatures", groupBy: "county", metrics: [metric], filters: [filter] };
const chart = { ...query, name: "By county", kind: "bar" };
const { metrics: _, ...ofCell } = query;
const cell = { ...ofCell, group: { county: "King" }, metric };
const settings = { name: "North", timeZone: "UTC", locale: "en-US", linesPerSheet: 20, eraseAfterDays: null };
const team = "north";

const ofMetric = (changed: object) => ({ metrics: [{ ...metric, ...changed }] });
const ofFilter = (changed: object) => ({ filters: [{ ...filter, ...changed }] });
type Case = [path: string, schema: z.ZodType, given: object, change: (value: unknown) => object];

const campaign = { kind: "create-campaign", team, campaign: "lakes", after: campaignSettings };
const edited = { kind: "edit-campaign", team, campaign: "lakes", before: campaignSettings, after: campaignSettings };
const ofTeam = { kind: "edit-team", team, before: settings, after: settings };
const role = { kind: "create-role", team, name: "Office", scope: "assigned" };
const renamed = { kind: "rename-role", team, roleId: id, before: "Office", after: "Desk" };
const words = { name: "A", description: null };
const set = { kind: "edit-set", team, setId: id, before: words, after: { ...words, name: "B" } };
const line = { id, team, campaign: "lakes", verdict: "accepted", voterId: "V-1" };
const credentials = { name: "searchsvc_token_ny", emailKey: "E", endpointKey: "U", passwordKey: "P" };

const textFields: Case[] = [
  ["source", chartQuerySchema, query, (source) => ({ source })],
  ["groupBy", chartQuerySchema, query, (groupBy) => ({ groupBy })],
  ["name", chartDefinitionSchema, chart, (name) => ({ name })],
  ["metrics.0.key", chartQuerySchema, query, (key) => ofMetric({ key })],
  ["metrics.0.label", chartQuerySchema, query, (label) => ofMetric({ label })],
  ["metrics.0.column", chartQuerySchema, query, (column) => ofMetric({ column })],
  ["metrics.0.segment.0.value", chartQuerySchema, query, (value) => ofMetric({ segment: [{ ...filter, value }] })],
  ["filters.0.column", chartQuerySchema, query, (column) => ofFilter({ column })],
  ["filters.0.value", chartQuerySchema, query, (value) => ofFilter({ value })],
  ["filters.0.value", chartQuerySchema, query, (value) => ofFilter({ operator: "in", value: ["a", value] })],
  ["filters.0.value", chartQuerySchema, query, (value) => ofFilter({ value: { [`${value}`]: [1] } })],
  ["group", cellQuerySchema, cell, (value) => ({ group: { county: value } })],
  ["group", cellQuerySchema, cell, (value) => ({ group: { [`${value}`]: null } })],
  ["metric.label", cellQuerySchema, cell, (label) => ({ metric: { ...metric, label } })],
  ["after.name", accessChangeSchema, campaign, (name) => ({ after: { ...campaignSettings, name } })],
  ["campaign", accessChangeSchema, campaign, (campaign) => ({ campaign })],
  ["before.name", accessChangeSchema, ofTeam, (name) => ({ before: { ...settings, name } })],
  ["after.name", accessChangeSchema, ofTeam, (name) => ({ after: { ...settings, name } })],
  ["before.name", accessChangeSchema, edited, (name) => ({ before: { ...campaignSettings, name } })],
  ["after.name", accessChangeSchema, edited, (name) => ({ after: { ...campaignSettings, name } })],
  ["name", accessChangeSchema, role, (name) => ({ name })],
  ["team", accessChangeSchema, role, (team) => ({ team })],
  ["before", accessChangeSchema, renamed, (before) => ({ before })],
  ["after", accessChangeSchema, renamed, (after) => ({ after })],
  ["before.name", accessChangeSchema, set, (name) => ({ before: { ...words, name } })],
  ["before.description", accessChangeSchema, set, (description) => ({ before: { ...words, description } })],
  ["after.name", accessChangeSchema, set, (name) => ({ after: { ...words, name } })],
  ["after.description", accessChangeSchema, set, (description) => ({ after: { ...words, description } })],
  ...["firstName", "lastName", "houseNumber", "zip", "county", "city", "order"].map(
    (name): Case => [name, searchParamsSchema, {}, (value) => ({ [name]: value })],
  ),
  ["name", searchCredentialsSchema, credentials, (value) => ({ name: `searchsvc_token_${value}` })],
  ...["actor", "subject", "campaign", "area", "from", "to"].map(
    (name): Case => [name, strictActivityFilterSchema, {}, (value) => ({ [name]: value })],
  ),
  ["voterId", enteredLineSchema, line, (voterId) => ({ voterId })],
  ["team", enteredLineSchema, line, (value) => ({ team: value })],
  ["verdict", enteredLineSchema, line, (verdict) => ({ verdict })],
];

const pathsOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path }) => path.join("."));

describe.each([
  ["U+0000", "a\0b"],
  ["a first half of a surrogate pair", "a\ud83d"],
  ["a second half", "\ude00b"],
])("%s", (_name, bad) => {
  test.each(textFields)("is refused in %s, which is named", (path, schema, input, change) => {
    expect(pathsOf(schema, input)).toBeUndefined();
    expect([...new Set(pathsOf(schema, { ...input, ...change(bad) }))]).toEqual([path]);
  });

  test.each<[string, z.ZodType]>([
    ["a team", teamIdSchema],
    ["a campaign", campaignIdSchema],
    ["a voter", voterIdSchema],
    ["an invitation", invitationTokenSchema],
    ["a permission key", permissionKeySchema],
  ])("is not the ID of %s", (_what, schema) => expect(schema.safeParse(bad).success).toBe(false));

  test("is replaced in a clerk's line, which is kept", () => {
    const parsed = enteredLineSchema.parse({ ...line, firstName: bad, city: bad });
    expect(isStorable(parsed)).toBe(true);
    expect(parsed.firstName).toBe(toStorable(bad));
    expect(enteredLineSchema.parse({ ...line, verdict: "other", note: bad }).note).toBe(toStorable(bad));
  });
});

const dayFields: Case[] = [
  ["after.startsOn", accessChangeSchema, campaign, (startsOn) => ({ after: { ...campaignSettings, startsOn } })],
  ["after.endsOn", accessChangeSchema, campaign, (endsOn) => ({ after: { ...campaignSettings, endsOn } })],
  ["before.startsOn", accessChangeSchema, edited, (startsOn) => ({ before: { ...campaignSettings, startsOn } })],
  ["after.endsOn", accessChangeSchema, edited, (endsOn) => ({ after: { ...campaignSettings, endsOn } })],
  ["from", strictActivityFilterSchema, {}, (from) => ({ from })],
  ["to", strictActivityFilterSchema, {}, (to) => ({ to })],
  ["signedOn", enteredLineSchema, line, (signedOn) => ({ signedOn })],
  ["enteredAt", enteredLineSchema, line, (day) => ({ enteredAt: `${day}T00:00:00Z` })],
];

describe.each(dayFields)("the day in %s", (path, schema, input, change) => {
  test.each(["0000-01-01", "10000-01-01", "+02026-01-01", "-0001-01-01", "2026-02-30", "2026-13-01"])(
    "is not %s",
    (day) => {
      expect(pathsOf(schema, { ...input, ...change(day) })).toEqual([path]);
    },
  );

  test("is accepted if it exists", () =>
    expect(pathsOf(schema, { ...input, ...change("2024-02-29") })).toBeUndefined());
});

test("ignores invalid filters of the activity list, and keeps the others", () => {
  const nonsense = { from: "0000-01-01", actor: "\0", campaign: "a\ud800", before: "0" };
  const valid = { area: "members", to: "2026-11-21" };
  expect(activityFilterSchema.parse({ ...nonsense, ...valid })).toEqual(valid);
});

test.each([
  ["a pair", "😀"],
  ["every key of an object", { "\ud83d": { a: 1 } }, false],
  ["the key __proto__", JSON.parse('{"__proto__":"\\u0000"}'), false],
  ["a text that only looks like an escape", "\\u0000 \\ud800"],
  ["32 lists within each other", JSON.parse(`${"[".repeat(32)}${"]".repeat(32)}`)],
  ["33, which no filter needs", JSON.parse(`${"[".repeat(33)}${"]".repeat(33)}`), false],
  ["as many as a request can hold", JSON.parse(`${"[".repeat(32_000)}${"]".repeat(32_000)}`), false],
  ["a number that JavaScript can't hold", JSON.parse("1e400"), false],
  ["nothing at all", undefined, false],
])("%s", (_name, value, storable = true) => {
  expect(isStorable(value)).toBe(storable);
  const parsed = chartQuerySchema.safeParse({ ...query, filters: [{ ...filter, value }] });
  expect(parsed.success).toBe(storable);
});
