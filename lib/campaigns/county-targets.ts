import { didYouMean } from "@/lib/format/text";
import { fieldNumber, pointsAsCommas, readWholeNumber } from "@/lib/forms/read-number";

export type CountyTarget = { county: string; target: number };

const isTitle = /^(county|counties|district|name)$/i;
const isTotal = /^(grand )?total$/i;
// Also `Benton - 900` and `Benton (900)`.
const countyAndNumber = /^(.*?)(?:[\t,;:=]|\s*[-–—(]\s*(?=\d[\d,.'’ ]*\)?$)|\s(?=\d[\d,.'’ ]*$))(.*?)\)?$/;
// As `private.county_key` in SQL.
const withoutCounty = (name: string) => name.replace(/\s+county$/i, "");
const [maxTargets, maxLength, maxTarget] = [300, 100, 100_000_000];

/**
 * Reads a county and its number from each line of a pasted text: `King, 12,000`, or the first two columns of a spreadsheet. Empty
 * lines, a line of titles and one of totals are skipped. `King County` is read as `King`. `problems` and `doubts` are sentences to
 * show; a county that isn't a known one is in doubt, unless none is known.
 */
export function readCountyTargets(
  text: string,
  knownCounties: string[] = [],
): { targets: CountyTarget[]; problems: string[]; doubts: string[] } {
  const targets = new Map<string, CountyTarget>();
  const known = new Set(knownCounties.map((name) => withoutCounty(name).toLowerCase()));
  const problems: string[] = [];
  const doubts: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    // Longer lines aren't read: they could take long.
    const parts = line.length > 250 ? null : countyAndNumber.exec(line.replaceAll('"', "").trim());
    const [name = "", number = ""] = (parts ?? []).slice(1).map((part) => part.trim().split("\t")[0]?.trim());
    const county = withoutCounty(name);
    if (line.trim() === "" || (targets.size === 0 ? isTitle : isTotal).test(county)) continue;
    const target = readWholeNumber(number);
    const meant = pointsAsCommas(number);
    const key = county.toLowerCase();
    const problem =
      county === "" || number === ""
        ? `“${line.trim().slice(0, 50)}” isn't a county and a number. Enter it like this: King, 12,000.`
        : county.length > maxLength
          ? `The name is longer than ${maxLength} characters.`
          : !(target >= 1 && target <= maxTarget)
            ? `“${number}” isn't a whole number from 1 to 100,000,000.${meant === null ? "" : ` Did you mean ${meant}?`}`
            : targets.has(key)
              ? `${county} is listed twice.`
              : null;
    if (problem !== null) problems.push(`Line ${index + 1}: ${problem}`);
    else targets.set(key, { county, target });
    if (problem === null && known.size > 0 && !known.has(key))
      doubts.push(
        `Line ${index + 1}: There are no voters or lines from ${county}.${didYouMean(county, knownCounties)}`,
      );
  }
  if (targets.size > maxTargets) problems.push(`Enter at most ${maxTargets} counties.`);
  return { targets: [...targets.values()], problems, doubts };
}

/** The targets as a text that `readCountyTargets` reads, with numbers as fields show them. */
export const countyTargetsText = (targets: readonly CountyTarget[], format: (value: number) => string) =>
  targets.map(({ county, target }) => `${county}, ${fieldNumber(target, format)}`).join("\n");
