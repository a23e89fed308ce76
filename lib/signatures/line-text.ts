import type { Format } from "@/lib/format/format-of";
import type { Line } from "@/lib/signatures/line";

/** Where a line is on paper, `sheet 12, line 4`; `none` where it has neither number. */
export function placeText({ sheet, line }: { sheet?: number | null; line?: number | null }, none = "no sheet"): string {
  return [sheet != null && `sheet ${sheet}`, line != null && `line ${line}`].filter(Boolean).join(", ") || none;
}

/** Ascending line numbers in short: `1–12` and `15`. */
export function rangesText(lines: readonly number[]): string[] {
  const ranges: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.to === line - 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`));
}

/** How many lines of a sheet are entered: `17 of 20 lines`, `20 of 20 lines: 17 signatures, 3 blank`. */
export const enteredText = (
  { lines, blank, expected }: { lines: number; blank: number; expected: number },
  { count, number }: Format,
) =>
  `${number(lines + blank)} of ${count(expected, "line")}${blank > 0 ? `: ${count(lines, "signature")}, ${number(blank)} blank` : ""}`;

/** A person as on lists: `Smith, Ada`; empty without any name. */
export const nameText = ({ lastName, firstName }: { lastName?: string | null; firstName?: string | null }) =>
  [lastName, firstName].filter(Boolean).join(", ");

/** The signer on lists, with the house number unless they are a voter: `smith, ada, 12`. */
export const signerText = ({
  voterId,
  address,
  ...names
}: Parameters<typeof nameText>[0] & Pick<Line, "voterId" | "address">) =>
  [nameText(names), voterId === null && address].filter(Boolean).join(", ");

/** Who did something: a name, `you`, or a deleted account. */
export const personText = (name: string | null, isYou = false) => (isYou ? "you" : (name ?? "a deleted account"));

/** Who did something, at the start of a sentence: `You`, but `de Vries`. */
export const personAtStart = (name: string | null, isYou = false) => (isYou ? "You" : (name ?? "A deleted account"));

/** That a line is taken, and by what: `You already entered Smith, Ada on line 4 (valid).` */
export function alreadyEnteredText(
  { name, enteredBy, mine }: { name: string | null; enteredBy: string | null; mine: boolean },
  { place, details }: { place: string; details: string },
): string {
  const what = name ? `${name} on ${place}` : place;
  return `${personAtStart(enteredBy, mine)} already entered ${what} (${details}).`;
}

/** How a difference between two entries was settled. */
export const rightEntryTexts = {
  first: "the first entry is right",
  second: "the second entry is right",
  neither: "neither entry is right",
};
