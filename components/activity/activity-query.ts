import type { ActivityFilter } from "@/lib/activity/activity-filter";

/** A filter as the query of an address, with its `?`; nothing when it is empty. */
export function activityQuery(filter: ActivityFilter): string {
  const set = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}
