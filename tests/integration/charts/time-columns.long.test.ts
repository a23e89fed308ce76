import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { isPeriod, periods, resolvePeriod } from "../../../lib/charts/definition/period.ts";
import { chartResultSchema } from "../../../lib/charts/definition/result.ts";
import { timeUnits } from "../../../lib/charts/definition/words.ts";
import { expectedChart, type OracleType, type OracleValue } from "../../support/chart-oracle.ts";
import { aggregate } from "../../support/chart-world.ts";
import { inDrill } from "../../support/in-drill.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

// The parts of days and moments, and the days of a relative filter, against Intl and the chart oracle: in zones whose clocks
// change at night, at midnight, and by half an hour.

const ofLordHowe: Record<string, [string, string]> = {
  "Australia/Lord_Howe": ["2026-04-04T15:00Z", "2026-10-03T15:30Z"],
};
const zones = inDrill<typeof ofLordHowe>(
  {
    ...ofLordHowe,
    "America/Los_Angeles": ["2026-03-08T10:00Z", "2026-11-01T09:00Z"],
    "America/Havana": ["2026-03-08T05:00Z", "2026-11-01T05:00Z"],
  },
  { else: ofLordHowe },
);
const hour = 3_600_000;
const day = 24 * hour;

// A moment each 15 minutes from 26 hours before to 26 hours after each change, and a day of each kind for signed_on.
const signedOn = ["2026-12-31", "2027-01-01", "2024-02-29", "2020-12-28", "1969-12-28", null];
const linesOf = (changes: string[]) =>
  changes.flatMap((change) =>
    Array.from({ length: 209 }, (_, index) => ({
      entered_at: new Date(Date.parse(change) + (index - 104) * 15 * 60_000).toISOString(),
      signed_on: signedOn[index % signedOn.length] ?? null,
    })),
  );

const database = await setUpTestDatabase();
beforeAll(async () => {
  for (const [index, [zone, changes]] of Object.entries(zones).entries())
    await addTeam(`team-${index}`, zone, linesOf(changes));
});

async function addTeam(team: string, zone: string, lines: { entered_at: string; signed_on: string | null }[]) {
  await database.sql("insert into public.teams (id, name, time_zone) values ($1, $1, $2)", [team, zone]);
  await database.sql("insert into public.campaigns (id, name, team_id) values ($1, $1, $1)", [team]);
  await database.sql(
    `insert into public.lines (team_id, campaign_id, verdict, voter_id, entered_at, signed_on)
       select $1, $1, 'accepted', gen_random_uuid()::text, l.entered_at, l.signed_on
       from jsonb_to_recordset($2::text::jsonb) as l (entered_at timestamptz, signed_on date)`,
    [team, JSON.stringify(lines)],
  );
}

const counted = [{ key: "n", aggregation: "count" }];
const computeChart = (team: string, source: string, groupBy: string, filters: object[] = []) =>
  aggregate(database, { source, team, campaign: team }, { groupBy, metrics: counted, filters });
const compute = async (...args: Parameters<typeof computeChart>) =>
  chartResultSchema.parse(await computeChart(...args));

describe.each(Object.entries(zones).map(([zone, changes], index) => ({ zone, changes, team: `team-${index}` })))(
  "in $zone",
  ({ zone, changes, team }) => {
    const units = (name: string) => timeUnits.map((unit) => `${name}_${unit}`);
    const ofDays = units("signed_on").filter((name) => !/_(day|hour)$/.test(name));
    test.each([
      ["signatures", [...ofDays, ...units("entered_at")]],
      ["lines", [...ofDays, ...units("entered_at")]],
      ["clerk_work", units("entered_at")],
    ])("each part in %s equals what Intl says", async (source, names) => {
      const types = new Map(names.map((name): [string, OracleType] => [name, typeOf(name)]));
      const records = linesOf(changes).map(
        (line) =>
          new Map([
            ...parts("signed_on", line.signed_on === null ? null : { date: line.signed_on, hour: 0 }),
            ...parts("entered_at", localTime(line.entered_at, zone)),
          ]),
      );
      // Each alone, and all of them together with a filter on one.
      const filters = [{ column: "entered_at_weekday", operator: "gte", value: 6 }];
      for (const [groupBy, only] of [...names.map((name) => [name, []] as const), [names.join(), filters] as const]) {
        const definition = { groupBy, metrics: counted, filters: only };
        const expected = expectedChart({ columns: types, records, registered: new Map() }, definition);
        if ("refused" in expected) throw new Error(expected.refused.join());
        const { rows, recordCount } = await compute(team, source, groupBy, [...only]);
        const asObjects = expected.rows.map(({ key, group, values }) => {
          return { key, group: Object.fromEntries(group), values: Object.fromEntries(values) };
        });
        expect({ recordCount, rows }, groupBy).toEqual({ recordCount: expected.recordCount, rows: asObjects });
      }
    });
  },
);

test("a relative filter means days in the team's time zone, as of when it is computed", async () => {
  const zone = "America/Los_Angeles";
  const now = Date.now();
  const moments = Array.from({ length: 420 }, (_, index) => new Date(now - (index - 20) * (day - hour)).toISOString());
  const lines = moments.map((moment) => ({ entered_at: moment, signed_on: localTime(moment, zone).date }));
  await addTeam("now", zone, lines);
  for (const period of [...periods, "last 14 days", "last year", "last 365 days"]) {
    for (const column of ["signed_on", "entered_at", "entered_at_day"]) {
      for (const operator of ["eq", "gt", "gte", "lt", "lte"]) {
        const { recordCount, generatedAt } = await compute("now", "signatures", "", [
          { column, operator, value: period },
        ]);
        const { first, last } = resolvePeriod(period, localTime(generatedAt, zone).date);
        const matching = lines.filter(
          ({ signed_on: date }) =>
            ({
              eq: date >= first && date <= last,
              gt: date > last,
              gte: date >= first,
              lt: date < first,
              lte: date <= last,
            })[operator],
        );
        expect(recordCount, `${column} ${operator} ${period}`).toBe(matching.length);
      }
    }
  }
  const refused = await computeChart("now", "signatures", "", [
    { column: "signed_on", operator: "neq", value: "today" },
  ]);
  expect(refused).toMatchObject({ refused: { part: "filters.0.value" } });
});

test("TypeScript and SQL agree on the days of each period, on each day of five years", async () => {
  const none = ["last 0 days", "last 1000 days", "Today", "this hour"];
  const words = [...periods, "last 1 days", "last 999 days", "last year", ...none];
  const rows = await database.sql<{ words: string; today: string; first: string | null; last: string | null }>(
    `select w.words, d.today::date::text as today, lower(p.days)::text as first, (upper(p.days) - 1)::text as last
       from unnest($1::text[]) w (words)
       cross join generate_series(timestamp '2023-12-25', '2028-03-05', '1 day') d (today)
       cross join lateral (select private.chart_period(w.words, d.today::date) as days) p`,
    [words],
  );
  expect(rows).toHaveLength(words.length * 1_533);
  expect(rows.filter(({ words: period, first }) => isPeriod(period) !== (first !== null))).toEqual([]);
  const different = rows.filter(({ words: period, today, ...days }) => {
    return isPeriod(period) && JSON.stringify(days) !== JSON.stringify(resolvePeriod(period, today));
  });
  expect(different).toEqual([]);
});

test("the join for the time zone is left out when no part of a moment is used", async () => {
  const plan = async (columns: string) =>
    z
      .array(z.record(z.string(), z.string()))
      .parse(await database.sql(`explain select ${columns}, count(*) from reporting.signatures group by 1`))
      .flatMap((row) => Object.values(row))
      .join("\n");
  expect(await plan("signed_on_week")).not.toMatch(/teams/);
  expect(await plan("entered_at_week")).toMatch(/teams/);
});

const typeOf = (name: string): OracleType => (/_(weekday|hour)$/.test(name) ? "integer" : "date");

// The day and hour of a moment in a zone, by Intl.
function localTime(timestamp: string, timeZone: string) {
  const format = new Intl.DateTimeFormat("en-CA", {
    ...({ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", hourCycle: "h23" } as const),
    timeZone,
  });
  const partTexts = new Map(format.formatToParts(new Date(timestamp)).map(({ type, value }) => [type, value]));
  return {
    date: `${partTexts.get("year")}-${partTexts.get("month")}-${partTexts.get("day")}`,
    hour: Number(partTexts.get("hour")),
  };
}

function parts(name: string, local: { date: string; hour: number } | null): [string, OracleValue][] {
  if (local === null) return [];
  const dayMs = Date.parse(`${local.date}T00:00Z`);
  const weekday = new Date(dayMs).getUTCDay() || 7;
  return [
    [`${name}_day`, local.date],
    [`${name}_week`, new Date(dayMs - (weekday - 1) * day).toISOString().slice(0, 10)],
    [`${name}_month`, `${local.date.slice(0, 7)}-01`],
    [`${name}_weekday`, String(weekday)],
    [`${name}_hour`, String(local.hour)],
  ];
}
