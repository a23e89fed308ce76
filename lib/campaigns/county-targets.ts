import { didYouMean } from "@/lib/format/text";
import { fieldNumber, pointsAsCommas, readWholeNumber } from "@/lib/forms/read-number";

export type CountyTarget = { county: string; target: number };
/** A sentence about a line; a problem has to be fixed. */
export type CountyNote = { text: string; isProblem: boolean };

const isTitle = /^(county|counties|district|name)$/i;
const isTotal = /^(grand )?total$/i;
// Also `Benton - 900`, `Benton (900)` and `Benton 9k`.
const countyAndNumber = /^(.*?)(?:[\t,;:=]|\s*[-–—(]\s*(?=\d[\d,.'’ ]*k?\)?$)|\s(?=\d[\d,.'’ ]*k?$))(.*?)\)?$/i;
// Where the next county begins on the same line: `King, 900; Pierce, 400`.
const nextCounty = /(?<=\dk?);\s*(?=\p{L})/iu;
const bulletOrEnd = /^(?:[•·*]|[-–—]\s)\s*|;$/g;
// The same as `private.county_key` in SQL.
const withoutCounty = (name: string) => name.replace(/\s+county$/i, "");
const [maxTargets, maxLength, maxTarget] = [300, 100, 100_000_000];

/**
 * Reads a county and its number from each line of a pasted text, such as `King, 12,000`. A spreadsheet's first two columns work
 * too. Empty lines, a line of titles and one of totals are skipped. `King County` is read as `King`, and a known county as it
 * is known. The notes are in the order of the lines; one says that a county isn't a known one, unless none is known.
 */
export function readCountyTargets(
  text: string,
  knownCounties: string[] = [],
): { targets: CountyTarget[]; notes: CountyNote[] } {
  const targets = new Map<string, CountyTarget>();
  const known = new Map(knownCounties.map((name) => [withoutCounty(name).toLowerCase(), withoutCounty(name)]));
  const notes: CountyNote[] = [];
  const lines = text
    .split(/\r?\n/)
    .flatMap((line, index) => line.split(nextCounty).map((part) => [index + 1, part] as const));
  for (const [lineNumber, line] of lines) {
    const note = (text: string, isProblem = false) => notes.push({ text: `Line ${lineNumber}: ${text}`, isProblem });
    // Longer lines aren't read: they could take long.
    const bare = line.length > 250 ? "" : line.replaceAll('"', "").trim().replace(bulletOrEnd, "");
    const parts = countyAndNumber.exec(bare);
    const [name = "", number = ""] = (parts ?? []).slice(1).map((part) => part.trim().split("\t")[0]?.trim());
    const county = withoutCounty(name);
    if (line.trim() === "" || (targets.size === 0 && isTitle.test(county))) continue;
    if (targets.size > 0 && isTotal.test(county)) {
      note(`Skipped the ${county} line.`);
      continue;
    }
    const target = readWholeNumber(number.replace(/(?<=\d) ?k$/i, "000"));
    const meant = pointsAsCommas(number);
    const key = county.toLowerCase();
    const problem =
      county === "" || number === ""
        ? `“${line.trim().slice(0, 50)}” needs a county and a number, such as King, 12,000.`
        : county.length > maxLength
          ? `The name is longer than ${maxLength} characters.`
          : !(target >= 1 && target <= maxTarget)
            ? `“${number}” isn't a whole number from 1 to 100,000,000.${meant === null ? "" : ` Did you mean ${meant}?`}`
            : targets.has(key)
              ? `${county} is listed twice.`
              : null;
    if (problem !== null) note(problem, true);
    else targets.set(key, { county: known.get(key) ?? county, target });
    if (problem === null && known.size > 0 && !known.has(key))
      note(`“${county}” isn't a county in the voter file. Check its name.${didYouMean(county, knownCounties)}`);
  }
  if (targets.size > maxTargets) notes.push({ text: `Enter at most ${maxTargets} counties.`, isProblem: true });
  return { targets: [...targets.values()], notes };
}

/** The targets as a text that `readCountyTargets` reads, with numbers as fields show them. */
export const countyTargetsText = (targets: readonly CountyTarget[], format: (value: number) => string) =>
  targets.map(({ county, target }) => `${county}, ${fieldNumber(target, format)}`).join("\n");
