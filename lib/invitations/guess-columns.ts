import { countEdits } from "@/lib/format/text";

/** What a column of a list of people has. */
export type InviteeColumn = "email" | "name" | "role" | "campaign" | "campaignRole";

export type Named = { id: string; name: string };

const emailPattern = /^[^@\s,;<>"]+@[^@\s,;<>"]+$/;
const isAddress = (cell: string) => emailPattern.test(cell);

/** The one that a cell names by its name or id; also with two letters wrong if it `mayDiffer`. */
function names(list: Named[], cell: string, mayDiffer = false): boolean {
  const title = cell.toLowerCase();
  return list.some(({ id, name }) => {
    const known = name.toLowerCase();
    return [id, known].includes(title) || (mayDiffer && title.length > 4 && countEdits(title, known) <= 2);
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
  const columns: (InviteeColumn | undefined)[] = [];
  for (let index = 0; index < Math.max(...rows.map((cells) => cells.length)); index += 1) {
    const cells = rows.flatMap((row) => row[index] || []);
    const name = (list: Named[]) =>
      cells.some((cell) => cell.split(/[|;]/).some((part) => names(list, part.trim()))) ||
      (cells.length > 0 && cells.every((cell) => names(list, cell, true)));
    if (!columns.includes("email") && cells.some((cell) => cell.includes("@"))) columns.push("email");
    else if (name(campaigns)) columns.push("campaign");
    else if (name([...roles, ...campaignRoles])) columns.push(columns.includes("role") ? "campaignRole" : "role");
    else columns.push(cells.some((cell) => /\p{L}/u.test(cell)) ? "name" : undefined);
  }
  return columns;
}
