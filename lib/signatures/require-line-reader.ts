import "server-only";
import { AppError } from "@/lib/errors";
import type { Session } from "@/lib/permissions/get-session";
import { routePermissions } from "@/lib/permissions/route-permissions";

/** For routes: the user reads lines of the campaign, or enters them. Throws AppError `forbidden`. */
export async function requireLineReader(session: Session, place: { team: string; campaign: string }): Promise<void> {
  const { campaignAccess, permissionKeys } = await routePermissions(session, place);
  if (campaignAccess && permissionKeys.some((key) => key === "signatures.view" || key === "signatures.enter")) return;
  throw new AppError(
    "forbidden",
    'This needs "See signatures" (signatures.view). Ask an administrator of the team for it.',
  );
}
