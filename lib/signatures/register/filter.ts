import { z } from "zod";
import { typedNumber } from "@/lib/forms/typed-number";
import { voterIdSchema } from "@/lib/ids";
import { ignoredFields, ignoreInvalidFields } from "@/lib/lenient";
import { sheetOrLineNumberSchema } from "@/lib/signatures/changes";
import { verdicts } from "@/lib/signatures/verdicts";
import { daySchema, storableText } from "@/lib/storable";

/** Orders of the register; each also descending, with a leading `-`. */
export const registerOrders = ["entered", "sheet", "name", "verdict", "clerk", "signed"] as const;
export type RegisterOrder = (typeof registerOrders)[number];

/** Newest first. */
export const defaultSort = "-entered";

const typed = storableText.trim().min(1, "is empty").max(200, "is too long").optional();

/**
 * A filter of the register, for files, where an invalid part is an error. A name that has a digit is a voter ID. The first and
 * last day are included; days of entry are in the team's time zone. Without a state, removed lines are left out.
 */
export const strictRegisterFilterSchema = z.object({
  name: typed,
  voter: voterIdSchema.optional(),
  sheet: typedNumber(sheetOrLineNumberSchema.optional()),
  verdict: z.enum([...verdicts, "not-blank"], "isn't a status").optional(),
  clerk: z.guid("isn't an id").optional(),
  circulator: typed,
  county: typed,
  signedFrom: daySchema.optional(),
  signedTo: daySchema.optional(),
  enteredFrom: daySchema.optional(),
  enteredTo: daySchema.optional(),
  state: z.enum(["removed", "all"], "isn't a state").optional(),
});
export type RegisterFilter = z.infer<typeof strictRegisterFilterSchema>;

/** What the fields of the filter are called, in the order of the form. */
export const registerFilterLabels: Record<keyof RegisterFilter, string> = {
  name: "Name",
  voter: "Voter ID",
  sheet: "Sheet",
  verdict: "Status",
  clerk: "Entered by",
  circulator: "Circulator",
  county: "County",
  signedFrom: "Signed from",
  signedTo: "Signed to",
  enteredFrom: "Entered from",
  enteredTo: "Entered to",
  state: "Removed or corrected",
};

/** The filter of a page's address; invalid parts count as missing. */
export const registerFilterSchema = ignoreInvalidFields(strictRegisterFilterSchema);

export const registerSortSchema = z
  .templateLiteral([z.enum(["", "-"]), z.enum(registerOrders)], "isn't an order")
  .optional();

/**
 * The order, the line after or before which the page starts, and the open line, which may be the first or last of it. `print`
 * lists as many lines as are printed at once.
 */
export const registerViewSchema = ignoreInvalidFields(
  z.object({
    sort: registerSortSchema,
    after: z.guid().optional(),
    before: z.guid().optional(),
    line: z.union([z.guid(), z.enum(["first", "last"])]).optional(),
    print: z.literal("yes").optional(),
  }),
);
export type RegisterView = z.infer<typeof registerViewSchema>;

/** What an address asks that can't be shown: `Status “x”`; a wrong sheet is shown at its field. `hasLine`: its line exists. */
export function ignoredParts(query: Record<string, unknown>, hasLine: boolean): string[] {
  const ignored = ignoredFields(strictRegisterFilterSchema, { ...query, sheet: "" }, registerFilterLabels);
  return hasLine || !query.line ? ignored : [...ignored, "Line (not found)"];
}
