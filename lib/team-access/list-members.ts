import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const memberSchema = z.object({
  userId: z.uuid(),
  name: z.string(),
  email: z.string(),
  roleId: z.uuid(),
  role: z.string(),
  isAdministrator: z.boolean(),
  status: z.enum(["active", "invited", "suspended"]),
  /** Campaigns given to the member by name; `role` is null where she has permission sets alone. */
  campaigns: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      roleId: z.uuid().nullable(),
      role: z.string().nullable(),
      /** Permission sets that she holds there directly, by name. */
      sets: z.array(z.object({ id: z.uuid(), name: z.string() })),
    }),
  ),
});
export type Member = z.infer<typeof memberSchema>;

/** All members of a team by name, of any status. Guard with `members.view` first. */
export async function listMembers(teamId: string): Promise<Member[]> {
  return z.array(memberSchema).parse(unwrap(await createAdminClient().rpc("team_members", { p_team_id: teamId })));
}
