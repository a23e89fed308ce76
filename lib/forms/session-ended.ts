import type { FormState } from "@/lib/forms/form-state";
import { pageEvent } from "@/lib/page-event";

/** The error of an action after the session has ended. */
export const sessionEnded =
  "Your session has ended, so nothing was saved. Sign in again: what you typed is still here.";

/** The session has ended: the page offers to sign in again in place. */
export const { report: reportSessionEnded, on: onSessionEnded } = pageEvent("signet:session-ended");

/** The same person has signed in again: forms drop the error. */
export const { report: reportSessionRenewed, on: onSessionRenewed } = pageEvent("signet:session-renewed");

/** Reports that the session ended if an action failed for that reason. */
export function reportIfSessionEnded(state: FormState<unknown> | null) {
  if (state?.error === sessionEnded) reportSessionEnded();
}
