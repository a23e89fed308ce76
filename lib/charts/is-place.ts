/** Columns that are the same for every record of a dashboard. */
export const isPlace = (column: string) => column === "team_id" || column === "campaign_id";
