import {
  correctInRegister,
  moveInRegister,
  removeFromRegister,
  restoreToRegister,
} from "@/app/[team]/campaign/[campaign]/signatures/register/actions";
import { type CampaignProps, pageMetadata } from "@/app/page-props";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { whoToAskText } from "@/components/permissions/refusal-panel";
import { BarCount } from "@/components/progress/bar-count";
import { IgnoredFilters } from "@/components/shell/ignored-filters";
import { PageBar } from "@/components/shell/page-bar";
import { LineChanges } from "@/components/signatures/register/line-changes";
import { LinePanel } from "@/components/signatures/register/line-panel";
import { Register } from "@/components/signatures/register/register";
import { ButtonLink } from "@/components/ui/link";
import { readCampaignSearchProfile } from "@/lib/campaigns/campaigns";
import { formatOf } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import { listGranters } from "@/lib/permissions/explain";
import { permissionLabel } from "@/lib/permissions/permission-keys";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { changePermission } from "@/lib/signatures/lines";
import {
  ignoredParts,
  type RegisterView,
  registerFilterSchema,
  registerViewSchema,
} from "@/lib/signatures/register/filter";
import {
  countRegisterLines,
  type ListedLines,
  listRegisterLines,
  readLineHistory,
  readRegisterChoices,
} from "@/lib/signatures/register/register";
import { qualityPath, registerPath } from "@/lib/signatures/register/register-path";
import { searchSource } from "@/lib/voters/search-profile";

export const generateMetadata = pageMetadata("All lines");

const pageSize = 50;
const maxPrintedLines = 1_000;

/**
 * `/[team]/campaign/[campaign]/signatures/register`: all lines of the team, with `signatures.view`. The filter, the order,
 * the page and the open line are in the URL.
 */
export default withRefusal(async function RegisterPage({ params, searchParams }: CampaignProps) {
  const place = await params;
  const { session, snapshot } = await requirePermission(place, "signatures.view");
  const query = await searchParams;
  const filter = registerFilterSchema.parse(query);
  const view = registerViewSchema.parse(query);
  const listing = listRegisterLines({ ...place, ...view, filter, size: view.print ? maxPrintedLines : pageSize });
  const [{ team, campaign }, listed, counts, choices, profile, history] = await Promise.all([
    findPlace(place),
    listing,
    countRegisterLines({ ...place, filter }),
    readRegisterChoices(place),
    snapshot.permissionKeys.includes("voters.search") ? readCampaignSearchProfile(place.campaign) : undefined,
    readOpenLine(place, view.line, listing),
  ]);
  const format = formatOf(team);
  const ignored = ignoredParts(query, history !== null || view.line === "first" || view.line === "last");
  const isCurrentUser = (person: { id: string } | null | undefined) => person?.id === session.userId;
  const removal = history?.line.removedAt ? history.changes.findLast(({ kind }) => kind !== "moved") : undefined;
  const isOwn = isCurrentUser(history?.line.enteredBy) && (!removal || isCurrentUser(removal.by));
  const hrefOf = (line: RegisterView["line"], page?: RegisterView) =>
    registerPath(place, { ...filter, ...view, ...page, line });
  const secondIsRight = history?.checks.find(
    ({ right, settledAt }) =>
      right === "second" && !history.changes.some(({ kind, at }) => kind === "corrected" && at > (settledAt ?? "")),
  );
  const canChange = snapshot.permissionKeys.includes(changePermission(isOwn));
  const granters = history && !canChange ? await listGranters(place.team, session.userId) : null;
  return (
    <>
      <PageBar place={campaign?.name ?? place.campaign} title="All lines">
        <div className="max-sm:hidden">
          <BarCount place={place} />
        </div>
        <ButtonLink href={qualityPath(place)} variant="ghost">
          Quality check
        </ButtonLink>
        <ButtonLink href={`/${place.team}/campaign/${place.campaign}/signatures/sheets`} variant="ghost">
          Sheets
        </ButtonLink>
      </PageBar>
      <PermissionsCheck at={place} />
      <IgnoredFilters ignored={ignored} />
      <Register
        place={place}
        filter={filter}
        typedSheet={query.sheet?.toString()}
        view={view}
        listed={listed}
        counts={counts}
        choices={choices}
        format={format}
        canSearch={profile !== undefined}
      >
        {history && (
          <LinePanel
            key={history.line.id}
            history={history}
            place={place}
            hrefOf={hrefOf}
            around={linesAround(history.line.id, listed, hrefOf)}
            format={format}
          >
            {history.replacedBy ? null : canChange ? (
              <LineChanges
                line={history.line}
                secondEntry={secondIsRight}
                place={place}
                query={{ ...filter, ...view }}
                own={isOwn}
                source={profile === undefined ? null : searchSource(profile)}
                actions={actions}
              />
            ) : (
              <p className="text-muted-foreground text-sm">
                To change {isOwn ? "this line" : "a line that someone else entered or removed"}, you need the “
                {permissionLabel(changePermission(isOwn))}” permission. {granters && whoToAskText(granters)}
              </p>
            )}
          </LinePanel>
        )}
      </Register>
    </>
  );
});

const actions = {
  correct: correctInRegister,
  move: moveInRegister,
  remove: removeFromRegister,
  restore: restoreToRegister,
};

async function readOpenLine(place: CampaignOfTeam, line: RegisterView["line"], listing: Promise<ListedLines>) {
  const id = line === "first" || line === "last" ? (await listing).lines.at(line === "first" ? 0 : -1)?.id : line;
  return id === undefined ? null : readLineHistory({ ...place, id });
}

/** The URLs of the previous and the next line, which can be on the previous or next page. */
function linesAround(
  id: string,
  { lines, earlier, later }: ListedLines,
  hrefOf: (line: RegisterView["line"], page?: RegisterView) => string,
): [previous: string | null, next: string | null] {
  const index = lines.findIndex((line) => line.id === id);
  if (index < 0) return [null, null];
  const [before, after] = [lines[index - 1], lines[index + 1]];
  return [
    before ? hrefOf(before.id) : earlier ? hrefOf("last", { before: id, after: undefined }) : null,
    after ? hrefOf(after.id) : later ? hrefOf("first", { after: id, before: undefined }) : null,
  ];
}
