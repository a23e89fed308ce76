import type { MembersView } from "@/lib/team-access/members-filter";

const names = ["words", "role", "status", "campaign", "sort", "page"] as const;

/**
 * A filter, and the page, as the query of an address, with its `?`; nothing when all of it is empty. The same whatever was
 * chosen first.
 */
export function membersQuery(view: MembersView): string {
  const set = names.flatMap((name) => (view[name] ? [[name, String(view[name])]] : []));
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}
