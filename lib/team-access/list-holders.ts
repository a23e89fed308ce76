import "server-only";
import { z } from "zod";
import type { Place } from "@/lib/ids";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const holdersSchema = z.array(
  z.object({
    userId: z.uuid(),
    name: z.string(),
    /** In the team. */
    role: z.string(),
    /** Names of the permission sets by which she holds it. */
    sets: z.array(z.string()),
  }),
);
export type Holder = z.infer<typeof holdersSchema>[number];

/**
 * The active members who hold a key in the whole team, or in a campaign that is open to them, by name. Guard with
 * `roles.manage` first.
 */
export async function listHolders({ team, campaign }: Place, key: PermissionKey): Promise<Holder[]> {
  const asked = { p_team_id: team, p_campaign_id: campaign ?? null, p_key: key };
  return holdersSchema.parse(unwrap(await createAdminClient().rpc("who_holds", asked)));
}
