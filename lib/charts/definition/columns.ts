import type { ChartColumn } from "@/lib/charts/definition/source";
import { type Aggregation, aggregations, isTimeType } from "@/lib/charts/definition/words";
import { permissionKeys } from "@/lib/permissions/permission-keys";

const isId = ({ name, type }: ChartColumn) => type === "uuid" || name === "id" || name.endsWith("_id");

/** The columns to choose from: no ids, none that are `empty`, and those that identify signers only for people who may see them. */
export function offeredColumns(
  columns: ChartColumn[],
  { empty, canSeeSigners }: { empty: string[]; canSeeSigners: boolean },
): ChartColumn[] {
  return columns.filter(
    (column) =>
      !isId(column) && !empty.includes(column.part?.of ?? column.name) && (canSeeSigners || !column.identifies),
  );
}

/** The columns that an aggregation fits, without parts of dates and times except the chosen one. */
export function columnsFor(aggregation: Aggregation, columns: ChartColumn[], chosen = ""): ChartColumn[] {
  const { types } = aggregations[aggregation];
  return columns.filter(({ name, type, part }) => name === chosen || (!part && types.includes(type)));
}

/** Whether a column has days or times. */
export const isTime = (column: ChartColumn | undefined) => column !== undefined && isTimeType(column.type);
/** Whether the values of a column follow one another on an axis. */
export const isOrdered = (column: ChartColumn | undefined) => isTime(column) || column?.type === "number";

/** Whether a column is the same for every record of a dashboard. */
export const isPlace = (column: string) => column === "team_id" || column === "campaign_id";

const needed = `You need the “${permissionKeys["signatures.view"]}” permission`;
const askAdministrator = "Ask an administrator.";

export const signersHiddenMessage = `This chart uses columns that identify signers. ${needed}. ${askAdministrator}`;

export const columnsHiddenMessage = `Names, sheets, and other columns that identify signers aren't listed. ${needed} to use them. ${askAdministrator}`;
