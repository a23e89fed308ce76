import { z } from "zod";
import { voterIdSchema } from "@/lib/ids";
import { paperNumberSchema } from "@/lib/signatures/changes";
import { verdicts } from "@/lib/signatures/verdicts";
import { daySchema, storableText } from "@/lib/storable";

/** Orders of the register; each also from the end, with `-` before it. */
export const registerOrders = ["keyed", "paper", "name", "verdict", "clerk", "signed"] as const;
export type RegisterOrder = (typeof registerOrders)[number];

const typed = storableText.trim().min(1, "is empty");

/**
 * What the register is narrowed to, all of it optional: a name by the beginning of its last or first one, days
 * (YYYY-MM-DD, the keyed ones in the team's time zone) with both ends; without a state, lines that are not removed. For a
 * file, where nonsense must not pass for "everything".
 */
export const strictRegisterFilterSchema = z.object({
  name: typed.max(200, "is too long").optional(),
  voter: voterIdSchema.optional(),
  sheet: z.preprocess((value) => (value === undefined ? value : Number(value)), paperNumberSchema.optional()),
  verdict: z.enum(verdicts, "is no verdict").optional(),
  clerk: z.guid("is no id").optional(),
  circulator: typed.max(200, "is too long").optional(),
  county: typed.max(200, "is too long").optional(),
  signedFrom: daySchema.optional(),
  signedTo: daySchema.optional(),
  keyedFrom: daySchema.optional(),
  keyedTo: daySchema.optional(),
  state: z.enum(["removed", "all"], "is no state").optional(),
});
export type RegisterFilter = z.infer<typeof strictRegisterFilterSchema>;

const { shape } = strictRegisterFilterSchema;
const lineId = z.guid().optional().catch(undefined);

/** The filter as it stands in the address of the page, where nonsense counts as missing: the form shows what is left. */
export const registerFilterSchema = z.object({
  name: shape.name.catch(undefined),
  voter: shape.voter.catch(undefined),
  sheet: shape.sheet.catch(undefined),
  verdict: shape.verdict.catch(undefined),
  clerk: shape.clerk.catch(undefined),
  circulator: shape.circulator.catch(undefined),
  county: shape.county.catch(undefined),
  signedFrom: shape.signedFrom.catch(undefined),
  signedTo: shape.signedTo.catch(undefined),
  keyedFrom: shape.keyedFrom.catch(undefined),
  keyedTo: shape.keyedTo.catch(undefined),
  state: shape.state.catch(undefined),
});

/** Where in the register one is: the order, the line behind or before which the page is, and the line that is open. */
export const registerViewSchema = z.object({
  sort: z
    .templateLiteral([z.enum(["", "-"]), z.enum(registerOrders)])
    .optional()
    .catch(undefined),
  after: lineId,
  before: lineId,
  line: lineId,
});
export type RegisterView = z.infer<typeof registerViewSchema>;

/** The newest first. */
export const usualSort = "-keyed";
