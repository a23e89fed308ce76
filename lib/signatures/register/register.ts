import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import { lineSchema, rightEntrySchema } from "@/lib/signatures/line";
import { defaultSort, type RegisterFilter, type RegisterView } from "@/lib/signatures/register/filter";
import { callSql, placeArgs } from "@/lib/supabase/call-sql";

/** A deleted account has no name. */
const personSchema = z.object({ id: z.guid(), name: z.string().nullable() });

/** A line as the register shows it. */
const registerLineSchema = lineSchema.omit({ mine: true }).extend({
  circulator: z.string().nullable(),
  enteredBy: personSchema.nullable(),
  removedBecause: z.string().nullable(),
  /** Whether it was removed by a correction. */
  isCorrected: z.boolean(),
  /** The valid line of a duplicate's voter. If another team has it, nothing else is shown. */
  first: z
    .discriminatedUnion("ownTeam", [
      z.object({ ownTeam: z.literal(false) }),
      lineSchema
        .pick({ id: true, sheet: true, line: true, firstName: true, lastName: true })
        .extend({ ownTeam: z.literal(true) }),
    ])
    .nullable(),
});
export type RegisterLine = z.infer<typeof registerLineSchema>;

const registerPageSchema = z.object({
  lines: z.array(registerLineSchema),
  more: z.boolean(),
  /** Whether no name begins as asked, so that the lines are those with similar last names. */
  similar: z.boolean(),
});
export type RegisterPage = z.infer<typeof registerPageSchema>;

type RegisterPageQuery = CampaignOfTeam & {
  filter: RegisterFilter;
  sort?: RegisterView["sort"];
  /** The number of lines, at most 1000. */
  size: number;
};

/**
 * The lines of a team that match a filter: the first ones, those after the line `from`, or with `back` those before it.
 * `more` says whether lines follow in that direction. Guard `signatures.view` first.
 */
export async function readRegisterPage(
  { filter, sort = defaultSort, size, ...place }: RegisterPageQuery,
  from: { id: string; back?: true } | null,
): Promise<RegisterPage> {
  const args = { ...placeArgs(place), p_filter: filter, p_sort: sort, p_after: from, p_limit: size };
  return callSql("register_lines", args, registerPageSchema);
}

export type ListedLines = Omit<RegisterPage, "more"> & { earlier: boolean; later: boolean };

/**
 * A page of a team's lines that match a filter, after or before a line, or the first one when there is no such page.
 * `earlier` and `later` say whether there are more pages on either side. Guard `signatures.view` first.
 */
export async function listRegisterLines({
  before,
  after,
  ...query
}: RegisterPageQuery & Pick<RegisterView, "before" | "after">): Promise<ListedLines> {
  if (before !== undefined) {
    const { more, ...page } = await readRegisterPage(query, { id: before, back: true });
    if (more) return { ...page, earlier: true, later: true }; // otherwise the first page, which is a full one
  } else if (after !== undefined) {
    const { more, ...page } = await readRegisterPage(query, { id: after });
    if (page.lines.length > 0) return { ...page, earlier: true, later: more };
  }
  const { more, ...page } = await readRegisterPage(query, null);
  return { ...page, earlier: false, later: more };
}

/**
 * `corrected` counts lines that a correction removed, `removed` other removed ones; `linesAbove` when more lines match than
 * are counted.
 */
const registerCountSchema = z.union([
  z.object({ lines: z.int(), accepted: z.int(), rejected: z.int(), removed: z.int(), corrected: z.int() }),
  z.object({ linesAbove: z.int() }),
]);
export type RegisterCounts = z.infer<typeof registerCountSchema>;

/** Counts a team's lines that match a filter. Guard `signatures.view` first. */
export function countRegisterLines({
  filter,
  ...place
}: CampaignOfTeam & { filter: RegisterFilter }): Promise<RegisterCounts> {
  return callSql("register_counts", { ...placeArgs(place), p_filter: filter }, registerCountSchema);
}

const registerChoicesSchema = z.object({
  clerks: z.array(personSchema),
  circulators: z.array(z.string()),
  counties: z.array(z.string()),
});
export type RegisterChoices = z.infer<typeof registerChoicesSchema>;

/** The clerks, circulators and counties of a team's lines in a campaign. Guard `signatures.view` first. */
export function readRegisterChoices(place: CampaignOfTeam): Promise<RegisterChoices> {
  return callSql("register_choices", placeArgs(place), registerChoicesSchema);
}

const placeSchema = lineSchema.pick({ sheet: true, line: true });
const lineHistorySchema = z.object({
  line: registerLineSchema,
  /** The line that corrects it. */
  replacedBy: z.guid().nullable(),
  /** Other lines at the same place: the current one, then removed ones, the last removed first. */
  others: z.array(registerLineSchema.extend({ removedBy: personSchema.nullable() })),
  /** The line's changes in order, since it was entered. */
  changes: z.array(
    z.object({
      kind: z.enum(["undone", "removed", "restored", "moved", "corrected"]),
      /** The lines before and after a correction. */
      was: lineSchema.optional(),
      became: lineSchema.optional(),
      /** ISO 8601 in UTC. */
      at: z.string(),
      /** Null for a change by SQL. */
      by: personSchema.nullable(),
      reason: z.string().nullable(),
      from: placeSchema,
      to: placeSchema,
    }),
  ),
  /** Its second entries in the quality check. */
  checks: z.array(
    lineSchema
      .pick({ verdict: true, voterId: true, firstName: true, lastName: true, address: true, note: true })
      .extend({
        at: z.string(),
        by: personSchema.nullable(),
        differs: z.boolean(),
        right: rightEntrySchema.nullable(),
        settledAt: z.string().nullable(),
        settledBy: personSchema.nullable(),
      }),
  ),
});
export type LineHistory = z.infer<typeof lineHistorySchema>;

/** A line of a team with its history; null when the team has no such line there. Guard `signatures.view` first. */
export function readLineHistory({ id, ...place }: CampaignOfTeam & { id: string }): Promise<LineHistory | null> {
  return callSql("line_history", { ...placeArgs(place), p_id: id }, lineHistorySchema.nullable());
}
