import "server-only";
import { z } from "zod";
import { generateChart } from "@/lib/charts/generate-chart";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Generates those of the charts that are older than their dashboard lets them get, each once for all who ask at the same
 * time. For the page that shows them, after its answer: guard `charts.view` where each is first. One that cannot be
 * generated stays as it is.
 */
export async function refreshCharts(ids: string[]): Promise<void> {
  const taken = await createAdminClient().rpc("take_stale_charts", { p_ids: ids });
  for (const id of z.array(z.guid()).parse(unwrap(taken))) {
    try {
      await generateChart(id);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      if (thrown.status >= 500) console.error(thrown.message, thrown.cause ?? "");
    }
  }
}
