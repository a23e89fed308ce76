import type { ChartFilter } from "@/lib/charts/chart-filter";
import type { StoredChart } from "@/lib/charts/stored-chart";
import type { Failure } from "@/lib/http/ask-signet";

/** A chart as its dashboard shows it: as it is stored, or computed under the dashboard's filter. */
export type DashboardChart = StoredChart & {
  /** Its numbers are older than its dashboard lets them get: unless that has failed, they are being computed anew. */
  isStale: boolean;
  /** They could not be computed anew. */
  failed: boolean;
  /** When they are to be computed next; null: never by themselves, or now. */
  staleAt: string | null;
  /** How many lines of its place were keyed or changed since; 1 001 stands for more than 1 000. */
  newer: number;
  /** What the dashboard's filter adds to its own ones. */
  narrowed: ChartFilter[];
  /** What the dashboard's filter asks for and its source does not have: "county". */
  missing: string[];
  /** Why it could not be computed under the dashboard's filter. */
  failure: Failure | null;
};
