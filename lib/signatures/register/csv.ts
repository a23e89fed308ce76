import "server-only";
import { type CsvPiece, type CsvValue, csv, csvRow } from "@/lib/format/csv";
import { dayIn, toCsvTime } from "@/lib/format/days";
import type { CampaignOfTeam } from "@/lib/ids";
import { placeText } from "@/lib/signatures/line-text";
import type { RegisterFilter, RegisterView } from "@/lib/signatures/register/filter";
import { type RegisterLine, readRegisterPage } from "@/lib/signatures/register/register";
import { verdictWords } from "@/lib/signatures/verdicts";

// The columns of the screen, then what it shows of one line. Days and times are ISO 8601, which every program reads.
const columns: [head: string, cell: (line: RegisterLine, time: (timestamp: string) => string) => CsvValue][] = [
  ["Sheet", ({ sheet }) => sheet],
  ["Line", ({ line }) => line],
  ["Last name", ({ lastName }) => lastName],
  ["First name", ({ firstName }) => firstName],
  ["Status", ({ verdict }) => verdictWords[verdict]],
  ["Voter ID", ({ voterId }) => voterId],
  ["Signed", ({ signedOn }) => signedOn],
  ["Circulator", ({ circulator }) => circulator],
  ["Entered", ({ enteredAt }, time) => time(enteredAt)],
  ["Entered by", ({ enteredBy }) => enteredBy && (enteredBy.name ?? enteredBy.id)],
  ["Address", ({ address }) => address],
  ["City", ({ city }) => city],
  ["County", ({ county }) => county],
  ["ZIP code", ({ zip }) => zip],
  ["Note", ({ note }) => note],
  ["First signature", ({ first }) => first && (first.ownTeam ? placeText(first) : "with another team")],
  ["Removed", ({ removedAt }, time) => removedAt && time(removedAt)],
  ["Removal reason", ({ removedBecause }) => removedBecause],
];

/** The name of a file of a campaign's lines: with the sheet, or the day of the download. */
export const registerFileName = (campaign: string, sheet: number | undefined, timeZone: string): string =>
  `${campaign}, ${sheet ? `sheet ${sheet}` : `signatures ${dayIn(timeZone, new Date())}`}`;

/**
 * The lines of a team that match a filter as the pieces of a CSV file: a head row, then one row a line. Times are those in
 * the time zone. Guard `signatures.view` first. If the first read fails, this throws, so that no file is cut off.
 */
export async function registerCsv({
  place,
  filter,
  sort,
  timeZone,
  pageSize = 1_000,
}: {
  place: CampaignOfTeam;
  filter: RegisterFilter;
  sort?: RegisterView["sort"];
  timeZone: string;
  pageSize?: number;
}): Promise<AsyncIterable<CsvPiece>> {
  const query = { ...place, filter, sort, size: pageSize };
  const time = (timestamp: string) => toCsvTime(timestamp, timeZone);
  const first = await readRegisterPage(query, null);
  return (async function* () {
    yield { text: csv([columns.map(([head]) => head)]), rowCount: 0 };
    for (let page = first; ; ) {
      const text = page.lines.map((line) => csvRow(columns.map(([, cell]) => cell(line, time)))).join("");
      yield { text, rowCount: page.lines.length };
      const last = page.lines.at(-1);
      if (!page.more || !last) return;
      page = await readRegisterPage(query, { id: last.id });
    }
  })();
}
