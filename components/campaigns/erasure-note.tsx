import { TextLink } from "@/components/ui/link";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";

const note = "rounded-md border border-warning-mark px-4 py-3";

/** Says that a campaign's personal data were erased, or, to those who manage the team, when they will be. */
export function ErasureNote({
  place: { team, campaign },
  otherRunner = null,
  eraseAt,
  erasedAt,
  canExport,
  format: { day },
}: {
  place: CampaignOfTeam;
  /** The name of the team that runs it, if another one. */
  otherRunner?: string | null;
  eraseAt: string | null;
  erasedAt: string | null;
  canExport: boolean;
  format: Format;
}) {
  if (erasedAt !== null) {
    return (
      <p className={note}>
        This campaign's personal data was erased on {day(erasedAt)}. Its counts are kept, and it can't be restored.
      </p>
    );
  }
  if (eraseAt === null) return null;
  return (
    <p className={note}>
      Names, addresses, notes, and voter IDs of this campaign will be erased on{" "}
      <strong className="font-semibold">{day(eraseAt)}</strong>.{" "}
      {canExport && (
        <>
          <TextLink href={`/${team}/campaign/${campaign}/signatures/register`}>Export the signatures</TextLink> by then
          if you need them.{" "}
        </>
      )}
      {otherRunner !== null ? (
        `To keep its data, ask ${otherRunner} to restore the campaign.`
      ) : (
        <>
          To keep its data, restore the campaign. The period is set in{" "}
          <TextLink href={`/${team}/settings`}>the team&apos;s settings</TextLink>.
        </>
      )}
    </p>
  );
}
