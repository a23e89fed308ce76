import { beforeEach, expect, test, vi } from "vitest";
import type { CsvPiece } from "../../../lib/format/csv.ts";
import { registerCsv, registerFileName } from "../../../lib/signatures/register/csv.ts";
import type { RegisterLine, RegisterPage } from "../../../lib/signatures/register/register.ts";

const read = vi.hoisted(() => vi.fn());
vi.mock("../../../lib/signatures/register/register.ts", () => ({ readRegisterPage: read }));
beforeEach(() => read.mockReset());

const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const line = (given: Partial<RegisterLine>): RegisterLine => ({
  id: idOf(1),
  sheet: 12,
  line: 1,
  verdict: "accepted",
  voterId: "V-1",
  firstName: "Ann",
  lastName: "Lee",
  address: "1 Oak St",
  city: "Kent",
  county: "King",
  zip: "98030",
  signedOn: "2026-11-03",
  note: null,
  circulator: "M. Osei",
  enteredAt: "2026-11-04T07:30:00.000Z",
  enteredBy: { id: idOf(9), name: "Kim" },
  removedAt: null,
  removedBecause: null,
  isCorrected: false,
  first: null,
  ...given,
});
const place = { team: "riverside", campaign: "clean-water" };
const timeZone = "America/Los_Angeles";
const pageOf = (...lines: RegisterLine[]) =>
  read.mockResolvedValueOnce({ lines, more: false, similar: false } satisfies RegisterPage);
async function piecesOf() {
  const pieces: CsvPiece[] = [];
  for await (const piece of await registerCsv({ place, filter: {}, timeZone })) pieces.push(piece);
  return pieces.map(({ text }) => text);
}

test("writes dates and times as ISO 8601 in the time zone of the team, and no cell as a formula", async () => {
  const removed = { removedAt: "2026-11-05T00:00:00.000Z", removedBecause: "+1" };
  pageOf(line({ lastName: "=1+1", note: "@home", circulator: "-2", ...removed }));
  const [, row] = await piecesOf();
  expect(row).toBe(
    `12,1,"'=1+1","Ann","valid","V-1","2026-11-03","'-2","2026-11-03 23:30","Kim",` +
      `"1 Oak St","Kent","King","98030","'@home",,"2026-11-04 16:00","'+1"\r\n`,
  );
});

test.each<[string, RegisterLine["first"], string]>([
  [
    "on a line of the team",
    { ownTeam: true, id: idOf(8), sheet: 3, line: 9, firstName: null, lastName: null },
    '"sheet 3, line 9"',
  ],
  ["with another team", { ownTeam: false }, '"with another team"'],
])("names the first signature of a duplicate: %s", async (_where, first, cell) => {
  pageOf(line({ verdict: "duplicate", first }));
  const [, row] = await piecesOf();
  expect(row).toContain(`,,${cell},,`);
});

test("names a file by its sheet, or by the day of the download in the time zone of the team", () => {
  vi.useFakeTimers({ now: new Date("2026-11-29T02:00:00Z") });
  expect(registerFileName("Clean water", 658, timeZone)).toBe("Clean water, sheet 658");
  expect(registerFileName("Clean water", undefined, timeZone)).toBe("Clean water, signatures 2026-11-28");
  vi.useRealTimers();
});

test("fails before the header if the first page fails, and has only a header without lines", async () => {
  read.mockRejectedValueOnce(new Error("unreachable"));
  await expect(registerCsv({ place, filter: {}, timeZone })).rejects.toThrow("unreachable");
  pageOf();
  expect((await piecesOf()).join("").split("\r\n")).toHaveLength(2);
});
