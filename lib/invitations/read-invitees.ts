import { countEdits } from "@/lib/format/text";

type Named = { id: string; name: string };

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

export type Invitee = {
  email: string;
  name: string | null;
  roleId: string;
  campaigns: { id: string; roleId: string }[];
};

const address = /^[^@\s,;<>"]+@[^@\s,;<>"]+$/;
const columns: Record<string, "email" | "name" | "role" | "campaign" | "campaignRole"> = {
  email: "email",
  "email address": "email",
  address: "email",
  name: "name",
  role: "role",
  campaign: "campaign",
  campaigns: "campaign",
  "campaign role": "campaignRole",
  "role in campaign": "campaignRole",
};

/**
 * Reads who to invite from typed, pasted or opened text: addresses with any separator, also as `Ada Moreno <ada@…>`, or a
 * table (CSV, tabs or `;`) whose first line names the columns email, name, role, campaign and campaign role. A cell can name
 * several campaigns, separated by `|`. The first of two equal addresses counts. `problems` are sentences to show.
 */
export function readInvitees(text: string, choices: InviteeChoices): { invitees: Invitee[]; problems: string[] } {
  const rows = readTable(text);
  const kinds = rows[0]?.cells.map((cell) => columns[cell.toLowerCase().replaceAll("-", "")]) ?? [];
  const read = kinds.includes("email") ? rows.slice(1).map((row) => named(row, kinds)) : readAddresses(text);
  const problems: string[] = [];
  const invitees = new Map<string, Invitee>();
  for (const { line, cells } of read) {
    const problem = (what: string) => problems.push(`Line ${line}: ${what}`);
    const { email = "", name, role, campaign, campaignRole } = cells;
    if (!address.test(email)) {
      problem(email ? `“${email}” isn't an email address.` : "The email address is missing.");
      continue;
    }
    const found = (what: string, list: Named[], asked: string | undefined, otherwise: string) => {
      if (!asked) return otherwise;
      const one = list.find(({ id, name }) => [id, name.toLowerCase()].includes(asked.toLowerCase()));
      if (!one) problem(`There's no ${what} “${asked}”.${suggestion(asked, list)}`);
      return one?.id ?? null;
    };
    const roleId = found("role", choices.roles, role, choices.roleId);
    const campaignRoleId = found("campaign role", choices.campaignRoles, campaignRole, choices.campaignRoleId);
    const campaignIds = campaign
      ? [...new Set(campaign.split("|").map((one) => found("campaign", choices.campaigns, one.trim(), "")))]
      : choices.campaignIds;
    if (roleId === null || campaignRoleId === null) continue;
    const campaigns = campaignIds.flatMap((id) => (id ? [{ id, roleId: campaignRoleId }] : []));
    if (campaigns.length < campaignIds.length || invitees.has(email.toLowerCase())) continue;
    invitees.set(email.toLowerCase(), { email, name: name || null, roleId, campaigns });
  }
  return { invitees: [...invitees.values()], problems };
}

function suggestion(asked: string, list: Named[]) {
  const slips = ({ name }: Named) => countEdits(asked.toLowerCase(), name.toLowerCase());
  const [nearest] = list.toSorted((a, b) => slips(a) - slips(b));
  return nearest && slips(nearest) <= asked.length / 3 ? ` Did you mean ${nearest.name}?` : "";
}

type Cells = { email?: string; name?: string; role?: string; campaign?: string; campaignRole?: string };
type Read = { line: number; cells: Cells };

function named({ line, cells }: Row, kinds: (keyof Cells | undefined)[]): Read {
  return { line, cells: Object.fromEntries(kinds.flatMap((kind, at) => (kind ? [[kind, cells[at] ?? ""]] : []))) };
}

function readAddresses(text: string): Read[] {
  return text.split(/\r?\n/).flatMap((written, at) => {
    const parts = written.split(/[,;\t]|(?<=>)/).flatMap((part) => {
      const whole = /^(.*)<([^<>]*)>$/.exec(part.trim());
      if (whole) return [{ email: whole[2]?.trim() ?? "", name: whole[1]?.trim().replace(/^"(.*)"$/, "$1") ?? "" }];
      return part.split(/\s+/).map((email) => ({ email }));
    });
    return parts.filter(({ email }) => email !== "").map((cells) => ({ line: at + 1, cells }));
  });
}

type Row = { line: number; cells: string[] };

// RFC 4180, with the separator of the first line. Empty lines are skipped.
function readTable(text: string): Row[] {
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const separator = ["\t", ";"].find((one) => first.includes(one)) ?? ",";
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
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\n") line += 1;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] !== '"') quoted = false;
      else {
        cell += '"';
        at += 1;
      }
    } else if (character === '"' && cell.trim() === "") quoted = true;
    else if (character === separator) endCell();
    else if (character === "\n") endRow();
    else if (character !== "\uFEFF") cell += character;
  }
  endRow();
  return rows;
}
