import { queryText } from "@/lib/query-text";
import type { MembersView } from "@/lib/team-access/members-filter";

const names = ["words", "role", "status", "campaign", "sort", "page"] as const;

/**
 * A filter, and the page, as the query of an address, with its `?`; nothing when all of it is empty. The same whatever was
 * chosen first.
 */
export function membersQuery(view: MembersView): string {
  return queryText(Object.fromEntries(names.map((name) => [name, view[name] || undefined])));
}
