import { beforeEach, expect, test, vi } from "vitest";
import type { CsvPiece } from "../../../lib/format/csv.ts";
import { formatOf } from "../../../lib/format/format-of.ts";
import { registerCsv } from "../../../lib/signatures/register/csv.ts";
import type { RegisterLine, RegisterPage } from "../../../lib/signatures/register/register.ts";

const read = vi.hoisted(() => vi.fn());
vi.mock("../../../lib/signatures/register/register.ts", () => ({ readRegisterPage: read }));
beforeEach(() => read.mockReset());

const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const line = (given: Partial<RegisterLine>): RegisterLine => ({
  ...{ id: idOf(1), sheet: 12, line: 1, verdict: "accepted", voterId: "V-1", firstName: "Ann", lastName: "Lee" },
  ...{ address: "1 Oak St", city: "Kent", county: "King", zip: "98030", signedOn: "2026-11-03", note: null },
  ...{ circulator: "M. Osei", enteredAt: "2026-11-04T07:30:00.000Z", enteredBy: { id: idOf(9), name: "Kim" } },
  ...{ removedAt: null, removedBecause: null, first: null },
  ...given,
});
const place = { team: "riverside", campaign: "clean-water" };
const format = formatOf({ locale: "en-US", timeZone: "America/Los_Angeles" });
const pageOf = (...lines: RegisterLine[]) => read.mockResolvedValueOnce({ lines, more: false } satisfies RegisterPage);
async function piecesOf() {
  const pieces: CsvPiece[] = [];
  for await (const piece of await registerCsv({ place, filter: {}, format })) pieces.push(piece);
  return pieces.map(({ text }) => text);
}

test("writes dates and times as the team does, and no cell as a formula", async () => {
  const removed = { removedAt: "2026-11-05T00:00:00.000Z", removedBecause: "+1" };
  pageOf(line({ lastName: "=1+1", note: "@home", circulator: "-2", ...removed }));
  const [, row] = await piecesOf();
  expect(row).toBe(
    `12,1,"valid","'=1+1","Ann","V-1","1 Oak St","Kent","King","98030","Nov 3, 2026","'-2","'@home",,` +
      `"Nov 3, 2026, 11:30 PM","Kim","Nov 4, 2026, 4:00 PM","'+1"\r\n`,
  );
});

test.each<[string, RegisterLine["first"], string]>([
  [
    "on a line of the team",
    { ownTeam: true, id: idOf(8), sheet: 3, line: 9, firstName: null, lastName: null },
    '"sheet 3, line 9"',
  ],
  ["with another team", { ownTeam: false }, '"another team"'],
])("names the first signature of a duplicate: %s", async (_where, first, cell) => {
  pageOf(line({ verdict: "duplicate", first }));
  const [, row] = await piecesOf();
  expect(row).toContain(`,,${cell},"Nov 3`);
});

test("fails before the header if the first page fails, and has only a header without lines", async () => {
  read.mockRejectedValueOnce(new Error("unreachable"));
  await expect(registerCsv({ place, filter: {}, format })).rejects.toThrow("unreachable");
  pageOf();
  expect((await piecesOf()).join("").split("\r\n")).toHaveLength(2);
});
