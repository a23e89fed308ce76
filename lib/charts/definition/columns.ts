import type { ChartColumn } from "@/lib/charts/definition/source";
import { permissionKeys } from "@/lib/permissions/permission-keys";

const isId = ({ name, type }: ChartColumn) => type === "uuid" || name === "id" || name.endsWith("_id");

/**
 * The columns that are worth a choice: without ids, which are names for machines, without those that no record has a value
 * in, and without those that tell who signed, unless one may see that. A stored chart may be of others.
 */
export function offeredColumns(
  columns: ChartColumn[],
  { empty, seesSigners }: { empty: string[]; seesSigners: boolean },
): ChartColumn[] {
  return columns.filter(
    (column) => !isId(column) && !empty.includes(column.part?.of ?? column.name) && (seesSigners || !column.identifies),
  );
}

/** Columns that are the same for every record of a dashboard. */
export const isPlace = (column: string) => column === "team_id" || column === "campaign_id";

const needed = `You need the permission “${permissionKeys["signatures.view"]}”`;
const ask = "Ask an administrator of the team for it.";

/** Why a chart is neither computed nor shown. */
export const signersWithheld = `This chart uses columns that identify signers. ${needed}. ${ask}`;

/** Why the builder does not offer some columns. */
export const columnsWithheld = `Names, sheets and other columns that identify signers are not listed. ${needed} to use them. ${ask}`;
