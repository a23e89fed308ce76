import "server-only";
import { type CsvPiece, type CsvValue, csv, csvRow } from "@/lib/format/csv";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import { placeText } from "@/lib/signatures/line-text";
import type { RegisterFilter } from "@/lib/signatures/register/filter";
import { type RegisterLine, readRegisterPage } from "@/lib/signatures/register/register";
import { verdictWords } from "@/lib/signatures/verdicts";

const columns: [head: string, cell: (line: RegisterLine, format: Format) => CsvValue][] = [
  ["Sheet", ({ sheet }) => sheet],
  ["Line", ({ line }) => line],
  ["Verdict", ({ verdict }) => verdictWords[verdict]],
  ["Last name", ({ lastName }) => lastName],
  ["First name", ({ firstName }) => firstName],
  ["Voter ID", ({ voterId }) => voterId],
  ["Address", ({ address }) => address],
  ["City", ({ city }) => city],
  ["County", ({ county }) => county],
  ["Zip", ({ zip }) => zip],
  ["Signed", ({ signedOn }, { day }) => signedOn && day(signedOn)],
  ["Circulator", ({ circulator }) => circulator],
  ["Note", ({ note }) => note],
  ["First signature", ({ first }) => first && (first.ownTeam ? placeText(first) : "another team")],
  ["Entered", ({ enteredAt }, { dateTime }) => dateTime(enteredAt)],
  ["Entered by", ({ enteredBy }) => enteredBy && (enteredBy.name ?? enteredBy.id)],
  ["Removed", ({ removedAt }, { dateTime }) => removedAt && dateTime(removedAt)],
  ["Removal reason", ({ removedBecause }) => removedBecause],
];

/**
 * The lines of a team that match a filter as the pieces of a CSV file: a head row, then one row a line, by time of entry.
 * Guard `signatures.view` first; throws before the first piece.
 */
export async function registerCsv({
  place,
  filter,
  format,
  pageSize = 1_000,
}: {
  place: CampaignOfTeam;
  filter: RegisterFilter;
  format: Format;
  pageSize?: number;
}): Promise<AsyncIterable<CsvPiece>> {
  const asked = { ...place, filter, sort: "entered", size: pageSize } as const;
  const first = await readRegisterPage(asked, null);
  return (async function* () {
    yield { text: csv([columns.map(([head]) => head)]), rowCount: 0 };
    for (let page = first; ; ) {
      const text = page.lines.map((line) => csvRow(columns.map(([, cell]) => cell(line, format)))).join("");
      yield { text, rowCount: page.lines.length };
      const last = page.lines.at(-1);
      if (!page.more || !last) return;
      page = await readRegisterPage(asked, { id: last.id });
    }
  })();
}
