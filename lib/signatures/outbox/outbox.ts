import type { z } from "zod";
import { type CsvValue, csv } from "@/lib/format/csv";
import type { itemSchema } from "@/lib/signatures/outbox/read-saved";

/** A change that a clerk made and that Signet hasn't acknowledged yet. */
export type OutboxItem = z.infer<typeof itemSchema>;
export type Change = OutboxItem["change"];

/** Why a change can never be stored: a code and a message. If a line is in its place, it has that line. */
export type ItemRefusal = NonNullable<OutboxItem["refused"]>;

export type OutboxLine = Extract<Change, { kind: "line" }>;
export type SheetOpening = Extract<Change, { kind: "open-sheet" }>;
export type TypedLine = Extract<Change, { kind: "typed" }>;
export type LineItem = OutboxItem & { change: OutboxLine };
export type SendableItem = OutboxItem & { change: Exclude<Change, { kind: "typed" | "unreadable" }> };

export const isSendable = (item: OutboxItem): item is SendableItem =>
  item.refused === null && item.change.kind !== "typed" && item.change.kind !== "unreadable";

/** Whether it waits for the clerk: it was refused, or is to be looked up. */
export const needsAttention = ({ refused, change }: OutboxItem) => refused !== null || change.kind === "typed";

export const isLine = (item: OutboxItem): item is LineItem => item.change.kind === "line";

// biome-ignore format: the columns in their order
const columns = [
  "sheet", "line", "verdict", "voterId", "lastName", "firstName", "houseNumber", "address", "city", "county", "zip",
  "signedOn", "name", "note", "circulator", "collectedOn", "signatureCount", "of", "text",
];

/** Items as a CSV file, such as the refused ones. It says when each change was made and why it was refused. */
export function outboxCsv(items: readonly OutboxItem[]): string {
  const rows = items.map(({ id, at, change, refused }) => {
    const values = new Map<string, unknown>(Object.entries({ ...change, ...("paper" in change && change.paper) }));
    return [id, at, change.kind, ...columns.map((name) => cell(values.get(name))), refused?.error ?? null];
  });
  return csv([["id", "at", "kind", ...columns, "refused"], ...rows]);
}

const cell = (value: unknown): CsvValue => (typeof value === "string" || typeof value === "number" ? value : null);
