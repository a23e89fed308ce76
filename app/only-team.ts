import { getSession, type Session } from "@/lib/auth/get-session";
import { nextPath } from "@/lib/auth/next-path";
import { listOwnInvitations } from "@/lib/invitations/invitations";
import { listPlaces, listTeamsLackingSecondFactor } from "@/lib/permissions/list-places";
import { listInactiveMemberships } from "@/lib/team-access/members";

/** What `/` shows of a person's teams. */
export async function readOwnTeams(session: Session) {
  const [teams, toSecure, memberships, invitations] = await Promise.all([
    listPlaces(session),
    listTeamsLackingSecondFactor(session),
    listInactiveMemberships(session),
    listOwnInvitations(session),
  ]);
  return { teams, toSecure, memberships, invitations };
}

/** The page of a person's only team, if `/` has nothing else to show. */
export function onlyTeamPage({ teams, ...others }: Awaited<ReturnType<typeof readOwnTeams>>): string | null {
  const [first] = teams;
  return first && teams.length === 1 && Object.values(others).every((list) => list.length === 0)
    ? `/${first.id}`
    : null;
}

/** Where to go after sign-in. Straight to an only team: on the way over `/` the window would be empty. */
export async function pageAfterSignIn(next: string | undefined): Promise<string> {
  const path = nextPath(next);
  if (path !== "/") return path;
  try {
    const session = await getSession();
    return (session && onlyTeamPage(await readOwnTeams(session))) ?? path;
  } catch {
    return path; // which says what isn't working
  }
}
