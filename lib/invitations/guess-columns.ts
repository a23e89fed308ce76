import { countEdits } from "@/lib/format/text";

/** What a column of a list of people has. */
export type InviteeColumn = "email" | "name" | "role" | "campaign" | "campaignRole";

export type Named = { id: string; name: string };

const emailPattern = /^[^@\s,;<>"]+@[^@\s,;<>"]+$/;
const isAddress = (cell: string) => emailPattern.test(cell);

/** The one that a cell names by its name or id; also with two letters wrong if it `mayDiffer`. */
function names(list: Named[], cell: string, mayDiffer = false): boolean {
  const wanted = cell.toLowerCase();
  return list.some(({ id, name }) => {
    const known = name.toLowerCase();
    return [id, known].includes(wanted) || (mayDiffer && wanted.length > 4 && countEdits(wanted, known) <= 2);
  });
}

/**
 * What each column of a table has, by its cells: undefined if that can't be known. The second column of roles has those in
 * campaigns; other words are names. Null for a list of addresses alone.
 */
export function guessColumns(
  rows: string[][],
  { roles, campaignRoles, campaigns }: { roles: Named[]; campaignRoles: Named[]; campaigns: Named[] },
): (InviteeColumn | undefined)[] | null {
  const isTable = rows.some(
    (cells) => cells.some(isAddress) && cells.some((cell) => /\p{L}/u.test(cell) && !cell.includes("@")),
  );
  if (!isTable || rows.some((cells) => cells.filter(isAddress).length > 1)) return null;
  const found: (InviteeColumn | undefined)[] = [];
  for (let at = 0; at < Math.max(...rows.map((cells) => cells.length)); at += 1) {
    const cells = rows.flatMap((row) => row[at] || []);
    const name = (list: Named[]) =>
      cells.some((cell) => cell.split(/[|;]/).some((one) => names(list, one.trim()))) ||
      (cells.length > 0 && cells.every((cell) => names(list, cell, true)));
    if (!found.includes("email") && cells.some((cell) => cell.includes("@"))) found.push("email");
    else if (name(campaigns)) found.push("campaign");
    else if (name([...roles, ...campaignRoles])) found.push(found.includes("role") ? "campaignRole" : "role");
    else found.push(cells.some((cell) => /\p{L}/u.test(cell)) ? "name" : undefined);
  }
  return found;
}
