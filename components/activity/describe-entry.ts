import type { ActivityEntry } from "@/lib/activity/activity";
import type { Format } from "@/lib/format/format-of";
import { permissionLabel } from "@/lib/permissions/permission-keys";

type Row = Record<string, unknown>;
/** What was done, after the name of who did it; `changes` are what was one thing before and another after. */
export type Described = { what: string; changes: { label: string; before: string; after: string }[] };

const text = (row: Row, column: string) => {
  const value = row[column];
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
};
const named = (row: Row, column: string) => {
  const name = text(row, column);
  return name === null ? "one that is gone" : `“${name}”`;
};

/** An entry of the log in plain words. */
export function describeEntry(entry: ActivityEntry, format: Format): Described {
  const { action, table, actorId, subjectId, subject, before, after } = entry;
  const row = after ?? before ?? {};
  const whom = subject ?? "somebody who is gone";
  const own = actorId !== null && actorId === subjectId;
  const campaign = named(row, "campaign_name");
  const role = named(row, "role_name");
  const set = named(row, "permission_set_name");
  const key = `“${permissionLabel(text(row, "key") ?? "")}”`;
  const place = text(row, "campaign_id") === null ? "the team" : campaign;
  const changes = (labels: Record<string, string>, from = before) => changesOf({ before: from, after, labels, format });
  const verb = (words: { insert: string; update?: string; delete: string }, changes: Described["changes"] = []) => ({
    what: action === "truncate" ? `emptied the table ${table}` : (words[action] ?? `changed the table ${table}`),
    changes,
  });

  switch (table) {
    case "team_users":
      return verb(
        {
          insert: own ? `joined the team as ${role}` : `added ${whom} to the team as ${role}`,
          update: `changed the membership of ${whom}`,
          delete: own ? "left the team" : `removed ${whom}, who was ${role}, from the team`,
        },
        changes({ role_name: "role", status: "status" }),
      );
    case "campaign_user_roles_team":
      return verb(
        {
          insert: own ? `joined ${campaign} as ${role}` : `gave ${whom} the role ${role} in ${campaign}`,
          update: `changed the role of ${whom} in ${campaign}`,
          delete: `took the role ${role} in ${campaign} from ${whom}`,
        },
        changes({ role_name: "role" }),
      );
    case "campaign_user_team_sets":
      return verb({
        insert: `gave ${whom} the permission set ${set} in ${campaign}`,
        delete: `took the permission set ${set} in ${campaign} from ${whom}`,
      });
    case "campaign_team":
      return verb(
        {
          insert: `added the campaign ${campaign} to the team`,
          delete: `took the campaign ${campaign} out of the team`,
        },
        changes(scheduleLabels, before ?? {}),
      );
    case "campaigns":
      return describeCampaign({ before, after, verb, changes });
    case "roles":
      return verb(
        {
          insert: `created the role ${named(row, "name")}`,
          update: `renamed the role ${named(before ?? {}, "name")}`,
          delete: `deleted the role ${named(row, "name")}`,
        },
        changes({ name: "name" }),
      );
    case "permission_sets":
      return verb(
        {
          insert: `created the permission set ${named(row, "name")}`,
          update: `edited the permission set ${named(before ?? {}, "name")}`,
          delete: `deleted the permission set ${named(row, "name")}`,
        },
        changes({ name: "name", description: "description" }),
      );
    case "permission_set_keys":
      return verb({
        insert: `added ${key} to the permission set ${set}`,
        delete: `took ${key} out of the permission set ${set}`,
      });
    case "role_p_sets":
      return verb({
        insert: `added the permission set ${set} to the role ${role}`,
        delete: `took the permission set ${set} out of the role ${role}`,
      });
    case "team_p_sets":
      return verb({
        insert: `gave administrators the permission set ${set} in the whole team`,
        delete: `took the permission set ${set} in the whole team from administrators`,
      });
    case "campaign_team_sets":
      return verb({
        insert: `gave administrators the permission set ${set} in ${campaign}`,
        delete: `took the permission set ${set} in ${campaign} from administrators`,
      });
    case "invitations": {
      const address = text(row, "email") ?? "";
      const accepted = text(before ?? {}, "accepted_at") === null && text(row, "accepted_at") !== null;
      return verb({
        insert: `invited ${address} as ${role}`,
        update: accepted ? `accepted the invitation of ${address}` : `revoked the invitation of ${address}`,
        delete: `deleted the invitation of ${address}`,
      });
    }
    case "access_requests":
      return verb({
        insert: own ? `asked for ${key} in ${place}` : `asked for ${key} in ${place}, for ${whom}`,
        update: `closed the request of ${whom} for ${key} in ${place}`,
        delete: `deleted the request of ${whom} for ${key} in ${place}`,
      });
    case "lines":
      return verb({
        insert: "added a line",
        update: lineChange(before ?? {}, row, campaign),
        delete: "deleted a line",
      });
    case "teams":
      return verb(
        { insert: "created the team", update: "edited the team", delete: "deleted the team" },
        changes({
          name: "name",
          time_zone: "time zone",
          locale: "numbers and dates",
          lines_per_sheet: "lines per sheet of new campaigns",
        }),
      );
    default:
      return verb({ insert: `added to ${table}`, update: `changed ${table}`, delete: `deleted from ${table}` });
  }
}

// What became of a line of a sheet.
function lineChange(before: Row, after: Row, campaign: string) {
  const name = [text(after, "last_name"), text(after, "first_name")].filter(Boolean).join(", ");
  const whose = name || text(after, "voter_id");
  const line = `${placeOf(before)} in ${campaign}${whose ? `, ${whose}` : ""}`;
  const because = text(after, "because");
  const why = because === null ? "" : `: ${because}`;
  const kind = text(after, "kind");
  return kind === "moved" ? `moved ${line}, to ${placeOf(after)}${why}` : `${kind} ${line}${why}`;
}

function placeOf(row: Row) {
  const [sheet, line] = [text(row, "sheet"), text(row, "line")];
  if (sheet === null) return "a line of no sheet";
  return line === null ? `a line of sheet ${sheet}` : `line ${line} of sheet ${sheet}`;
}

const scheduleLabels = { signature_goal: "goal", starts_on: "first day", ends_on: "last day" };

function describeCampaign({
  before,
  after,
  verb,
  changes,
}: {
  before: Row | null;
  after: Row | null;
  verb: (words: { insert: string; update: string; delete: string }, changes?: Described["changes"]) => Described;
  changes: (labels: Record<string, string>) => Described["changes"];
}): Described {
  const name = named(before ?? after ?? {}, "name");
  const archived = [before, after].map((row) => row !== null && text(row, "archived_at") !== null);
  const update = archived[0] === archived[1] ? "edited" : archived[1] ? "archived" : "brought back";
  return verb(
    {
      insert: `created the campaign ${name}`,
      update: `${update} the campaign ${name}`,
      delete: `deleted the campaign ${name}`,
    },
    changes({
      name: "name",
      ...scheduleLabels,
      lines_per_sheet: "lines per sheet",
      search_profile: "search backend",
      team_id: "run by",
    }),
  );
}

function changesOf({
  before,
  after,
  labels,
  format,
}: {
  before: Row | null;
  after: Row | null;
  labels: Record<string, string>;
  format: Format;
}): Described["changes"] {
  if (before === null || after === null) return [];
  return Object.entries(labels).flatMap(([column, label]) => {
    const [from, to] = [text(before, column), text(after, column)];
    return from === to ? [] : [{ label, before: shown(column, from, format), after: shown(column, to, format) }];
  });
}

function shown(column: string, value: string | null, { day, number }: Format) {
  if (value === null || value === "") return "none";
  if (column === "starts_on" || column === "ends_on") return day(value);
  return column === "signature_goal" ? number(Number(value)) : value;
}
