import { z } from "zod";
import { formatOf } from "@/lib/format/format-of";
import { lineSchema, type SignedAt, signedAtSchema } from "@/lib/signatures/line";
import { alreadyEnteredText, nameText, placeText } from "@/lib/signatures/line-text";
import { verdictWords } from "@/lib/signatures/verdicts";
import type { Refusals } from "@/lib/supabase/call-sql";

const regionShape = { timeZone: z.string(), locale: z.string() };
export const takenSchema = z.object({ taken: lineSchema, ...regionShape });
type Taken = z.infer<typeof takenSchema>;

export const unstorableMessage = "This can't be saved as it is. Correct it and send it again.";

export const someoneElseSignedIn =
  "Someone else is signed in on this device now. Sign in again as the person who entered these lines.";

/** Why a line with a taken place is refused, and what to do. */
export function takenText(
  { taken, ...region }: Taken,
  advice = "Correct this line's number, or have the other line removed and send this one again.",
): string {
  const { verdict, voterId, enteredBy, mine, enteredAt } = taken;
  const name = nameText(taken) || (voterId && `voter ${voterId}`);
  const details = `${verdictWords[verdict]}, ${formatOf(region).dateTime(enteredAt)}`;
  return `${alreadyEnteredText({ name, enteredBy, mine }, { place: placeText(taken), details })} ${advice}`;
}

const refuseTaken = (advice: string) => (returned: unknown) =>
  ["conflict", takenText(takenSchema.parse(returned), advice)] as const;

const date = z.iso.date().nullable();
const outsideDatesSchema = z.object({ signedOn: date, startsOn: date, endsOn: date, ...regionShape });

const refuseOutsideDates = (advice: string) => (returned: unknown) => {
  const { signedOn, startsOn, endsOn, ...region } = outsideDatesSchema.parse(returned);
  const { day } = formatOf(region);
  const dates = [startsOn && `from ${day(startsOn)}`, endsOn && `${startsOn ? "to" : "until"} ${day(endsOn)}`]
    .filter(Boolean)
    .join(" ");
  const signed = signedOn === null ? "" : `, ${day(signedOn)},`;
  return ["conflict", `The date signed${signed} is outside the campaign's dates, ${dates}. ${advice}`] as const;
};

const idTakenSchema = z.object({ by: z.object({ sheet: z.int(), line: z.int() }).partial().optional() });

/** Where a voter has already signed, as words that follow "already signed". */
function signedWhere(signedAt: SignedAt): string {
  if (!signedAt.ownTeam) return ", with another team";
  const place = placeText(signedAt, "");
  return `${place && `: ${place}`}${signedAt.enteredBy ? `, entered by ${signedAt.enteredBy}` : ""}`;
}

/** Why a line can't be removed or, with the tables below, stored, moved or restored. */
export const lineRefusals = {
  "not-allowed": [
    "forbidden",
    "You no longer have permission to do this in this campaign. Ask an administrator of the team.",
  ],
  "not-found": ["not-found", "This line no longer exists in this campaign. Reload the page."],
  "reason-missing": ["invalid", "Someone else entered this line. Enter a reason, then try again."],
  archived: [
    "conflict",
    "This campaign is archived, so nothing can be added to it. Ask the team that runs it to restore it, then try again.",
  ],
} as const satisfies Refusals;

export const recordRefusals: Refusals = {
  ...lineRefusals,
  "not-allowed": [
    "forbidden",
    "You no longer have permission to do this in this campaign. Export unsaved lines, then ask an administrator of the team.",
  ],
  "outside-dates": refuseOutsideDates("Correct the date, or enter the line as outside dates."),
  "id-taken": (returned) => {
    const { by } = idTakenSchema.parse(returned);
    const location = by?.sheet && by.line ? ` at ${placeText(by)},` : "";
    const advice = "Compare the two, then send it again or discard it.";
    return ["conflict", `Couldn't save this line: another line${location} has its ID. ${advice}`];
  },
};

export const moveRefusals: Refusals = {
  ...lineRefusals,
  "line-taken": refuseTaken("Choose another line, or move or remove that one first."),
};

export const restoreRefusals: Refusals = {
  ...lineRefusals,
  "line-taken": refuseTaken("Move or remove that one, then restore this one."),
  "outside-dates": refuseOutsideDates("Have the campaign's dates corrected, or enter it again as outside dates."),
  duplicate: (returned) => {
    const { of: signedAt } = z.object({ of: signedAtSchema }).parse(returned);
    const advice = "The line stays removed, because each voter counts once.";
    return ["conflict", `This voter has since signed${signedWhere(signedAt)}. ${advice}`];
  },
};

export const correctRefusals: Refusals = {
  ...lineRefusals,
  "not-found": ["not-found", "This line was removed or corrected by someone else. Reload the page to see it."],
  "outside-dates": refuseOutsideDates("Correct the date, or choose the status “Outside dates”."),
  duplicate: (returned) => {
    const { of: signedAt } = z.object({ of: signedAtSchema }).parse(returned);
    return ["conflict", `This voter has already signed${signedWhere(signedAt)}. Choose the status “Duplicate”.`];
  },
};

export const sheetRefusals: Refusals = {
  ...lineRefusals,
  "not-found": ["not-found", "This sheet no longer exists. Reload the page."],
  "sheet-closed": ["conflict", "Someone else's closed sheet has this number. Check it on the paper before reopening."],
  "not-empty": ["conflict", "This sheet has lines. Move or remove them first, or renumber the sheet."],
};

export const renumberRefusals: Refusals = {
  ...sheetRefusals,
  "not-allowed": [
    "forbidden",
    "Other people entered lines on this sheet. Ask someone who has permission to remove their lines.",
  ],
};
