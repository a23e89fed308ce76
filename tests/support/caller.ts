// Replaces get-session.ts and route-permissions.ts where a test calls routes and actions directly:
// `vi.mock("…/get-session.ts", () => import("../../support/caller.ts"))`.

type Place = { team?: string; campaign?: string };

/** Who calls, and what the edge function returns for them. */
export const caller = {
  session: null as { userId: string; email: string; accessToken: string } | null,
  snapshot: async (_userId: string, _place: Place): Promise<unknown> => undefined,
};

export const getSession = async () => caller.session;
export const getLiveSession = async () => caller.session;
export const getSignIn = async () =>
  caller.session && { session: caller.session, accountHasSecondFactor: false, needsCode: false };
export const routePermissions = ({ userId }: { userId: string }, place: Place) => caller.snapshot(userId, place);
