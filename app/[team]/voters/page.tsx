import { cookies } from "next/headers";
import { pageMetadata, type TeamProps } from "@/app/page-props";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { PageBar } from "@/components/shell/page-bar";
import { TeamVoterSearch } from "@/components/voters/team-voter-search";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { canSeeLines, entryPath } from "@/lib/signatures/entry-state";
import { searchExtras } from "@/lib/voters/search-profile";
import { fieldsCookie } from "@/lib/voters/voter-query";

export const generateMetadata = pageMetadata("Voters");

/** `/[team]/voters`: the common voter search, with `voters.search`. */
export default withRefusal(async function TeamVotersPage({ params }: TeamProps) {
  const { team: teamId } = await params;
  await requirePermission({ team: teamId }, "voters.search");
  const [{ team }, cookieStore] = await Promise.all([findPlace({ team: teamId }), cookies()]);
  const running = (team?.campaigns ?? []).filter(({ archivedAt }) => archivedAt === null);
  return (
    <>
      <PageBar place={team?.name ?? teamId} title="Voters" />
      <PermissionsCheck at={{ team: teamId }} />
      <TeamVoterSearch
        key={teamId}
        storageKey={teamId}
        source={{ path: "/api/essearch-common", extraParams: searchExtras(null) }}
        fieldsShown={cookieStore.has(fieldsCookie)}
        campaigns={running.map(({ id, name, permissionKeys }) => ({
          campaign: id,
          name,
          detailsTeamId: canSeeLines(permissionKeys) ? teamId : null,
          entryPath: entryPath({ team: teamId, campaign: id }, permissionKeys),
        }))}
      />
    </>
  );
});
