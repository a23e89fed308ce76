import type { ActivityEntry, DescribeEntry } from "@/lib/activity/activity";
import { checkMethodText } from "@/lib/check-method-text";
import type { Format } from "@/lib/format/format-of";
import { localeName, zonePlace } from "@/lib/format/regions";
import { permissionLabel } from "@/lib/permissions/permission-keys";

type Row = Record<string, unknown>;
type Sentences = {
  insert: string;
  update?: string;
  delete: string;
  /** Columns whose change is listed, with their labels. */
  columns?: Record<string, string>;
  /** An insert lists them too. */
  listsFirstValues?: boolean;
};

/** An entry of the activity in plain words. */
export function describeEntry(entry: ActivityEntry, format: Format): ReturnType<DescribeEntry> {
  const { action, table, before, after } = entry;
  if (action === "truncate") return { what: `cleared the table ${table}`, changes: [] };
  const end = action === "insert" ? text(after, "ends_at") : null;
  const until = end === null ? "" : ` until ${valueText("ends_at", end, format)}`;
  const sentences = sentencesOf[table]?.({ ...contextOf(entry), until }) ?? {
    insert: `added to ${table}`,
    update: `changed ${table}`,
    delete: `deleted from ${table}`,
  };
  const from = before ?? (sentences.listsFirstValues ? {} : null);
  return {
    what: sentences[action] ?? `changed ${table}`,
    changes: Object.entries(sentences.columns ?? {}).flatMap(([column, label]) => {
      const [old, now] = [text(from, column), text(after, column)];
      if (from === null || after === null || old === now) return [];
      return [{ label, before: valueText(column, old, format), after: valueText(column, now, format) }];
    }),
  };
}

/** The people and campaigns, by id, that have a page in the team which the reader can open. */
export type KnownPages = { teamId: string; people: ReadonlySet<string>; campaigns: ReadonlySet<string> };

/** The sentence of an entry in parts: what it names with its page, without quotes, and the text between. */
export function linkEntry(entry: ActivityEntry, what: string, known: KnownPages): { part: string; href?: string }[] {
  const { row, who, campaign } = contextOf(entry);
  const [subject, place] = [entry.subjectId ?? "", entry.campaignId ?? ""];
  const campaignPage = `/${known.teamId}/campaign/${place}`;
  const sheet = text(entry.before ?? row, "sheet");
  const names: [name: string, href: string | false][] = [
    [who, known.people.has(subject) && `/${known.teamId}/members/${subject}`],
    [entry.table === "campaigns" ? named(row, "name") : campaign, known.campaigns.has(place) && campaignPage],
    [`sheet ${sheet}`, known.campaigns.has(place) && `${campaignPage}/signatures/register?sheet=${sheet}`],
  ];
  let parts: { part: string; href?: string }[] = [{ part: what }];
  for (const [name, href] of names) {
    const index = href ? parts.findIndex(({ href, part }) => href === undefined && part.includes(name)) : -1;
    const match = parts[index];
    if (!match || !href) continue;
    const start = match.part.indexOf(name);
    const split = [
      { part: match.part.slice(0, start) },
      { part: name.replace(/^“(.*)”$/, "$1"), href },
      { part: match.part.slice(start + name.length) },
    ];
    parts = parts.toSpliced(index, 1, ...split.filter(({ part }) => part !== ""));
  }
  return parts;
}

type Context = ReturnType<typeof contextOf> & {
  /** The last day of new access, if it has one: ` until Dec 31, 2026`. */
  until: string;
};

function contextOf({ at, actorId, subjectId, subject, before, after }: ActivityEntry) {
  const row = after ?? before ?? {};
  const campaign = named(row, "campaign_name");
  const unknown = text(row, "unknown_campaign_id");
  const [invitee, email] = [subject ?? text(row, "name"), text(row, "email") ?? ""];
  return {
    row,
    old: before ?? row,
    campaign,
    who: subject ?? "a deleted account",
    invitee: invitee === null ? email : `${invitee} (${email})`,
    isSelf: actorId !== null && actorId === subjectId,
    /** Signet did it, because their access has ended. */
    reason:
      actorId === null && Date.parse(text(before, "ends_at") ?? "") <= Date.parse(at)
        ? " because their access ended"
        : "",
    role: named(row, "role_name"),
    set: `the permission set ${named(row, "permission_set_name")}`,
    key: `“${permissionLabel(text(row, "key") ?? "")}”`,
    place: unknown
      ? `the campaign “${unknown}”, which doesn't exist`
      : text(row, "campaign_id") === null
        ? "the team"
        : campaign,
  };
}

const schedule = { signature_goal: "goal", starts_on: "first day", ends_on: "last day" };

const shared = (row: Row) => (text(row, "run_by") === null ? "" : `, shared by ${named(row, "run_by")},`);

const addedTo = (what: string, to: string): Sentences => ({
  insert: `added ${what} to ${to}`,
  delete: `removed ${what} from ${to}`,
});

const invitationVerbs: Record<string, string> = {
  accepted_at: "accepted",
  declined: "declined",
  revoked_at: "revoked",
  role_id: "changed",
  campaigns: "changed",
  expires_at: "resent",
  invited_by: "took over",
  stopped: "stopped",
};

const sentencesOf: Record<string, (context: Context) => Sentences> = {
  team_users: ({ who, role, isSelf, row, old, reason, until }) => {
    const isSame = (column: string) => text(row, column) === text(old, column);
    const changes = { suspended: `suspended ${who}${reason}`, active: `reactivated ${who}` };
    const status = isSame("role_name") && !isSame("status") && changes[text(row, "status") as keyof typeof changes];
    const end = isSame("role_name") && isSame("status") && `changed the end date of ${who}'s access`;
    return {
      insert: `${isSelf ? "joined the team" : `added ${who} to the team`} as ${role}${until}`,
      update: status || end || `changed the team role of ${who}`,
      delete: isSelf ? "left the team" : `removed ${who} (${role}) from the team`,
      ...(!status && { columns: { role_name: "role", status: "status", ends_at: "last day" } }),
    };
  },
  campaign_user_roles_team: ({ who, role, campaign, isSelf, reason, row, old, until }) => ({
    insert: `${isSelf ? `joined ${campaign}` : `added ${who} to ${campaign}`} as ${role}${until}`,
    update:
      text(row, "role_name") === text(old, "role_name")
        ? `changed the end date of ${who}'s role in ${campaign}`
        : `changed the role of ${who} in ${campaign}`,
    delete: `removed ${who} (${role}) from ${campaign}${reason}`,
    columns: { role_name: "role", ends_at: "last day" },
  }),
  campaign_user_team_sets: ({ who, set, campaign }) => addedTo(set, `${who} in ${campaign}`),
  campaign_team: ({ campaign, row }) =>
    text(row, "team_name") === null
      ? { ...addedTo(`the campaign ${campaign}${shared(row)}`, "the team"), columns: schedule, listsFirstValues: true }
      : addedTo(`the campaign ${campaign}`, `the team ${named(row, "team_name")}`),
  campaigns: ({ row, old }) => {
    const name = named(old, "name");
    const erases = text(old, "erased_at") === null && text(row, "erased_at") !== null;
    const [wasArchived, isArchived] = [old, row].map((state) => text(state, "archived_at") !== null);
    const verb = wasArchived === isArchived ? "changed" : isArchived ? "archived" : "restored";
    return {
      insert: `created the campaign ${name}`,
      update: erases ? `erased the personal data of the campaign ${name}` : `${verb} the campaign ${name}`,
      delete: `deleted the campaign ${name}`,
      columns: {
        name: "name",
        ...schedule,
        lines_per_sheet: "lines per sheet",
        search_profile: "voter search",
        districts: "districts",
        team_id: "run by",
        required_signatures: "required signatures",
        safety_margin: "safety margin",
        check_method: "official check",
        official_rejection: "expected rejection",
        sample_percent: "sample size",
        sample_minimum: "minimum sample",
        pass_percent: "pass threshold",
        fail_percent: "fail threshold",
        county_targets: "county targets",
        erase_at: "personal data is erased on",
      },
    };
  },
  roles: ({ row, old }) => ({
    insert: `created the ${named(row, "name")} role`,
    update: `renamed the ${named(old, "name")} role`,
    delete: `deleted the ${named(row, "name")} role`,
    columns: { name: "name" },
  }),
  permission_sets: ({ row, old }) => ({
    insert: `created the permission set ${named(row, "name")}`,
    update: `changed the permission set ${named(old, "name")}`,
    delete: `deleted the permission set ${named(row, "name")}`,
    columns: { name: "name", description: "description" },
  }),
  permission_set_keys: ({ key, set }) => addedTo(key, set),
  role_p_sets: ({ set, role }) => addedTo(set, `the ${role} role`),
  team_p_sets: ({ set }) => addedTo(set, "administrators team-wide"),
  campaign_team_sets: ({ set, campaign }) => addedTo(set, `administrators in ${campaign}`),
  invitations: ({ row, old, role, invitee, isSelf }) => {
    const differs = (column: string) => JSON.stringify(old[column]) !== JSON.stringify(row[column]);
    const verb =
      ["stopped", "accepted_at", "declined", "revoked_at", "role_id", "campaigns", "expires_at"].find(differs) ??
      "invited_by";
    return {
      insert: `invited ${invitee} as ${role}`,
      update: `${invitationVerbs[verb]} ${isSelf ? "their invitation" : `the invitation for ${invitee}`}${verb === "stopped" ? ", because its sender can no longer make it" : ""}`,
      delete: `deleted the invitation for ${invitee}`,
      columns: { role_name: "role", campaign_roles: "campaigns" },
    };
  },
  access_requests: ({ row, key, place, who, isSelf }) => ({
    insert: `requested ${key} in ${place}${isSelf ? "" : ` for ${who}`}`,
    update: `${row.granted === true ? "granted" : "declined"} ${who}'s request for ${key} in ${place}${reasonOf(row, "answer")}`,
    delete: `closed ${isSelf ? "their" : `${who}'s`} unanswered request for ${key} in ${place}`,
  }),
  lines: ({ row, old, campaign }) => ({
    insert: "added a line",
    update: lineChange(old, row, campaign),
    delete: "deleted a line",
  }),
  quality_lines: ({ row, who, campaign }) => {
    const sheet = row.drawn_from === "sheet" && `of sheet ${text(row, "sheet")} `;
    const from = sheet || (row.drawn_from === "clerk" ? `entered by ${who} ` : "");
    const lines = row.lines === 1 ? "1 line" : `${text(row, "lines")} lines`;
    return {
      insert: `drew ${lines} ${from}for the quality check in ${campaign}`,
      delete: "deleted from the quality check",
    };
  },
  teams: () => ({
    insert: "created the team",
    update: "changed the team settings",
    delete: "deleted the team",
    columns: {
      name: "name",
      time_zone: "time zone",
      locale: "numbers and dates",
      lines_per_sheet: "lines per sheet of new campaigns",
      second_factor_from: "two-factor sign-in required from",
      erase_after_days: "days until archived campaigns' personal data is erased",
    },
  }),
};

function lineChange(old: Row, row: Row, campaign: string) {
  const name = [text(row, "last_name"), text(row, "first_name")].filter(Boolean).join(", ");
  const signer = name || text(row, "voter_id");
  const line = `${placeOf(old)}${signer ? ` (${signer})` : ""} in ${campaign}`;
  const kind = text(row, "kind");
  return `${kind} ${line}${kind === "moved" ? ` to ${placeOf(row)}` : ""}${reasonOf(row, "reason")}`;
}

function reasonOf(row: Row, column: string) {
  const reason = text(row, column);
  return reason === null ? "" : `. Reason: ${reason}`;
}

function placeOf(row: Row) {
  const [sheet, line] = [text(row, "sheet"), text(row, "line")];
  if (sheet === null) return "a line without a sheet";
  return line === null ? `a line of sheet ${sheet}` : `line ${line} of sheet ${sheet}`;
}

function text(row: Row | null, column: string) {
  const value = row?.[column];
  if (Array.isArray(value)) return value.map((item) => Object.values(item).join(" ")).join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

function named(row: Row, column: string) {
  const name = text(row, column);
  return name === null ? "(deleted)" : `“${name}”`;
}

function valueText(column: string, value: string | null, { day, number }: Format) {
  if (value === null || value === "") return "none";
  if (column === "time_zone") return zonePlace(value);
  if (column === "locale") return localeName(value);
  if (column === "ends_at") return day(new Date(Date.parse(value) - 1).toISOString());
  if (["starts_on", "ends_on", "erase_at", "second_factor_from"].includes(column)) return day(value);
  if (column.endsWith("_percent") || ["safety_margin", "official_rejection"].includes(column)) return `${value}%`;
  const isCount = ["signature_goal", "required_signatures", "sample_minimum"].includes(column);
  if (isCount) return number(Number(value));
  if (column === "county_targets") return value.replace(/\d+(?=,|$)/g, (target) => number(Number(target)));
  return column === "check_method" ? checkMethodText(value) : value;
}
