import "server-only";
import { AppError } from "@/lib/errors";

/** Throws AppError `unauthenticated` when what is sent is another clerk's than whose session it is. */
export function requireOwnChanges({ userId }: { userId: string }, clerk: string | undefined): void {
  if (clerk === undefined || clerk === userId) return;
  const error = "Somebody else is signed in on this device now. Sign in again as the one who keyed these lines.";
  throw new AppError("unauthenticated", error);
}
