import type { Metadata } from "next";
import { placeTitle } from "@/app/place-title";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/permissions/refusable";
import { PageBar } from "@/components/shell/page-bar";
import { VoterSearch } from "@/components/voters/voter-search";
import { findPlace } from "@/lib/permissions/find-place";
import { requirePermission } from "@/lib/permissions/require-place";
import { searchExtras } from "@/lib/voters/search-extras";

type Props = { params: Promise<{ team: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Voters", await params) };
}

/** `/[team]/voters`: the common voter search, with `voters.search`. */
export default refusable(async function TeamVotersPage({ params }: Props) {
  const { team: teamId } = await params;
  await requirePermission({ team: teamId }, "voters.search");
  const { team } = await findPlace({ team: teamId });
  return (
    <>
      <PageBar place={team?.name ?? teamId} title="Voters" />
      <PermissionsCheck at={{ team: teamId }} />
      <VoterSearch key={teamId} keptAs={teamId} source={{ path: "/api/essearch-common", extras: searchExtras(null) }} />
    </>
  );
});
