import { expect, test } from "vitest";
import { dayAfter } from "../../../lib/format/days.ts";
import { progressResponseSchema } from "../../../lib/progress/responses.ts";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";
import { insertUsers, inWorld, uuidOf } from "../../support/access-world.ts";
import { callFunction } from "../../support/call-function.ts";
import { dayIn, linePeople, lineWorld, storeRows } from "../../support/line-world.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";

const database = await setUpSqlSession();
await insertUsers(database, linePeople);

const hour = 3_600_000;

// Lines of some days, not all on sheets; a line number is unique on its sheet.
function randomRecords(seed: number, now: number) {
  const next = seededRandom(seed);
  const oneOf = <Item>(items: [Item, ...Item[]]): Item => items[Math.floor(next() * items.length)] ?? items[0];
  const randomTime = () => new Date(now - Math.floor(next() * oneOf([2, 40, 60 * 24]) * hour)).toISOString();
  const place = () => ({
    team_id: oneOf(["north", "north", "south"]),
    campaign_id: oneOf(["lakes", "lakes", "rivers"]),
  });
  const lines = Array.from({ length: 150 }, (_, index) => {
    const verdict = oneOf(["accepted", "accepted", "accepted", "duplicate", "not-found", "blank"]);
    const voters = { accepted: `V-${index}`, duplicate: oneOf([null, `V-${Math.floor(next() * 150)}`]) };
    return {
      id: uuidOf(`${seed} ${index}`),
      ...place(),
      verdict,
      voter_id: verdict === "accepted" || verdict === "duplicate" ? voters[verdict] : null,
      county: oneOf([null, "King", "Pierce"]),
      sheet: oneOf([null, 1, 2, 3, 4]),
      line: oneOf([null, 1 + Math.floor(index / 3)]),
      signed_on: oneOf([null, "2026-09-30", "2026-10-15", "2026-11-15"]),
      entered_by: oneOf([null, uuidOf("ada"), uuidOf("bea")]),
      entered_at: randomTime(),
      removed_at: next() < 0.15 ? randomTime() : null,
    };
  });
  const taken = new Set<string>();
  const placed = lines.filter((line) => {
    if (line.removed_at !== null || line.sheet === null || line.line === null) return true;
    const where = `${line.team_id} ${line.campaign_id} ${line.sheet} ${line.line}`;
    return !taken.has(where) && taken.add(where);
  });
  const sheets = ["north", "south"].flatMap((team_id) =>
    ["lakes", "rivers"].flatMap((campaign_id) =>
      [1, 2, 3, 5].map((number) => ({
        team_id,
        campaign_id,
        number,
        circulator: oneOf([null, "Ola Berg", "Bo"]),
        signature_count: oneOf([null, 0, 5, 60]),
        collected_on: oneOf([null, dayIn("UTC", randomTime())]),
        opened_by: uuidOf("ada"),
        opened_at: randomTime(),
        closed_at: oneOf([null, randomTime()]),
      })),
    ),
  );
  return { lines: placed, sheets };
}
type Records = ReturnType<typeof randomRecords>;
type Line = Records["lines"][number];

// Every fifth line was entered a second time.
const checkedLines = (lines: Line[]) =>
  lines
    .filter(ofLakes)
    .filter((_, index) => index % 5 === 0)
    .map(({ id, team_id }, index) => ({
      line_id: id,
      team_id,
      campaign_id: "lakes",
      drawn_by: uuidOf("ada"),
      second_by: uuidOf("bea"),
      drawn_from: ["campaign", "campaign", "clerk", "sheet"][index % 4] ?? "campaign",
      entered_at: index % 7 === 6 ? null : "2026-11-20 09:00Z",
      verdict: index % 7 === 6 ? null : "illegible",
      differs: index % 7 === 6 ? null : index % 3 > 0,
      right_entry: index % 7 === 6 || index % 3 === 0 ? null : [null, "first", "second"][(index % 5) % 3],
    }));

const targets = [
  { county: "king County", target: 40 },
  { county: "Pierce", target: 1 },
  { county: "Clark", target: 5 },
];
const official = {
  required: 400,
  margin: 10,
  rejection: 2.5,
  method: "sample",
  samplePercent: 3,
  sampleMinimum: 500,
  passPercent: 110,
  failPercent: 95,
};

const ofLakes = ({ campaign_id }: { campaign_id: string }) => campaign_id === "lakes";
const ofNorth = ({ team_id }: { team_id: string }) => team_id === "north";
const counted = ({ removed_at, verdict }: Line) => removed_at === null && verdict !== "blank";
const withVerdict = (lines: Line[], verdict: string) => lines.filter((line) => line.verdict === verdict).length;
const tally = (lines: Line[]) => ({
  lines: lines.length,
  accepted: withVerdict(lines, "accepted"),
  duplicates: withVerdict(lines, "duplicate"),
});
const isAccepted = ({ verdict }: Line) => verdict === "accepted";
const latest = (times: string[]) => times.sort().at(-1);
const nullsLast = (a: string | null, b: string | null) =>
  Number(a === null) - Number(b === null) || ((a ?? "") < (b ?? "") ? -1 : 1);

// The expected answer for north in lakes, from the records alone.
function expectedProgress({ lines, sheets }: Records, timeZone: string, now: number) {
  const entered = lines.filter(ofLakes).filter(counted);
  const collected = new Map<string, number>();
  for (const { team_id, number, signature_count } of sheets.filter(ofLakes)) {
    collected.set(`${team_id} ${number}`, signature_count ?? 0);
  }
  const byDay = [...Map.groupBy(entered, ({ entered_at }) => dayIn(timeZone, entered_at))];
  const bySheet = [...Map.groupBy(entered, ({ team_id, sheet }) => `${team_id} ${sheet}`)];
  for (const [sheet, on] of bySheet) collected.set(sheet, Math.max(on.length, collected.get(sheet) ?? 0));
  const today = dayIn(timeZone, now);
  const dayMs = 24 * hour;
  const checked = checkedLines(lines).filter(
    ({ drawn_from, differs, right_entry }) => drawn_from === "campaign" && (differs === false || right_entry !== null),
  );
  const onSheets = sheets.filter(ofLakes).map((sheet) => {
    const on = bySheet.find(([key]) => key === `${sheet.team_id} ${sheet.number}`)?.[1] ?? [];
    const opened = dayIn(timeZone, sheet.opened_at);
    const isLate = sheet.collected_on !== null && Date.parse(sheet.opened_at) > now - 28 * dayMs;
    return {
      day: [sheet.collected_on ?? opened, today].sort()[0] ?? today,
      lines: Math.max(on.length, sheet.signature_count ?? 0),
      entered: on.length,
      valid: withVerdict(on, "accepted") + withVerdict(on, "duplicate"),
      lag: isLate ? [Math.max(0, (Date.parse(opened) - Date.parse(sheet.collected_on ?? "")) / dayMs)] : [],
    };
  });
  const lags = onSheets.flatMap(({ lag }) => lag).sort((a, b) => a - b);
  const sumOf = (value: (sheet: (typeof onSheets)[number]) => number) =>
    onSheets.reduce((sum, sheet) => sum + value(sheet), 0);
  return {
    today,
    goal: 500,
    startsOn: "2026-10-01",
    endsOn: "2026-11-01",
    archivedAt: null,
    accepted: withVerdict(entered, "accepted"),
    entered: entered.length,
    duplicates: withVerdict(entered, "duplicate"),
    collected: [...collected.values()].reduce((sum, count) => sum + count, 0),
    teams: 2,
    own: { accepted: withVerdict(entered.filter(ofNorth), "accepted"), entered: entered.filter(ofNorth).length },
    days: byDay
      .map(([day, on]) => ({ day, accepted: withVerdict(on, "accepted"), entered: on.length }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    collectedDays: [...Map.groupBy(onSheets, ({ day }) => day)]
      .map(([day, dayLines]) => ({ day, lines: dayLines.reduce((sum, { lines }) => sum + lines, 0) }))
      .filter(({ lines }) => lines > 0)
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    lagDays: lags[Math.ceil(lags.length * 0.9) - 1] ?? 0,
    sheetSums: {
      count: onSheets.filter(({ entered }) => entered > 0).length,
      lines: sumOf(({ entered }) => entered),
      valid: sumOf(({ valid }) => valid),
      linesSquared: sumOf(({ entered }) => entered ** 2),
      linesValid: sumOf(({ entered, valid }) => entered * valid),
      validSquared: sumOf(({ valid }) => valid ** 2),
    },
    checked: {
      lines: checked.length,
      errors: checked.filter(({ right_entry }) => right_entry === "second").length,
    },
    counties: targets.map(({ county, target }) => {
      const name = county.replace(" County", "").toLowerCase();
      const here = entered.filter((line) => line.county?.toLowerCase() === name);
      const there = here.filter(isAccepted);
      const daysAgo = (line: Line) => (Date.parse(today) - Date.parse(dayIn(timeZone, line.entered_at))) / dayMs;
      const lately = there.filter((line) => daysAgo(line) >= 1 && daysAgo(line) <= 7);
      return {
        county: here[0]?.county ?? county,
        target,
        entered: here.length,
        accepted: there.length,
        last7Days: lately.length,
      };
    }),
    withCounty: {
      accepted: entered.filter(isAccepted).filter(({ county }) => county !== null).length,
      entered: entered.filter(({ county }) => county !== null).length,
    },
    official,
  };
}

// Every day from Monday of last week through today, each with the lines entered on it.
function expectedRecent(lines: Line[], circulatorOf: (line: Line) => string | null, timeZone: string, now: number) {
  const today = dayIn(timeZone, now);
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  const days = Array.from({ length: sinceMonday + 8 }, (_, index) => dayAfter(today, index - sinceMonday - 7));
  const recent = lines.filter(({ entered_at }) => days.includes(dayIn(timeZone, entered_at)));
  const byDay = (list: Line[]) =>
    days.map((day) => ({ day, ...tally(list.filter(({ entered_at }) => dayIn(timeZone, entered_at) === day)) }));
  const rowsBy = (nameOf: (line: Line) => string | null) =>
    [...Map.groupBy(recent, nameOf)]
      .sort(([a, linesOfA], [b, linesOfB]) => linesOfB.length - linesOfA.length || nullsLast(a, b))
      .map(([name, ownLines]) => ({ name, days: byDay(ownLines).filter((day) => day.lines > 0) }));
  const week = days.slice(-8, -1);
  const ofWeek = recent.filter(
    (line) => circulatorOf(line) !== null && week.includes(dayIn(timeZone, line.entered_at)),
  );
  const perCirculator = new Set(ofWeek.map(circulatorOf));
  const daysSinceFirst = 7 - Math.min(...ofWeek.map((line) => week.indexOf(dayIn(timeZone, line.entered_at))));
  return {
    days: byDay(recent),
    clerks: {
      rows: rowsBy(({ entered_by }) => entered_by).map(({ name, days }) => ({
        userId: name,
        name: nameOf(name),
        days,
      })),
      rest: { count: 0 },
    },
    circulators: {
      rows: rowsBy(circulatorOf).map(({ name, days }) => ({ circulator: name, days })),
      rest: { count: 0 },
    },
    linesPerCirculator: perCirculator.size === 0 ? null : ofWeek.length / perCirculator.size / daysSinceFirst,
  };
}

const nameOf = (userId: string | null) => (userId === null ? null : userId === uuidOf("ada") ? "ada" : "bea");

function expectedWork({ lines, sheets }: Records, timeZone: string, now: number) {
  const own = lines.filter(ofLakes).filter(ofNorth);
  const entered = own.filter(counted);
  const ownSheets = sheets.filter(ofLakes).filter(ofNorth);
  const circulatorOf = (line: Line) => ownSheets.find(({ number }) => number === line.sheet)?.circulator ?? null;
  const signers = new Set(
    lines
      .filter(ofLakes)
      .filter(counted)
      .filter(isAccepted)
      .map(({ voter_id }) => voter_id),
  );
  const nothing = { count: 0, lines: 0, accepted: 0, duplicates: 0 };
  return {
    circulators: {
      rows: [...Map.groupBy(entered, circulatorOf)]
        .map(([circulator, ownLines]) => ({ circulator, ...tally(ownLines) }))
        .sort((a, b) => b.lines - a.lines || nullsLast(a.circulator, b.circulator)),
      rest: nothing,
    },
    clerks: {
      rows: [...Map.groupBy(entered, ({ entered_by }) => entered_by)]
        .map(([userId, ownLines]) => ({
          userId,
          name: nameOf(userId),
          ...tally(ownLines),
          lastAt: latest(ownLines.map(({ entered_at }) => entered_at)),
        }))
        .sort((a, b) => b.lines - a.lines || nullsLast(a.userId, b.userId)),
      rest: nothing,
    },
    counties: {
      rows: [...Map.groupBy(entered.filter(isAccepted), ({ county }) => county)]
        .map(([county, countyLines]) => ({ county, accepted: countyLines.length }))
        .sort((a, b) => b.accepted - a.accepted || nullsLast(a.county, b.county)),
      rest: { count: 0, accepted: 0 },
    },
    openSheets: {
      rows: ownSheets
        .filter(({ closed_at }) => closed_at === null)
        .sort((a, b) => Date.parse(a.opened_at) - Date.parse(b.opened_at))
        .map(({ number, opened_at, signature_count }) => {
          const live = own.filter(({ sheet, removed_at }) => sheet === number && removed_at === null);
          const taken = new Set(live.flatMap(({ line }) => line ?? []));
          const blanks = live.filter((line) => !counted(line)).length;
          const expected = Math.max(signature_count ?? 0, Math.min((signature_count ?? 0) + blanks, 20));
          const highest = Math.max(signature_count === null ? 0 : expected, ...live.map(({ line }) => line ?? 0));
          return {
            number,
            openedBy: "ada",
            openedAt: opened_at,
            signatureCount: signature_count,
            lines: live.filter(counted).length,
            gapCount: highest - taken.size,
          };
        }),
      rest: { count: 0 },
    },
    shortSheets: {
      rows: ownSheets
        .map((sheet) => {
          const live = own.filter((line) => line.sheet === sheet.number && line.removed_at === null);
          const blanks = live.filter((line) => !counted(line)).length;
          const signatures = sheet.signature_count ?? 0;
          return {
            ...sheet,
            lines: live.length,
            expected: Math.max(signatures, Math.min(signatures + blanks, 20)),
          };
        })
        .flatMap(({ number, closed_at, signature_count, lines, expected }) =>
          closed_at === null || signature_count === null || expected <= lines
            ? []
            : [{ number, closedAt: closed_at, expected, lines }],
        )
        .sort((a, b) => Date.parse(a.closedAt) - Date.parse(b.closedAt)),
      rest: { count: 0 },
    },
    recent: expectedRecent(entered, circulatorOf, timeZone, now),
    outsideDates: entered.filter(isAccepted).filter(({ signed_on }) => signed_on && !signed_on.startsWith("2026-10"))
      .length,
    unsettled: checkedLines(lines)
      .filter(ofNorth)
      .filter(({ differs, right_entry }) => differs && right_entry === null).length,
    duplicatesFreed: {
      rows: entered
        .filter(({ verdict, voter_id }) => verdict === "duplicate" && voter_id !== null && !signers.has(voter_id))
        .sort((a, b) => (a.sheet ?? 99) - (b.sheet ?? 99) || (a.line ?? 99) - (b.line ?? 99) || (a.id < b.id ? -1 : 1))
        .map(({ id, sheet, line }) => ({ id, sheet, line })),
      rest: { count: 0 },
    },
  };
}

const read = (team = "north", campaign = "lakes") =>
  callFunction(database, "campaign_progress", [team, campaign, true]);
const readOfTeam = async (team: string, campaigns: string) =>
  (await database.sql(`select public.team_progress('${team}', '${campaigns}', '{}') as answer`))[0]?.answer;

const readPace = () =>
  database.sql<{ day: string; entered: number; accepted: number; needed: number }>(
    `select entered_at_day::text as day, lines_entered as entered, lines_valid as accepted, lines_needed as needed
     from reporting.goal_pace where team_id = 'north' and campaign_id = 'lakes' order by 1`,
  );

const setUp = async (timeZone: string) => {
  await database.sql("update public.teams set time_zone = $1", [timeZone]);
  await database.sql(
    `update public.campaigns set signature_goal = 500, starts_on = '2026-10-01', ends_on = '2026-11-01',
       required_signatures = 400, safety_margin = 10, official_rejection = 2.5, check_method = 'sample',
       sample_percent = 3, sample_minimum = 500, pass_percent = 110, fail_percent = 95, county_targets = $1::jsonb`,
    [JSON.stringify(targets)],
  );
};
const nowOf = async () => {
  const [clock] = await database.sql<{ at: string }>("select private.utc(now()) as at");
  return Date.parse(clock?.at ?? "");
};

test.each(["America/New_York", "Pacific/Auckland", "Asia/Kolkata"])(
  "progress and work in %s match random lines and sheets",
  async (timeZone) => {
    for (let seed = 1; seed <= 3; seed++) {
      await inWorld(database, lineWorld, async () => {
        await setUp(timeZone);
        const now = await nowOf();
        const records = randomRecords(seed, now);
        await storeRows(database, "lines", records.lines);
        await storeRows(database, "sheets", records.sheets);
        await database.sql(
          "insert into public.quality_lines select * from jsonb_populate_recordset(null::public.quality_lines, $1::jsonb)",
          [JSON.stringify(checkedLines(records.lines).map((line) => ({ ...line, drawn_at: "2026-11-19 09:00Z" })))],
        );
        const { progress, work } = progressResponseSchema.parse(await read());
        expect(progress).toEqual(expectedProgress(records, timeZone, now));
        expect(work).toEqual(expectedWork(records, timeZone, now));

        const pace = await readPace();
        expect(pace.filter(({ entered }) => entered > 0).map(({ needed: _, ...day }) => day)).toEqual(progress.days);
        const neededSoFar = (day: number) => Math.round((500 * day) / 32); // of 32 days
        expect(
          pace.filter(({ day }) => day >= "2026-10-01" && day <= "2026-11-01").map(({ needed }) => needed),
        ).toEqual(Array.from({ length: 32 }, (_, day) => neededSoFar(day + 1) - neededSoFar(day)));

        expect(await readOfTeam("north", "{lakes,nowhere}")).toEqual([
          {
            campaignId: "lakes",
            version: expect.any(String),
            progress,
            sheetsOpenForDays: work?.openSheets.rows.filter(
              ({ openedAt }) => dayIn(timeZone, openedAt) < dayAfter(progress.today, -1),
            ).length,
            outsideDates: work?.outsideDates,
          },
        ]);
      });
    }
  },
);

test("a campaign without lines has zeros and empty lists, and a pace until yesterday", () =>
  inWorld(database, lineWorld, async () => {
    await setUp("UTC");
    const nothing = { lines: [], sheets: [] };
    const { progress, work } = progressResponseSchema.parse(await read());
    const now = await nowOf();
    expect(progress).toEqual(expectedProgress(nothing, "UTC", now));
    expect(work).toEqual(expectedWork(nothing, "UTC", now));
    await database.sql("update public.campaigns set ends_on = '2126-10-01'");
    expect((await readPace()).at(-1)).toMatchObject({ day: dayAfter(progress.today, -1), entered: 0 });
    await database.sql("update public.campaigns set ends_on = null");
    expect(await readPace()).toEqual([]);
  }));

test("the counties of a team are those of its own lines, not of other teams in its campaigns, and of the voter file, which also has the districts", () =>
  inWorld(database, lineWorld, async () => {
    await storeRows(database, "lines", [
      { team_id: "south", campaign_id: "lakes", verdict: "accepted", voter_id: "V-1", county: "Pierce" },
      { team_id: "north", campaign_id: "lakes", verdict: "accepted", voter_id: "V-2", county: "King" },
      { team_id: "north", campaign_id: "lakes", verdict: "accepted", voter_id: "V-3", county: "King" },
      { team_id: "north", campaign_id: "lakes", verdict: "not-found", voter_id: null, county: null },
      { team_id: "north", campaign_id: "rivers", verdict: "accepted", voter_id: "V-4", county: "Lewis" },
    ]);
    const areas = (team: string) => callFunction(database, "list_areas", [team]);
    expect(await areas("nowhere")).toEqual({ counties: [], districts: [] });
    expect(await areas("north")).toEqual({ counties: ["King", "Lewis"], districts: [] });
    expect(await areas("south")).toEqual({ counties: ["Pierce"], districts: [] });
    await database.sql("insert into voterfile.counties values ('Clark', 500), ('Pierce', 700)");
    await database.sql("insert into voterfile.districts values ('33'), ('11')");
    expect(await areas("south")).toEqual({ counties: ["Clark", "Pierce"], districts: ["11", "33"] });
  }));

test("missing teams and campaigns have no progress", () =>
  inWorld(database, lineWorld, async () => {
    expect(await read("nowhere")).toBeNull();
    expect(await read("north", "nowhere")).toBeNull();
    expect(await readOfTeam("south", "{rivers}")).toEqual([]);
  }));

test("lists have at most a hundred rows and the totals of the rest; a sheet of any size counts its gaps", () =>
  inWorld(database, lineWorld, async () => {
    await database.sql(
      `insert into public.sheets (team_id, campaign_id, number, circulator, signature_count, opened_at)
       select 'north', 'lakes', i, 'Circulator ' || i, 1000, timestamptz '2026-11-01' + i * interval '1 minute'
       from generate_series(1, 103) i`,
    );
    await database.sql(
      `insert into public.lines (team_id, campaign_id, sheet, line, verdict, voter_id, county, entered_by, entered_at)
       select 'north', 'lakes', i, n, v.verdict, 'V-' || i, 'County ' || i, md5(i::text)::uuid, now() - interval '1 day'
       from generate_series(1, 103) i cross join (values (1, 'duplicate'), (3, 'accepted')) v (n, verdict)
       where i < 100 or n = 3`,
    );
    await database.sql(
      `insert into public.lines (team_id, campaign_id, verdict, voter_id)
       select 'north', 'lakes', 'duplicate', 'W-' || i from generate_series(1, 101) i`,
    );
    const { work, progress } = progressResponseSchema.parse(await read());
    expect(progress.collected).toBe(103 * 1_000 + 101);
    // Lines without a circulator or a clerk make one more row.
    const rest = { count: 4, lines: 4, accepted: 4, duplicates: 0 };
    expect([work?.circulators.rows.length, work?.circulators.rest]).toEqual([100, rest]);
    expect([work?.clerks.rows.length, work?.clerks.rest]).toEqual([100, rest]);
    const newer = work?.recent;
    expect([newer?.clerks.rows.length, newer?.clerks.rest]).toEqual([100, { count: 4 }]);
    expect([newer?.circulators.rows.length, newer?.circulators.rest]).toEqual([100, { count: 4 }]);
    expect(newer?.linesPerCirculator).toBe((2 * 99 + 4) / 103);
    expect([work?.counties.rows.length, work?.counties.rest]).toEqual([100, { count: 3, accepted: 3 }]);
    expect([work?.openSheets.rows.length, work?.openSheets.rest]).toEqual([100, { count: 3 }]);
    expect([work?.duplicatesFreed.rows.length, work?.duplicatesFreed.rest]).toEqual([100, { count: 1 }]);
    expect(work?.openSheets.rows[0]).toMatchObject({ gapCount: 998 });
  }));
