import { removeFromRegister, restoreToRegister } from "@/app/[team]/campaign/[campaign]/signatures/register/actions";
import { type CampaignProps, titled } from "@/app/page-props";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/permissions/refusal";
import { BarCount } from "@/components/progress/bar-count";
import { PageBar } from "@/components/shell/page-bar";
import { qualityPath } from "@/components/signatures/quality/error-rates";
import { LineChanges } from "@/components/signatures/register/line-changes";
import { LinePanel } from "@/components/signatures/register/line-panel";
import { Register } from "@/components/signatures/register/register";
import { registerPath } from "@/components/signatures/register/register-path";
import { ButtonLink } from "@/components/ui/link";
import { formatOf } from "@/lib/format/format-of";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { changePermission } from "@/lib/signatures/lines";
import { registerFilterSchema, registerViewSchema } from "@/lib/signatures/register/filter";
import {
  countRegisterLines,
  listRegisterLines,
  readLineHistory,
  readRegisterChoices,
} from "@/lib/signatures/register/register";

export const generateMetadata = titled("Register");

/**
 * `/[team]/campaign/[campaign]/signatures/register`: all lines of the team, with `signatures.view`. The filter, the order,
 * the page and the open line are in the address.
 */
export default refusable(async function RegisterPage({ params, searchParams }: CampaignProps) {
  const place = await params;
  const { session, snapshot } = await requirePermission(place, "signatures.view");
  const asked = await searchParams;
  const filter = registerFilterSchema.parse(asked);
  const view = registerViewSchema.parse(asked);
  const [{ team, campaign }, listed, counts, choices, history] = await Promise.all([
    findPlace(place),
    listRegisterLines({ ...place, ...view, filter, size: 50 }),
    countRegisterLines({ ...place, filter }),
    readRegisterChoices(place),
    view.line === undefined ? null : readLineHistory({ ...place, id: view.line }),
  ]);
  const format = formatOf(team);
  const isReader = (person: { id: string } | null | undefined) => person?.id === session.userId;
  const removal = history?.line.removedAt ? history.changes.findLast(({ kind }) => kind !== "moved") : undefined;
  const own = isReader(history?.line.enteredBy) && (!removal || isReader(removal.by));
  const mayChange = snapshot.permissionKeys.includes(changePermission(own));
  return (
    <>
      <PageBar place={campaign?.name ?? place.campaign} title="Register">
        <BarCount place={place} />
        <ButtonLink href={qualityPath(place)} variant="ghost">
          Quality check
        </ButtonLink>
        <ButtonLink href={`/${place.team}/campaign/${place.campaign}/signatures`} variant="ghost">
          Sheets
        </ButtonLink>
      </PageBar>
      <PermissionsCheck at={place} />
      <Register
        place={place}
        filter={filter}
        view={view}
        listed={listed}
        counts={counts}
        choices={choices}
        format={format}
      >
        {history && (
          <LinePanel
            key={history.line.id}
            history={history}
            place={place}
            closeTo={registerPath(place, { ...filter, ...view, line: undefined })}
            format={format}
          >
            {mayChange && (
              <LineChanges
                id={history.line.id}
                removed={history.line.removedAt !== null}
                place={place}
                remove={removeFromRegister}
                restore={restoreToRegister}
              />
            )}
          </LinePanel>
        )}
      </Register>
    </>
  );
});
