import { z } from "zod";
import { typedNumber } from "@/lib/forms/typed-number";
import { ignoredFields, ignoreInvalidFields } from "@/lib/lenient";
import { sheetOrLineNumberSchema } from "@/lib/signatures/changes";
import { storableText } from "@/lib/storable";

const openedLine = z.object({
  sheet: typedNumber(sheetOrLineNumberSchema.optional()),
  line: typedNumber(sheetOrLineNumberSchema.optional()),
});

/** The sheet and line at which the address opens data entry. */
export const openedLineSchema = ignoreInvalidFields(openedLine);
export type OpenedLine = z.infer<typeof openedLineSchema>;

const sheetOrders = ["number", "opened", "collected"] as const;
export type SheetOrder = (typeof sheetOrders)[number];

export const defaultSheetSort = "-number";

const sheetFilter = z.object({
  state: z.enum(["open", "closed"]).optional(),
  number: typedNumber(sheetOrLineNumberSchema.optional()),
  missing: z.literal("yes").optional(),
  circulator: storableText.trim().min(1).max(200).optional(),
  sort: z.templateLiteral([z.enum(["", "-"]), z.enum(sheetOrders)]).optional(),
  after: typedNumber(sheetOrLineNumberSchema.optional()),
});

/** Which sheets are listed, in which order, and the number of the sheet after which the page starts. */
export const sheetFilterSchema = ignoreInvalidFields(sheetFilter);
export type SheetFilter = z.infer<typeof sheetFilterSchema>;

const labels = { state: "Status", missing: "Lines", circulator: "Circulator", sort: "Sort by" };

const lineOfSheet = openedLine.refine(({ sheet, line }) => !line || sheet, { path: ["line"] });

/** The parts of a query that don't lead to a line, also a line without its sheet. */
export const ignoredOpenedLine = (query: Record<string, unknown>) =>
  ignoredFields(lineOfSheet, query, { sheet: "Sheet", line: "Line" });

/** The parts of a query that `sheetFilterSchema` ignores, except the number, which is shown at its field. */
export const ignoredSheetFilters = (query: Record<string, unknown>) => ignoredFields(sheetFilter, query, labels);
