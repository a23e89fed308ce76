import {
  drawQualityLines,
  enterQualityLine,
  settleQualityLine,
} from "@/app/[team]/campaign/[campaign]/signatures/quality/actions";
import { type CampaignProps, pageMetadata } from "@/app/page-props";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { whoToAskText } from "@/components/permissions/refusal-panel";
import { ErrorRates } from "@/components/progress/error-rates";
import { PageBar } from "@/components/shell/page-bar";
import { BlindEntry } from "@/components/signatures/quality/blind-entry";
import { Differences } from "@/components/signatures/quality/differences";
import { DrawLines } from "@/components/signatures/quality/draw-lines";
import { ButtonLink } from "@/components/ui/link";
import { readCampaignSearchProfile } from "@/lib/campaigns/campaigns";
import { formatOf } from "@/lib/format/format-of";
import { listGranters } from "@/lib/permissions/explain";
import { permissionLabel } from "@/lib/permissions/permission-keys";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { qualityPermissions, readQualityCheck } from "@/lib/signatures/quality";
import { readRegisterChoices } from "@/lib/signatures/register/register";
import { registerPath } from "@/lib/signatures/register/register-path";
import { listHolders } from "@/lib/team-access/members";
import { searchSource } from "@/lib/voters/search-profile";

export const generateMetadata = pageMetadata("Quality check");

/**
 * `/[team]/campaign/[campaign]/signatures/quality`: error rates, with `signatures.view`; second entry with
 * `signatures.enter`; drawing lines and settling differences with `signatures.remove`.
 */
export default withRefusal(async function QualityPage({ params }: CampaignProps) {
  const place = await params;
  const { session, snapshot } = await requirePermission(place, "signatures.view");
  const can = (act: keyof typeof qualityPermissions) => snapshot.permissionKeys.includes(qualityPermissions[act]);
  const takesPart = can("manage") || can("enter");
  const [{ team, campaign }, check, profile, { clerks }, granters, holders] = await Promise.all([
    findPlace(place),
    readQualityCheck(place, session.userId),
    readCampaignSearchProfile(place.campaign),
    readRegisterChoices(place),
    takesPart ? null : listGranters(place.team, session.userId),
    takesPart ? listHolders(place, qualityPermissions.manage) : [],
  ]);
  const settlers = holders.flatMap(({ userId, name }) => (userId === session.userId ? [] : { userId, name }));
  const format = formatOf(team);
  return (
    <>
      <PageBar place={campaign?.name ?? place.campaign} title="Quality check">
        <ButtonLink href={registerPath(place)} variant="ghost" className="max-sm:hidden">
          All lines
        </ButtonLink>
      </PageBar>
      <PermissionsCheck at={place} />
      <div className="flex max-w-5xl flex-col gap-8 px-4 py-6 md:px-6">
        {granters && (
          <p className="max-w-2xl">
            You can't take part in quality checks yet. You need “{permissionLabel("signatures.enter")}” to enter lines a
            second time, or “{permissionLabel("signatures.remove")}” to draw a sample. {whoToAskText(granters)}
          </p>
        )}
        {can("enter") && (
          <BlindEntry
            key={`${session.userId} ${place.team}/${place.campaign}`}
            userId={session.userId}
            place={place}
            check={check}
            canSettle={can("manage")}
            settlers={settlers}
            source={searchSource(profile)}
            enter={enterQualityLine}
          />
        )}
        {can("manage") && check.drawn > 0 && (
          <Differences
            place={place}
            userId={session.userId}
            differences={check.differences}
            unsettled={check.unsettled}
            settlers={settlers}
            settle={settleQualityLine}
          />
        )}
        {can("manage") && <DrawLines place={place} clerks={clerks} draw={drawQualityLines} />}
        <ErrorRates check={check} format={format} />
      </div>
    </>
  );
});
