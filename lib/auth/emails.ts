import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { callSql } from "@/lib/supabase/call-sql";

const choicesSchema = z.object({
  /** Whether Signet has a mail server; otherwise no emails are offered. */
  available: z.boolean(),
  /** Requests for access that the person can decide on, and answers to their requests and invitations. */
  requests: z.boolean(),
  /** A daily summary of the campaigns they can see. */
  digest: z.boolean(),
});
export type EmailChoices = z.infer<typeof choicesSchema>;

/** Which emails the signed-in person gets. */
export async function readEmailChoices({ userId }: Session): Promise<EmailChoices> {
  return callSql("email_choices", { p_user_id: userId }, choicesSchema);
}

/** Saves which emails the signed-in person gets. */
export async function saveEmailChoices(
  { userId }: Session,
  { requests, digest }: Omit<EmailChoices, "available">,
): Promise<void> {
  await callSql("choose_emails", { p_user_id: userId, p_requests: requests, p_digest: digest }, z.unknown());
}
