import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import { voterIdSchema } from "@/lib/ids";
import { lineSchema, type RightEntry, rightEntrySchema } from "@/lib/signatures/line";
import { type Actor, actorArgs, writeLines } from "@/lib/signatures/lines";
import { lineRefusals } from "@/lib/signatures/messages";
import { verdicts } from "@/lib/signatures/verdicts";
import { toStorable } from "@/lib/storable";
import { callSql, placeArgs, type Refusals } from "@/lib/supabase/call-sql";

/** The permissions of the quality check: to draw lines and settle differences, and to enter lines. */
export const qualityPermissions = { manage: "signatures.remove", enter: "signatures.enter" } as const;

const person = z.object({ id: z.guid(), name: z.string().nullable() }).nullable();
const entry = lineSchema
  .pick({ verdict: true, voterId: true, firstName: true, lastName: true, address: true, note: true })
  .extend({ by: person });
const rateSchema = z.object({
  of: z.enum(["campaign", "clerk", "sheet"]),
  clerk: person,
  sheet: z.int().nullable(),
  /** Lines entered twice, without unsettled differences, and how many of them the first entry had wrong. */
  checked: z.int(),
  errors: z.int(),
});
const checkSchema = z.object({
  drawn: z.int(),
  /** Drawn lines without a second entry. */
  waiting: z.int(),
  /** Those that the reader can enter now, and the numbers of their sheets. */
  forYou: z.int(),
  sheetsForYou: z.array(z.int()),
  /** Lines whose two entries differ, and how many of these aren't settled. */
  differing: z.int(),
  unsettled: z.int(),
  rates: z.array(rateSchema),
  /** Not settled and not entered a second time by the reader, or settled for another entry than the first and not corrected yet. */
  differences: z.array(
    lineSchema
      .pick({ id: true, sheet: true, line: true })
      .extend({ right: rightEntrySchema.exclude(["first"]).nullable(), first: entry, second: entry }),
  ),
});
export type QualityCheck = z.infer<typeof checkSchema>;
export type QualityRate = QualityCheck["rates"][number];

/** The error rates of a team's entered lines, and its first 100 differences. Guard `signatures.view` first. */
export function readQualityCheck(place: CampaignOfTeam, userId: string | null = null): Promise<QualityCheck> {
  return callSql("quality_check", { ...placeArgs(place), p_limit: 100, p_actor_id: userId }, checkSchema);
}

const refusals: Refusals = {
  ...lineRefusals,
  "not-found": ["conflict", "Someone else has settled this or corrected the line. Reload the page to see how."],
  "own-line": ["forbidden", "You made the first entry. Ask someone else who can correct lines to settle this."],
  "own-second": ["forbidden", "You made the second entry. Ask someone else who can correct lines to settle this."],
  "none-left": [
    "conflict",
    "No lines are left to draw there. Check the sheet number, choose another clerk, or draw from the whole campaign.",
  ],
  "not-theirs": ["conflict", "Someone else has this line now, so nothing was saved. Skip it to continue."],
  final: ["conflict", "It's too late to change this entry. Ask a supervisor to settle it."],
  "entered-before": ["conflict", "You've already entered this line differently. Skip it to continue."],
};

/** Draws lines at random, at most `size`, and returns how many. Guard `manage` first. */
export async function drawSample({
  sheet,
  clerk,
  size,
  ...actor
}: Actor & { sheet: number | null; clerk: string | null; size: number }): Promise<number> {
  const args = { ...actorArgs(actor), p_sheet: sheet, p_clerk: clerk, p_size: size };
  return (await writeLines("draw_quality_lines", args, z.object({ lines: z.int() }), refusals)).lines;
}

const takenSchema = z.object({
  line: z.object({ id: z.guid(), sheet: z.int(), line: z.int() }).nullable().default(null),
});
/** The line to enter, if there is one: only where it is on paper. */
export type TakenLine = z.infer<typeof takenSchema>;

/**
 * Takes the next line for its second entry, after leaving `skip` to others. `again` takes the line that the person entered
 * last, and deletes its second entry. Guard `enter` first.
 */
export function takeLine({
  skip,
  again = null,
  ...actor
}: Actor & { skip: string | null; again?: string | null }): Promise<TakenLine> {
  return writeLines("take_quality_line", { ...actorArgs(actor), p_skip: skip, p_again: again }, takenSchema, refusals);
}

const text = z
  .string()
  .default("")
  .transform((value) => toStorable(value).trim().slice(0, 200) || null);

/** The second entry of a line: a voter, or why the line isn't valid. Whether it is a duplicate can't be seen on paper. */
export const secondEntrySchema = z.object({
  verdict: z.enum(verdicts).exclude(["duplicate"]),
  voterId: voterIdSchema.nullable().default(null),
  firstName: text,
  lastName: text,
  address: text,
  note: text,
});

/** Stores the second entry of a line that the person has taken. Guard `enter` first. */
export async function enterLine({
  id,
  entry,
  ...actor
}: Actor & { id: string; entry: z.output<typeof secondEntrySchema> }): Promise<void> {
  const args = { ...actorArgs(actor), p_id: id, p_entry: entry };
  await writeLines("enter_quality_line", args, z.object({ outcome: z.literal("entered") }), refusals);
}

/**
 * Decides which of two differing entries is right; null takes the decision back. `was` is the decision that the screen
 * showed. Guard `manage` first.
 */
export async function settleLine({
  id,
  right,
  was,
  ...actor
}: Actor & { id: string; right: RightEntry | null; was: RightEntry | null }): Promise<void> {
  const args = { ...actorArgs(actor), p_id: id, p_right: right, p_was: was };
  await writeLines("settle_quality_line", args, z.object({ outcome: z.literal("settled") }), refusals);
}
