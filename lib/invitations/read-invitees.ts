import { didYouMean, findNearestName } from "@/lib/format/text";
import { guessColumns, type InviteeColumn, type Named } from "@/lib/invitations/guess-columns";

/** The names a table can use, and the choices for anyone it doesn't specify. */
export type InviteeChoices = {
  roles: Named[];
  campaignRoles: Named[];
  campaigns: Named[];
  roleId: string;
  /** The campaigns everyone gets, and the role there. */
  campaignIds: string[];
  campaignRoleId: string;
};

export type Invitee = Pick<InviteeRow, "line" | "email" | "name"> & {
  roleId: string;
  campaigns: { id: string; roleId: string }[];
};

/** A row of the list as it was read. */
export type InviteeRow = {
  /** Where it is in the text, from 1. */
  line: number;
  email: string;
  name: string | null;
  /** What is wrong with it, in sentences; null if nothing is. */
  problem: string | null;
  /** Which earlier row it is the same as, so that it is skipped; null if none. */
  repeats: string | null;
  /** The unknown names in it that are near a known one. */
  misspelled: Misspelled[];
};

/** An unknown name, and the known one it probably means. */
export type Misspelled = { wanted: string; meant: string };

const columnTitles: Record<string, InviteeColumn> = {
  email: "email",
  "email address": "email",
  address: "email",
  name: "name",
  "full name": "name",
  "first name": "name",
  "last name": "name",
  role: "role",
  "team role": "role",
  "role in team": "role",
  campaign: "campaign",
  campaigns: "campaign",
  "campaign role": "campaignRole",
  "role in campaign": "campaignRole",
};

/** The list as it was read; without problems `invitees` has everyone. */
export type ReadInvitees = {
  invitees: Invitee[];
  rows: InviteeRow[];
  /** The titles of columns that have nothing of an invitation. */
  unusedColumns: string[];
};

/**
 * Reads who to invite from text: emails with any separator, also as `Ada Moreno <ada@…>`, or a table (CSV, tabs or `;`). A
 * table's columns are email, name, role, campaign and campaign role. Its first line names them; otherwise each cell's content
 * shows what it is. A cell can name several campaigns, separated by `|` or `;`. The campaigns of all rows with one address
 * count; of two equal rows, the first.
 */
export function readInvitees(text: string, choices: InviteeChoices): ReadInvitees {
  const table = readTable(text);
  const [first, ...others] = table.map(({ cells }) => cells);
  const titles = first?.map((cell) => columnTitles[cell.toLowerCase().replaceAll("-", "")]) ?? [];
  const hasAddress = (cells: string[]) => cells.some((cell) => cell.includes("@"));
  // Titles may be unknown words too.
  const hasTitles =
    titles.includes("email") || (first && !hasAddress(first) && others.length > 0 && others.every(hasAddress));
  const guessed = guessColumns(hasTitles ? others : table.map(({ cells }) => cells), choices);
  // Words under an unknown title next to known ones may be anything, so they aren't taken for names.
  const kinds = titles.includes("email")
    ? titles.map((kind, index) => kind ?? [guessed?.[index]].find((item) => item !== "name" && !titles.includes(item)))
    : (guessed?.map((kind, index) => (hasTitles && titles[index]) || kind) ?? null);
  const unusedColumns = hasTitles && kinds ? (first ?? []).filter((title, index) => title && !kinds[index]) : [];
  const kindsOf = (cells: string[], all: (InviteeColumn | undefined)[]) =>
    (!hasTitles && !cells[all.indexOf("email")]?.includes("@") && guessColumns([cells], choices)) || all;
  const read = kinds
    ? table.slice(hasTitles ? 1 : 0).flatMap((row) => {
        const [cell = "", ...more] = row.cells.filter(Boolean);
        const isList = !hasTitles && more.length === 0 && cell.includes("@"); // may have another separator
        if (!isList) return [named(row, kindsOf(row.cells, kinds))];
        return readAddresses(cell.replace("\t", " ")).map((address) => ({ ...address, line: row.line }));
      })
    : readAddresses(text);
  const invitees = new Map<string, Invitee>();
  const rows = read.map(({ line, cells, extraEmail }): InviteeRow => {
    const [, nameBefore, enclosed] = nameAndEmail.exec(cells.email || cells.name || "") ?? [];
    const email = enclosed?.trim() ?? cells.email ?? "";
    const name = (enclosed !== undefined && (!cells.email || !cells.name) ? nameBefore?.trim() : cells.name) || null;
    const { access, problems, misspelled } = readAccess(cells, choices);
    if (!email) problems.unshift("The email address is missing.");
    else if (hasTitles && first && first.length > 1 && /[,;\t]/.test(email)) {
      problems.unshift(`Separate the columns with ${separatorNames[separatorOf(text)]}, as in the header.`);
    } else if (!isEmail(email)) problems.unshift(`“${email}” isn't an email address.`);
    if (name && isEmail(name)) problems.push(`“${name}” isn't a name. Put each person on their own line.`);
    if (extraEmail) problems.push(`“${extraEmail}” is a second email on this line. Put each person on their own line.`);
    const before = invitees.get(email.toLowerCase());
    let repeats: string | null = null;
    if (before && problems.length === 0) {
      const roleIn = new Map(before.campaigns.map(({ id, roleId }) => [id, roleId]));
      const added = access.campaigns.filter(({ id }) => !roleIn.has(id));
      const isOtherRole = access.campaigns.some(({ id, roleId }) => roleId !== (roleIn.get(id) ?? roleId));
      if (before.roleId !== access.roleId || isOtherRole) {
        problems.push(`${email} is also on line ${before.line}, with another role.`);
      } else if (added.length === 0) {
        const lines = `Lines ${before.line} and ${line} have the same email`;
        repeats = before.line === line ? "Twice on this line" : lines;
      } else before.campaigns = [...before.campaigns, ...added];
    }
    const row = { line, email, name };
    if (problems.length === 0 && !before) invitees.set(email.toLowerCase(), { ...row, ...access });
    return { ...row, problem: problems.join(" ") || null, repeats, misspelled };
  });
  return { invitees: [...invitees.values()], rows, unusedColumns };
}

/** The text with `meant` instead of `wanted` in the cells of the rows that have this mistake. */
export function correctName(text: string, rows: InviteeRow[], { wanted, meant }: Misspelled): string {
  const lines = new Set(
    rows.filter((row) => row.misspelled.some((misspelling) => misspelling.wanted === wanted)).map(({ line }) => line),
  );
  const cells = /[^,;|\t"\r]+/g;
  const correct = (cell: string) => (cell.trim() === wanted ? cell.replace(wanted, () => meant) : cell);
  return text
    .split("\n")
    .map((line, index) => (lines.has(index + 1) ? line.replace(cells, correct) : line))
    .join("\n");
}

/** The text without the lines that have a problem; null if a line of them has someone without one. */
export function withoutProblems(text: string, rows: InviteeRow[]): string | null {
  const lines = new Set(rows.filter(({ problem }) => problem !== null).map(({ line }) => line));
  if (rows.some(({ problem, line }) => problem === null && lines.has(line))) return null;
  return text
    .split("\n")
    .filter((_, index) => !lines.has(index + 1))
    .join("\n");
}

// The same check as zod's in the action: all problems of a list are shown at once, without zod in the browser.
const isEmail = (text: string) =>
  /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/.test(text);

// What a row grants, with the choices for what it doesn't specify.
function readAccess({ role, campaign, campaignRole }: Cells, choices: InviteeChoices) {
  const problems: string[] = [];
  const misspelled: Misspelled[] = [];
  const idOf = (what: string, list: Named[], text: string | undefined, otherwise: string) => {
    if (!text) return otherwise;
    const match = list.find(({ id, name }) => [id, name.toLowerCase()].includes(text.toLowerCase()));
    const names = list.map(({ name }) => name);
    const isTeamRole =
      what === "campaign role" && choices.roles.some(({ name }) => name.toLowerCase() === text.toLowerCase());
    const advice = didYouMean(text, names) || (names.length <= 12 && ` Choose from: ${names.join(", ")}.`) || "";
    if (!match) problems.push(`There's no ${what} “${text}”.${isTeamRole ? " It's a team role." : ""}${advice}`);
    const meant = match ? null : findNearestName(text, names);
    if (meant && !/[,;|\t"]/.test(meant)) misspelled.push({ wanted: text, meant });
    return match?.id ?? "";
  };
  const roleId = idOf("role", choices.roles, role, choices.roleId);
  const campaignRoleId = idOf("campaign role", choices.campaignRoles, campaignRole, choices.campaignRoleId);
  const campaignIds = campaign
    ? [...new Set(campaign.split(/[|;]/).map((part) => idOf("campaign", choices.campaigns, part.trim(), "")))]
    : choices.campaignIds;
  if (campaignRole && campaignIds.length === 0) problems.push(`“${campaignRole}” needs a campaign.`);
  const campaigns = campaignIds.flatMap((id) => (id ? [{ id, roleId: campaignRoleId }] : []));
  return { access: { roleId, campaigns }, problems, misspelled };
}

type Cells = Partial<Record<InviteeColumn, string>>;
type Read = {
  line: number;
  cells: Cells;
  /** An address after the last column. */
  extraEmail?: string | undefined;
};

// First and last names can have a column each.
function named({ line, cells }: Row, kinds: (InviteeColumn | undefined)[]): Read {
  const read: Cells = {};
  for (const [index, kind] of kinds.entries()) {
    if (kind) read[kind] = [read[kind], cells[index]].filter(Boolean).join(" ");
  }
  return { line, cells: read, extraEmail: cells.slice(kinds.length).find((cell) => cell.includes("@")) };
}

const nameAndEmail = /^(.*)<([^<>]*)>$/;

// Words without a dot inside, because ada.example.org may be an address without its @.
const nameThenEmail = /^((?:\p{L}[\p{L}\p{M}'’-]*\.?\s+)+)(\S+@\S+)$/u;

function readAddresses(text: string): Read[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const parts = line.split(/(?:[,;\t]|(?<=>))(?=(?:[^"]*"[^"]*")*[^"]*$)/).flatMap((part) => {
      const whole = nameAndEmail.exec(part.trim());
      if (whole) return [{ email: whole[2]?.trim() ?? "", name: whole[1]?.trim().replace(/^"(.*)"$/, "$1") ?? "" }];
      const named = nameThenEmail.exec(part.trim());
      if (named) return [{ email: named[2] ?? "", name: named[1]?.trim() ?? "" }];
      return part.split(/\s+/).map((email) => ({ email }));
    });
    return parts.filter(({ email }) => email !== "").map((cells) => ({ line: index + 1, cells }));
  });
}

type Row = { line: number; cells: string[] };

const separatorNames = { "\t": "tabs", ";": "semicolons", ",": "commas" };

// That of the first line that has one.
function separatorOf(text: string) {
  const first = /^.*[,;\t].*$/m.exec(text)?.[0] ?? "";
  return (["\t", ";"] as const).find((separator) => first.includes(separator)) ?? ",";
}

// RFC 4180. Empty lines are skipped.
function readTable(text: string): Row[] {
  const separator = separatorOf(text);
  const rows: Row[] = [];
  let line = 1;
  let row: Row = { line, cells: [] };
  let cell = "";
  let quoted = false;
  const endCell = () => {
    row.cells.push(cell.trim());
    cell = "";
  };
  const endRow = () => {
    endCell();
    if (row.cells.some(Boolean)) rows.push(row);
    row = { line, cells: [] };
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\n") line += 1;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] !== '"') quoted = false;
      else {
        cell += '"';
        index += 1;
      }
    } else if (character === '"' && cell.trim() === "") quoted = true;
    else if (character === separator) endCell();
    else if (character === "\n") endRow();
    else if (character !== "\uFEFF") cell += character;
  }
  endRow();
  return rows;
}
