"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { suggestedCharts } from "@/lib/charts/builder/suggest";
import { dashboardPath } from "@/lib/charts/definition/dashboard";
import { maxAgeSchema } from "@/lib/charts/definition/dashboard-filter";
import { chartDefinitionSchema } from "@/lib/charts/definition/definition";
import {
  deleteChart,
  duplicateChart,
  orderCharts,
  restoreChart,
  saveChart,
  setMaxAge,
} from "@/lib/charts/store/change";
import { generateChart } from "@/lib/charts/store/generate";
import { findChart } from "@/lib/charts/store/read";
import { listChartSources } from "@/lib/charts/store/records";
import { AppError } from "@/lib/errors";
import { formAction } from "@/lib/forms/form-action";
import { jsonField } from "@/lib/forms/json-field";
import { requireRate } from "@/lib/http/require-rate";
import { type Place, placeSchema } from "@/lib/ids";
import { logFailure } from "@/lib/log-event";
import { requirePermission } from "@/lib/permissions/require-place";

// Without a campaign it is the dashboard of the whole team.
const dashboardSchema = placeSchema.partial({ campaign: true });
const oneChart = dashboardSchema.extend({ id: z.guid() });

const requireEditing = async ({ team, campaign }: Place) => {
  const place = { team, campaign };
  const { session } = await requirePermission(place, "charts.edit");
  return { actorId: session.userId, place };
};

// A chart of another place is none of this dashboard's, even for somebody who may change it there.
const requireEditingOfOne = async ({ id, ...asked }: z.output<typeof oneChart>) => {
  const { actorId, place } = await requireEditing(asked);
  const chart = await findChart({ actorId, place, id });
  if (!chart || chart.campaign !== (place.campaign ?? null))
    throw new AppError("not-found", "This chart is not there any more. Reload the page to see which are.");
  return { actorId, id };
};

/**
 * Stores a chart, computes it, and goes to the dashboard; with `id` and `version` it changes that one, unless somebody
 * else has meanwhile. Problems name their part in `zodIssues`, and `data` gives the definition back.
 */
export const saveChartForm = formAction({
  guard: requireEditing,
  schema: oneChart.partial({ id: true }).extend({
    definition: jsonField(chartDefinitionSchema, { maxLength: 64 * 1024 }),
    version: z.coerce.number().int().default(0), // which no chart has
  }),
  keep: ["definition"],
  partsOf: "definition",
  run: async ({ id, version, definition }, { actorId, place }) => {
    const chart = await saveChart({ actorId, place, definition, ...(id && { existing: { id, version } }) });
    await generate(actorId, chart.id);
    redirect(`${dashboardPath(place)}#chart-${chart.id}`); // where it is seen, however many there are
  },
});

/** Copies a chart, right behind it. */
export const duplicateChartForm = formAction({
  guard: requireEditingOfOne,
  schema: oneChart,
  run: async (_input, chart) => {
    await duplicateChart(chart);
    refresh();
    return { message: "Duplicated." };
  },
});

/** Takes a chart off the dashboard. */
export const deleteChartForm = formAction({
  guard: requireEditingOfOne,
  schema: oneChart,
  run: async (_input, chart) => {
    await deleteChart(chart);
    refresh();
    return { message: "Deleted." };
  },
});

/** Brings a deleted chart back to its place. */
export const restoreChartForm = formAction({
  guard: requireEditing,
  schema: oneChart,
  run: async ({ id }, editing) => {
    await restoreChart({ ...editing, id });
    refresh();
    return { message: "Brought back." };
  },
});

/** Puts the charts of a dashboard in the order of `ids`, which a comma separates. */
export const orderChartsForm = formAction({
  guard: requireEditing,
  schema: dashboardSchema.extend({
    ids: z
      .string()
      .transform((text) => text.split(","))
      .pipe(z.array(z.guid()).max(500)),
  }),
  run: async ({ ids }, editing) => {
    await orderCharts({ ...editing, ids });
    refresh();
    return { message: "Moved." };
  },
});

/** Adds one of the suggested charts, and computes it. */
export const addSuggestedChartForm = formAction({
  guard: requireEditing,
  schema: dashboardSchema.extend({ name: z.string() }),
  run: async ({ name }, editing) => {
    const suggested = suggestedCharts(await listChartSources()).find(({ definition }) => definition.name === name);
    if (!suggested) throw new AppError("not-found", "This suggestion is not there any more. Reload the page.");
    const chart = await saveChart({ ...editing, definition: suggested.definition });
    await generate(editing.actorId, chart.id);
    refresh();
    return { message: `Added: ${name}.` };
  },
});

/** Sets after how many minutes the charts of a dashboard are generated anew. */
export const setMaxAgeForm = formAction({
  guard: requireEditing,
  schema: dashboardSchema.extend({ maxAge: jsonField(maxAgeSchema, { maxLength: 10 }) }),
  run: async ({ maxAge }, editing) => {
    await setMaxAge({ ...editing, maxAge });
    refresh();
    return { message: "Set." };
  },
});

// The chart is stored whatever comes of this; its card says that it was not computed, and offers to.
async function generate(actorId: string, id: string) {
  try {
    await requireRate("charts", actorId);
    await generateChart({ actorId, id });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    if (thrown.status >= 500) logFailure(thrown.message, thrown.cause);
  }
}
