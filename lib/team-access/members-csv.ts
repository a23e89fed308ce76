import "server-only";
import { type CsvPiece, csv } from "@/lib/format/csv";
import { campaignsText } from "@/lib/team-access/campaigns-text";
import { findMembers } from "@/lib/team-access/find-members";
import { listMembers } from "@/lib/team-access/members";
import type { MembersFilter } from "@/lib/team-access/members-filter";

/** The filtered and sorted members as a CSV file with a header row. Guard with `members.view` first. */
export async function membersCsv(teamId: string, filter: MembersFilter): Promise<CsvPiece> {
  const members = findMembers(await listMembers(teamId), filter);
  const rows = members.map((member) => [member.name, member.email, member.role, member.status, campaignsText(member)]);
  return { text: csv([["Name", "Email", "Role", "Status", "Campaigns"], ...rows]), rowCount: rows.length };
}
