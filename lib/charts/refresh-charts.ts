import "server-only";
import { z } from "zod";
import { generateChart } from "@/lib/charts/generate-chart";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Generates those of the charts that are older than their dashboard lets them get, each once for all who ask at the same
 * time. For the page that shows them, after its answer, in the name of who opened it: guard `charts.view` where each is
 * first. One that cannot be generated stays as it is, and the others come.
 */
export async function refreshCharts({ actorId, ids }: { actorId: string; ids: string[] }): Promise<void> {
  for (let turn = 0; turn < ids.length; turn += 1) {
    const taken = await createAdminClient().rpc("take_stale_chart", { p_ids: ids });
    const id = z.guid().nullable().parse(unwrap(taken));
    if (id === null) return;
    try {
      await generateChart({ actorId, id });
    } catch (thrown) {
      if (!(thrown instanceof AppError)) logFailure("A chart could not be generated anew.", thrown);
      else if (thrown.status >= 500) logFailure(thrown.message, thrown.cause);
    }
  }
}
