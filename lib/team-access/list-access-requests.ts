import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const requestsSchema = z.array(
  z.object({
    id: z.uuid(),
    userId: z.uuid(),
    name: z.string(),
    /** Null for the team itself. */
    campaign: z.object({ id: z.string(), name: z.string() }).nullable(),
    key: z.string(),
    /** Path of the page on which it was asked, where that is known. */
    page: z.string().nullable(),
    askedAt: z.string(),
    /** She holds it by now: what is left is to close the request. */
    held: z.boolean(),
  }),
);
export type AccessRequest = z.infer<typeof requestsSchema>[number];

/** What members of a team have asked for and nobody has closed, oldest first. Guard with `members.manage` first. */
export async function listAccessRequests(teamId: string): Promise<AccessRequest[]> {
  return requestsSchema.parse(unwrap(await createAdminClient().rpc("open_access_requests", { p_team_id: teamId })));
}
