import { z } from "zod";
import { formatOf, type Region } from "@/lib/format/format-of";
import { verdicts, verdictWords } from "@/lib/signatures/verdicts";

/** The team's way to write days and times. */
export const regionShape = { timeZone: z.string(), locale: z.string() };

/** What stands on a line of a sheet already, who keyed it and when. */
export const takenSchema = z.object({
  id: z.uuid(),
  verdict: z.enum(verdicts),
  voterId: z.string().optional(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  /** A name; missing when her account is gone. */
  enteredBy: z.string().optional(),
  /** The one who asks keyed it. */
  mine: z.boolean(),
  /** ISO 8601 in UTC. */
  enteredAt: z.string(),
  ...regionShape,
});
export type Taken = z.infer<typeof takenSchema>;

/** Why a line is refused whose place is taken, and what to do: `advice`, or what one does who keys a line. */
export function takenText(
  { sheet, line }: { sheet: number | null; line: number | null },
  { verdict, voterId, firstName, lastName, enteredBy, enteredAt, ...region }: Taken,
  advice = "Correct the number of this line, or have the other one removed and send this one again.",
): string {
  const name = [lastName, firstName].filter(Boolean).join(", ") || (voterId && `voter ${voterId}`);
  const what = [name, verdictWords[verdict]].filter(Boolean).join(", ");
  const who = `${enteredBy ?? "somebody whose account is gone"} on ${formatOf(region).dateTime(enteredAt)}`;
  return `Sheet ${sheet}, line ${line} is taken: ${what}, keyed by ${who}. ${advice}`;
}

/** Why a line is refused whose id another line has, where that one is now, and what to do. */
export function idTakenText(by: { sheet?: number; line?: number } = {}): string {
  const at = by.sheet && by.line ? ` at sheet ${by.sheet}, line ${by.line},` : "";
  return `Couldn't save this line: another line${at} has its ID. Compare the two, then send it again or discard it.`;
}

/** Why a line is refused that was signed outside the campaign's days (YYYY-MM-DD), and what to do, likewise. */
export function outsideDatesText(
  signedOn: string | null,
  { startsOn, endsOn, ...region }: { startsOn: string | null; endsOn: string | null } & Region,
  advice = "Correct the day, or record the line as outside dates.",
): string {
  const { day } = formatOf(region);
  const days = [startsOn && `from ${day(startsOn)}`, endsOn && `to ${day(endsOn)}`].filter(Boolean);
  return (
    `The day signed${signedOn === null ? "" : `, ${day(signedOn)},`} is outside the campaign's days, ${days.join(" ")}. ` +
    advice
  );
}

/** Why a line or a sheet is refused for good, and what to do, by the outcome that the database answers. */
export const lineRefusals = {
  "not-allowed": "You may not do this in this campaign any more. Reload the page to see what you may do.",
  "not-found": "This line is not in this campaign. Reload the page to see which lines are.",
  "reason-missing": "Somebody else keyed this line. Say why it is removed, and remove it then.",
  "no-sheet": "There is no such sheet. Reload the page to see which there are.",
  archived:
    "This campaign is archived: it takes no lines and no sheets. Ask the team that runs it to bring it back, then send this again.",
} as const;
