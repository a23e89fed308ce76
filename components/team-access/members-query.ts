import type { MembersView } from "@/lib/team-access/members-filter";

/** A filter, and the page, as the query of an address, with its `?`; nothing when all of it is empty. */
export function membersQuery(view: MembersView): string {
  const set = Object.entries(view).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}
