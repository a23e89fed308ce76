type Named = { id: string; name: string };

/** What the names of a table mean, and what holds where it says nothing. */
export type InviteeChoices = {
  roles: Named[];
  campaignRoles: Named[];
  campaigns: Named[];
  roleId: string;
  /** Those that everybody gets, and the role there. */
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
  "e-mail": "email",
  "email address": "email",
  "e-mail address": "email",
  address: "email",
  name: "name",
  role: "role",
  campaign: "campaign",
  campaigns: "campaign",
  "campaign role": "campaignRole",
  "role in campaign": "campaignRole",
};

/**
 * Reads whom to invite from what was typed, pasted or opened: addresses with anything between them, also as `Ada Moreno
 * <ada@…>`, or a table (CSV, or columns with tabs or `;` between) whose first line names the columns email, name, role,
 * campaign and campaign role. One cell can name several campaigns, with `|` between. An address that comes twice counts
 * once, as it comes first. `problems` are sentences about what could not be read.
 */
export function readInvitees(text: string, choices: InviteeChoices): { invitees: Invitee[]; problems: string[] } {
  const rows = readTable(text);
  const kinds = rows[0]?.cells.map((cell) => columns[cell.toLowerCase()]) ?? [];
  const read = kinds.includes("email") ? rows.slice(1).map((row) => named(row, kinds)) : readAddresses(text);
  const problems: string[] = [];
  const invitees = new Map<string, Invitee>();
  for (const { line, cells } of read) {
    const problem = (what: string) => problems.push(`Line ${line}: ${what}`);
    const { email = "", name, role, campaign, campaignRole } = cells;
    if (!address.test(email)) {
      problem(email ? `“${email}” is no e-mail address.` : "There is no e-mail address.");
      continue;
    }
    const found = (what: string, list: Named[], asked: string | undefined, otherwise: string) => {
      if (!asked) return otherwise;
      const one = list.find(({ id, name }) => [id, name.toLowerCase()].includes(asked.toLowerCase()));
      if (!one) problem(`“${asked}” is no ${what} here.`);
      return one?.id ?? null;
    };
    const roleId = found("role", choices.roles, role, choices.roleId);
    const campaignRoleId = found("role in campaigns", choices.campaignRoles, campaignRole, choices.campaignRoleId);
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

// RFC 4180, with the separator that the first line has. Lines without anything are left out.
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
