import type { Format } from "@/lib/format/format-of";
import { equalIgnoringCase, findNearestName } from "@/lib/format/text";
import { readWholeNumber } from "@/lib/forms/read-number";
import type { SheetDetails } from "@/lib/signatures/changes";
import { closingReport, expectedLines } from "@/lib/signatures/entry/shown-lines";
import { beforeCampaignText } from "@/lib/signatures/entry/signed-date";
import type { Sheet } from "@/lib/signatures/line";
import { enteredText, personAtStart } from "@/lib/signatures/line-text";
import type { Verdict } from "@/lib/signatures/verdicts";

/** What to ask before a sheet is opened, and the words of its button. `field` is the first field that it asks about. */
export type SheetQuestion = { text: string; yes: string; reopens?: true; field?: string; meantCirculator?: string };

/** The filled-in details of a sheet. */
export function readSheet(form: FormData): SheetDetails {
  const typed = (name: string) => String(form.get(name) ?? "").trim();
  const [circulator, collectedOn, signatures] = ["circulator", "collectedOn", "signatureCount"].map(typed);
  return {
    ...(circulator && { circulator }),
    ...(collectedOn && { collectedOn }),
    ...(signatures && { signatureCount: readWholeNumber(signatures) }),
  };
}

const maxNumberGap = 100;

type KnownSheet = Pick<Sheet, "closedAt" | "signatureCount" | "mine" | "openedBy"> & {
  entered: readonly { line: number; verdict: Verdict }[];
};

/** When a closed sheet was closed, and how many of its lines are entered. */
export function closedText(
  { number, closedAt, signatureCount, entered }: Omit<KnownSheet, "mine" | "openedBy"> & { number: number },
  linesPerSheet: number,
  format: Format,
): string {
  const lines = new Map(entered.map(({ line, verdict }) => [line, { state: verdict }]));
  const lineCount = expectedLines(signatureCount, { lines, linesPerSheet });
  const text = enteredText(closingReport(lines, lineCount), format);
  return `Sheet ${number} was closed on ${format.shortDay(closedAt ?? "")} with ${text}.`;
}

/**
 * The question before a sheet is opened: it is closed, just taken, far from the others, or its data is unexpected. Null if
 * nothing is odd. With `confirm`, before a sheet is renumbered or saved, only the last two are asked.
 */
export function sheetQuestion(
  {
    number,
    sheet,
    isSuggested,
    others,
    linesPerSheet,
    startsOn,
    collectedOn,
    signatureCount,
    circulator,
    circulators,
    confirm,
  }: {
    number: number;
    /** The sheet with this number, if it exists and can be read. */
    sheet: KnownSheet | null;
    /** Whether it was the next number when it was filled in. */
    isSuggested: boolean;
    /** The known numbers of other sheets. */
    others: readonly number[];
    linesPerSheet: number;
    /** The campaign's first day, and the day that was typed, YYYY-MM-DD. */
    startsOn: string | null;
    collectedOn: string | null | undefined;
    signatureCount: number | null | undefined;
    circulator: string | null | undefined;
    circulators: readonly string[];
    /** How to confirm, where the sheet isn't opened. */
    confirm?: string;
  },
  format: Format,
): SheetQuestion | null {
  const { number: inDigits, count } = format;
  if (sheet?.closedAt && !confirm) {
    return {
      text: `${closedText({ ...sheet, number }, linesPerSheet, format)} Reopen it?`,
      yes: `Reopen sheet ${number}`,
      reopens: true,
    };
  }
  const yes = `${sheet ? "Resume" : "Start"} sheet ${number}`;
  if (sheet && !sheet.mine && isSuggested) {
    return { text: `${personAtStart(sheet.openedBy)} has just opened sheet ${number}. Resume it?`, yes };
  }
  const questions: [field: string, text: string][] = [];
  let meantCirculator: string | null = null;
  if (!sheet && others.length > 0 && others.every((one) => Math.abs(one - number) > maxNumberGap)) {
    const nearest = others.toSorted((a, b) => Math.abs(a - number) - Math.abs(b - number))[0];
    questions.push(["sheet", `The closest sheet number is ${nearest}.`]);
  }
  const early = collectedOn && beforeCampaignText(collectedOn, { startsOn, format });
  if (early) questions.push(["collectedOn", `${format.day(collectedOn)} ${early}.`]);
  if (signatureCount && signatureCount > linesPerSheet) {
    questions.push([
      "signatureCount",
      `${inDigits(signatureCount)} signatures is more than the ${inDigits(linesPerSheet)} lines on a sheet.`,
    ]);
  }
  const signatures = sheet?.entered.filter(({ verdict }) => verdict !== "blank").length ?? 0;
  if (signatureCount && signatureCount < signatures)
    questions.push([
      "signatureCount",
      `This sheet already has ${count(signatures, "signature")} entered, more than ${inDigits(signatureCount)}.`,
    ]);
  if (circulator && circulators.length > 0 && !circulators.some((name) => equalIgnoringCase(name, circulator))) {
    questions.push(["circulator", `“${circulator}” has no sheets yet.`]);
    meantCirculator = findNearestName(circulator, circulators);
  }
  const [first] = questions;
  if (!first) return null;
  const ask = meantCirculator ? `Did you mean ${meantCirculator}?` : !confirm && `${yes} anyway?`;
  const text = [...questions.map(([, text]) => text), ask, confirm].filter(Boolean).join(" ");
  return { text, yes, field: first[0], ...(meantCirculator && { meantCirculator }) };
}
