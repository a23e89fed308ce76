import { expect, test } from "vitest";
import { z } from "zod";
import { type Verdict, verdicts } from "../../../lib/signatures/verdicts.ts";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";
import { insertUsers, inWorldWithoutTriggers, uuidOf } from "../../support/access-world.ts";
import { callFunction } from "../../support/call-function.ts";
import { inDrill } from "../../support/in-drill.ts";
import { dayIn, linePeople, lineWorld, storeRows } from "../../support/line-world.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";

const database = await setUpSqlSession();
await insertUsers(database, linePeople);

const hour = 3_600_000; // ms
type Line = {
  id: string;
  team_id: string;
  campaign_id: string;
  verdict: Verdict;
  voter_id: string | null;
  first_name: string | null;
  note: string | null;
  sheet: number | null;
  line: number | null;
  signed_on: string | null;
  entered_by: string;
  entered_at: string;
  removed_at: string | null;
};

// Lines of the last 40 days, many of today and the last hour, each at a different time.
function randomLines(seed: number, now: number): Line[] {
  const next = seededRandom(seed);
  const oneOf = <Item>(items: readonly [Item, ...Item[]]): Item => items[Math.floor(next() * items.length)] ?? items[0];
  const spans: [number, ...number[]] = [0.2 * hour, 1.5 * hour, 30 * hour, 40 * 24 * hour];
  return Array.from({ length: 120 }, (_, index) => {
    const verdict = next() < 0.3 ? oneOf(verdicts) : "accepted";
    const counts = verdict === "accepted";
    const at = now - Math.floor(next() * oneOf(spans)) - index / 10;
    return {
      id: uuidOf(`${seed} ${index}`),
      team_id: oneOf(["north", "north", "south"]),
      campaign_id: oneOf(["lakes", "lakes", "lakes", "rivers"]),
      verdict,
      voter_id: verdict === "blank" || (!counts && next() < 0.5) ? null : `V-${seed}-${index}`,
      first_name: !counts ? null : oneOf([null, "Ann", "Ö"]),
      note: !counts ? oneOf([null, "smudged"]) : null,
      sheet: oneOf([null, 1, 2, 3]),
      line: oneOf([null, 1 + index]), // a line number is unique on its sheet
      signed_on: !counts ? null : oneOf([null, "2026-10-31"]),
      entered_by: uuidOf(oneOf(["ada", "ada", "bea"])),
      entered_at: new Date(at).toISOString(),
      removed_at: next() < 0.15 ? new Date(now).toISOString() : null,
    };
  });
}

const countBy = (values: string[]) => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries(counts);
};

/** A line as it is returned. */
const shown = (line: Line) => ({
  id: line.id,
  sheet: line.sheet,
  line: line.line,
  verdict: line.verdict,
  voterId: line.voter_id,
  firstName: line.first_name,
  lastName: null,
  address: null,
  city: null,
  county: null,
  zip: null,
  signedOn: line.signed_on,
  note: line.note,
  enteredBy: nameOf(line.entered_by),
  mine: nameOf(line.entered_by) === "ada",
  enteredAt: line.entered_at,
  removedAt: line.removed_at,
});

// The expected answer of entry_state for ada in north/lakes, from the lines alone.
function expected(
  lines: Line[],
  {
    at,
    timeZone,
    sheets,
    requested = null,
  }: { at: string; timeZone: string; sheets: number[]; requested?: number | null },
) {
  const now = Date.parse(at);
  const live = lines.filter(({ removed_at }) => removed_at === null);
  // Blank lines aren't counted.
  const counted = (line: Line) => line.verdict !== "blank";
  const inCampaign = live.filter(({ campaign_id, verdict }) => campaign_id === "lakes" && verdict === "accepted");
  const ofTeam = live.filter(({ campaign_id, team_id }) => campaign_id === "lakes" && team_id === "north");
  const own = lines.filter(
    (line) => line.campaign_id === "lakes" && line.team_id === "north" && line.entered_by === uuidOf("ada"),
  );
  const ownLive = own.filter((line) => line.removed_at === null && counted(line));
  const today = dayIn(timeZone, now);
  const ownToday = ownLive.filter(({ entered_at }) => dayIn(timeZone, entered_at) === today);
  const lastHour = ownLive
    .map(({ entered_at }) => entered_at)
    .filter((time) => Date.parse(time) > now - hour)
    .sort();
  const sheetOf = (number: number) => {
    const on = ofTeam.filter(({ sheet }) => sheet === number);
    const clerks = Object.entries(countBy(on.filter(counted).map(({ entered_by }) => nameOf(entered_by))));
    return {
      number,
      circulator: number === 3 ? "Ola Berg" : null,
      collectedOn: number === 3 ? "2026-11-01" : null,
      signatureCount: number === 3 ? 18 : null,
      openedBy: number === 3 ? "bea" : "ada",
      mine: number !== 3,
      openedAt: at,
      closedAt: number === 2 ? at : null,
      lines: on.filter(counted).length,
      nextLine: [1, ...on.map(({ line }) => (line ?? 0) + 1)]
        .sort((a, b) => a - b)
        .find((next) => on.every(({ line }) => line !== next)),
      clerks: clerks
        .sort(([one, ofOne], [other, ofOther]) => ofOther - ofOne || (one < other ? -1 : 1))
        .map(([name, lines]) => ({ name, mine: name === "ada", lines })),
    };
  };
  const enteredOn = (number: number) =>
    ofTeam
      .filter(({ sheet, line }) => sheet === number && line !== null)
      .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
      .map(shown);
  return {
    at,
    timeZone,
    today,
    goal: 500,
    startsOn: null,
    endsOn: "2027-03-01",
    linesPerSheet: 20,
    districts: null,
    campaign: { accepted: inCampaign.length },
    mine: {
      accepted: ownToday.filter(({ verdict }) => verdict === "accepted").length,
      duplicates: ownToday.filter(({ verdict }) => verdict === "duplicate").length,
      rejected: ownToday.filter(({ verdict }) => verdict !== "accepted" && verdict !== "duplicate").length,
      lastHour: lastHour.length,
      lastHourSince: lastHour[0] ?? null,
    },
    sheets: sheets.map((number) => sheetOf(number)),
    nextSheet: Math.max(0, ...sheets) + 1,
    sheet: requested === null ? null : { ...sheetOf(requested), entered: enteredOn(requested) },
    lines: own
      .toSorted((one, other) => Date.parse(other.entered_at) - Date.parse(one.entered_at))
      .slice(0, 20)
      .map(shown),
  };
}

const stateSchema = z.looseObject({ at: z.string() });
const nameOf = (id: string) => (id === uuidOf("ada") ? "ada" : "bea");
const read = async (sheet: number | null = null) =>
  stateSchema.parse(await callFunction(database, "entry_state", [uuidOf("ada"), "north", "lakes", 20, sheet]));
const setUp = async (timeZone: string) => {
  await database.sql("update public.teams set time_zone = $1", [timeZone]);
  await database.sql("update public.campaigns set signature_goal = 500, ends_on = '2027-03-01'");
};

test.each(["UTC", "America/New_York", "Pacific/Auckland", "Asia/Kolkata"])(
  "entry_state in %s matches random lines",
  async (timeZone) => {
    for (let seed = 1; seed <= inDrill(8, { else: 3 }); seed++) {
      await inWorldWithoutTriggers(database, lineWorld, async () => {
        await setUp(timeZone);
        const [clock] = await database.sql<{ at: string }>("select private.utc(now()) as at");
        const at = clock?.at ?? "";
        const lines = randomLines(seed, Date.parse(at));
        await storeRows(database, "lines", lines);
        await database.sql(
          `insert into public.sheets (team_id, campaign_id, number, opened_by, opened_at, closed_at) values
             ('north', 'lakes', 3, $2, now(), null), ('north', 'lakes', 1, $1, now(), null),
             ('north', 'lakes', 2, $1, now(), now()), ('south', 'lakes', 4, $1, now(), null),
             ('north', 'rivers', 5, $1, now(), null)`,
          [uuidOf("ada"), uuidOf("bea")],
        );
        await database.sql(
          "update public.sheets set circulator = 'Ola Berg', collected_on = '2026-11-01', signature_count = 18 where number = 3",
        );
        const requested = ([null, 1, 2, 3] as const)[seed % 4] ?? null;
        expect(await read(requested)).toEqual(expected(lines, { at, timeZone, sheets: [1, 3], requested }));
        expect(await read(4)).toMatchObject({ sheet: null });
      });
    }
  },
);

test("entry_state of a campaign without lines has zeros and nulls", () =>
  inWorldWithoutTriggers(database, lineWorld, async () => {
    await setUp("UTC");
    const state = await read();
    expect(state).toEqual(expected([], { at: state.at, timeZone: "UTC", sheets: [] }));
  }));

test("entry_state of a missing team or campaign is null", () =>
  inWorldWithoutTriggers(database, lineWorld, async () => {
    expect(await callFunction(database, "entry_state", [null, "nowhere", "lakes"])).toBeNull();
    expect(await callFunction(database, "entry_state", [null, "north", "nowhere"])).toBeNull();
  }));
