import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const notesSchema = z.object({ ids: z.array(z.number()), userIds: z.array(z.string()) });

/** The oldest notes of changed permissions: their ids, and the users they name, each once. */
export async function readNotes(limit: number): Promise<z.infer<typeof notesSchema>> {
  return notesSchema.parse(unwrap(await createAdminClient().rpc("pending_permission_changes", { p_limit: limit })));
}
