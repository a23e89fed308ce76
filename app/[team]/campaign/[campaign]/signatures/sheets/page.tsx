import { type CampaignProps, pageMetadata } from "@/app/page-props";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { IgnoredFilters } from "@/components/shell/ignored-filters";
import { PageBar } from "@/components/shell/page-bar";
import { SheetList } from "@/components/signatures/sheets/sheet-list";
import { ButtonLink } from "@/components/ui/link";
import { formatOf } from "@/lib/format/format-of";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { readRegisterChoices } from "@/lib/signatures/register/register";
import { registerPath } from "@/lib/signatures/register/register-path";
import { ignoredSheetFilters, sheetFilterSchema } from "@/lib/signatures/sheet-filter";
import { listSheets } from "@/lib/signatures/sheet-list";

export const generateMetadata = pageMetadata("Sheets");

const pageSize = 50;

/** `/[team]/campaign/[campaign]/signatures/sheets`: all sheets of the team, with `signatures.view`. The URL has the filter. */
export default withRefusal(async function SheetsPage({ params, searchParams }: CampaignProps) {
  const place = await params;
  const { snapshot } = await requirePermission(place, "signatures.view");
  const query = await searchParams;
  const filter = sheetFilterSchema.parse(query);
  const [{ team, campaign }, page, { circulators }] = await Promise.all([
    findPlace(place),
    listSheets({ ...place, filter, size: pageSize }),
    readRegisterChoices(place),
  ]);
  return (
    <>
      <PageBar place={campaign?.name ?? place.campaign} title="Sheets">
        <ButtonLink href={registerPath(place)} variant="ghost">
          All lines
        </ButtonLink>
      </PageBar>
      <PermissionsCheck at={place} />
      <IgnoredFilters ignored={ignoredSheetFilters(query)} />
      <SheetList
        place={place}
        filter={filter}
        typedNumber={query.number?.toString()}
        page={page}
        circulators={circulators}
        canEnter={snapshot.permissionKeys.includes("signatures.enter") && campaign?.archivedAt === null}
        format={formatOf(team)}
      />
    </>
  );
});
