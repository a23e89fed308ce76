import Link from "next/link";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { campaignTiming } from "@/lib/campaigns/campaign-timing";
import type { CampaignSchedule } from "@/lib/campaigns/list-campaign-schedules";
import type { Format } from "@/lib/format/format-of";

/** A campaign of the team page. The schedule is missing where it could not be read along. */
type CampaignRow = { id: string; name: string; archivedAt: string | null; schedule: CampaignSchedule | undefined };

/** Campaigns of a team with goal and days; on a phone these stand under the name. */
export function CampaignTable({
  teamId,
  format,
  campaigns,
  label,
}: {
  teamId: string;
  format: Format;
  campaigns: CampaignRow[];
  label: string;
}) {
  const now = new Date();
  return (
    <div className="overflow-hidden rounded-md border">
      <Table aria-label={label}>
        <thead>
          <tr>
            <TableHead className="w-full">Campaign</TableHead>
            <TableHead className="text-right max-md:hidden">Goal</TableHead>
            <TableHead className="max-md:hidden">Dates</TableHead>
            <TableHead className="text-right">Time</TableHead>
          </tr>
        </thead>
        <tbody>
          {campaigns.map(({ id, name, archivedAt, schedule }) => (
            <TableRow key={id} className="relative">
              <TableCell>
                {/* The link covers its row. */}
                <Link
                  href={`/${teamId}/campaign/${id}`}
                  prefetch={false}
                  className="wrap-anywhere font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2"
                >
                  {name}
                </Link>
                {schedule && (
                  <p className="flex flex-wrap gap-x-3 text-muted-foreground text-sm md:hidden">
                    <span>{goalText(schedule, format)}</span>
                    <span>{datesText(schedule, format)}</span>
                  </p>
                )}
              </TableCell>
              <TableCell className="whitespace-nowrap text-right max-md:hidden">
                {schedule?.signatureGoal ? format.number(schedule.signatureGoal) : <None />}
              </TableCell>
              <TableCell className="whitespace-nowrap max-md:hidden">
                {schedule && datesText(schedule, format) ? datesText(schedule, format) : <None />}
              </TableCell>
              <TableCell className="whitespace-nowrap text-right text-muted-foreground">
                {archivedAt ? "Archived" : schedule && campaignTiming(schedule, format, now)}
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

const goalText = ({ signatureGoal }: CampaignSchedule, { number }: Format) =>
  signatureGoal === null ? "" : `Goal ${number(signatureGoal)}`;

function datesText({ startsOn, endsOn }: CampaignSchedule, { day }: Format) {
  if (startsOn && endsOn) return `${day(startsOn)} – ${day(endsOn)}`;
  if (startsOn) return `From ${day(startsOn)}`;
  return endsOn ? `Until ${day(endsOn)}` : "";
}

function None() {
  return <span className="text-muted-foreground">not set</span>;
}
