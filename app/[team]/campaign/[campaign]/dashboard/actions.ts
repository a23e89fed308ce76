"use server";

import { refresh } from "next/cache";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { suggestedCharts } from "@/lib/charts/builder/suggest";
import { dashboardHref, maxAges, textTitle } from "@/lib/charts/definition/dashboard";
import { chartDefinitionSchema } from "@/lib/charts/definition/definition";
import { missingChart, missingSuggestion } from "@/lib/charts/messages";
import * as charts from "@/lib/charts/store/change";
import { maxAgeSchema } from "@/lib/charts/store/dashboard";
import { generateChart } from "@/lib/charts/store/generate";
import { findChart } from "@/lib/charts/store/read";
import { listChartSources } from "@/lib/charts/store/records";
import { AppError } from "@/lib/errors";
import { emptyAsNull } from "@/lib/forms/empty-as-null";
import { formAction } from "@/lib/forms/form-action";
import { jsonField } from "@/lib/forms/json-field";
import { enforceRateLimit } from "@/lib/http/enforce-rate-limit";
import { type Place, placeSchema } from "@/lib/ids";
import { logFailure } from "@/lib/log-event";
import { requirePermission } from "@/lib/permissions/require-place";
import { storableText } from "@/lib/storable";

// Without a campaign, it is the team's dashboard.
const dashboardSchema = placeSchema.partial({ campaign: true });
const chartInputSchema = dashboardSchema.extend({ id: z.guid() });
const dashboardId = z.guid().nullable().default(null); // null: the first dashboard of the place
const titleSchema = (maxLength: number) =>
  storableText.trim().max(maxLength, `must be at most ${maxLength} characters`);
const nameSchema = (maxLength: number) => titleSchema(maxLength).min(1, "Enter a name");
const versionSchema = z.coerce.number().int().default(0); // no chart has version 0

const requireEditing = async ({ team, campaign }: Place) => {
  const place = { team, campaign };
  const { session } = await requirePermission(place, "charts.edit");
  return { actorId: session.userId, place };
};

// Refuses charts of another place, even if the user can edit them there.
const requireChartEditing = async ({ id, ...input }: z.output<typeof chartInputSchema>) => {
  const { actorId, place } = await requireEditing(input);
  const chart = await findChart({ actorId, place, id });
  if (!chart || chart.campaign !== (place.campaign ?? null)) throw new AppError(...missingChart);
  return { chart: { actorId, id }, name: chart.name };
};

const quotedName = async (editing: Awaited<ReturnType<typeof requireEditing>>, id?: string) => {
  const chart = id === undefined ? null : await findChart({ ...editing, id });
  return chart ? `“${chart.name}”` : "Chart";
};

/**
 * Stores a chart, computes it, and goes to the dashboard. With `id` and `version` it changes that chart, unless someone
 * else has changed it. Problems name their part in `zodIssues`, and `data` returns the definition.
 */
export const saveChart = formAction({
  guard: requireEditing,
  schema: chartInputSchema.partial({ id: true }).extend({
    definition: jsonField(chartDefinitionSchema, { maxLength: 64 * 1024 }),
    version: versionSchema,
    updatedAt: z.iso.datetime({ offset: true }).optional(),
    dashboardId,
  }),
  keepOnError: ["definition"],
  partsOf: "definition",
  run: async ({ id, version, updatedAt, dashboardId, definition }, { actorId, place }) => {
    const existing = id && { existing: { id, version, updatedAt } };
    const chart = await charts.saveChart({ actorId, place, dashboardId, definition, ...existing });
    await generate(actorId, chart.id);
    // Scrolls to it. Back would open the builder again.
    redirect(`${dashboardHref(place, dashboardId)}#chart-${chart.id}`, RedirectType.replace);
  },
});

/** Inserts a copy right after the chart. */
export const duplicateChart = formAction({
  guard: requireChartEditing,
  schema: chartInputSchema,
  run: async (_input, { chart, name }) => {
    await charts.duplicateChart(chart);
    return refreshWithMessage(`“${name}” copied.`);
  },
});

/** Deletes a chart from the dashboard. */
export const deleteChart = formAction({
  guard: requireChartEditing,
  schema: chartInputSchema,
  run: async (_input, { chart, name }) => {
    await charts.deleteChart(chart);
    return refreshWithMessage(`“${name}” deleted.`);
  },
});

/** Restores a deleted chart to its position. */
export const restoreChart = formAction({
  guard: requireEditing,
  schema: chartInputSchema,
  run: async ({ id }, editing) => {
    await charts.restoreChart({ ...editing, id });
    return refreshWithMessage(`${await quotedName(editing, id)} restored.`);
  },
});

/** Puts the charts of a dashboard in the order of `ids`, separated by commas. `id` is the one that was moved. */
export const orderCharts = formAction({
  guard: requireEditing,
  schema: chartInputSchema.partial({ id: true }).extend({
    ids: z
      .string()
      .transform((text) => text.split(","))
      .pipe(z.array(z.guid()).max(500)),
  }),
  run: async ({ ids, id }, editing) => {
    await charts.orderCharts({ ...editing, ids });
    const position = id === undefined ? "" : ` to place ${ids.indexOf(id) + 1} of ${ids.length}`;
    return refreshWithMessage(`${await quotedName(editing, id)} moved${position}.`);
  },
});

/** Adds one of the suggested charts, and computes it. */
export const addSuggestedChart = formAction({
  guard: requireEditing,
  schema: dashboardSchema.extend({ name: z.string(), dashboardId }),
  run: async ({ name, dashboardId }, editing) => {
    const suggested = suggestedCharts(await listChartSources()).find(({ definition }) => definition.name === name);
    if (!suggested) throw new AppError("not-found", missingSuggestion);
    const { id } = await charts.saveChart({ ...editing, dashboardId, definition: suggested.definition });
    await generate(editing.actorId, id);
    return refreshWithMessage(`“${name}” added.`);
  },
});

/** Sets a chart's width, in thirds of the dashboard. */
export const resizeChart = formAction({
  guard: requireChartEditing,
  schema: chartInputSchema.extend({ width: z.coerce.number().int().min(1).max(3) }),
  run: async ({ width }, { chart, name }) => {
    await charts.resizeChart({ ...chart, width });
    return refreshWithMessage(`“${name}” resized.`);
  },
});

/** Moves a chart or text to another dashboard of its place; without `to`, to the first one. */
export const moveChart = formAction({
  guard: requireChartEditing,
  schema: chartInputSchema.extend({ to: emptyAsNull(z.guid().nullable()) }),
  run: async ({ to }, { chart, name }) => {
    await charts.moveChart({ ...chart, dashboardId: to });
    return refreshWithMessage(`“${name}” moved.`);
  },
});

/**
 * Stores a text, perhaps without a title, as a card of a dashboard. With `id` and `version` it changes that card, unless someone
 * else has changed it.
 */
export const saveText = formAction({
  guard: requireEditing,
  schema: chartInputSchema.partial({ id: true }).extend({
    version: versionSchema,
    dashboardId,
    name: titleSchema(120),
    text: storableText
      .transform((text) => text.replaceAll("\r\n", "\n").trim())
      .pipe(z.string().min(1, "Enter a text").max(2_000, "must be at most 2,000 characters")),
  }),
  run: async ({ id, version, dashboardId, name: typed, text }, editing) => {
    const name = typed || textTitle(text);
    await charts.saveText({ ...editing, dashboardId, name, text, ...(id && { existing: { id, version } }) });
    return refreshWithMessage(id ? `“${name}” saved.` : `“${name}” added.`);
  },
});

/** Adds a dashboard and opens it; with `dashboardId` it renames that one if it still has the name `before`. */
export const saveDashboard = formAction({
  guard: requireEditing,
  schema: dashboardSchema.extend({ dashboardId, name: nameSchema(60), before: z.string().optional() }),
  run: async ({ dashboardId, name, before }, editing) => {
    const id = await charts.saveDashboard({ ...editing, dashboardId, name, before });
    if (dashboardId === null) redirect(dashboardHref(editing.place, id));
    return refreshWithMessage(`Dashboard renamed to “${name}.”`);
  },
});

/** Deletes a dashboard with its charts, and opens the first one. */
export const deleteDashboard = formAction({
  guard: requireEditing,
  schema: dashboardSchema.extend({ dashboardId: z.guid() }),
  run: async ({ dashboardId }, editing) => {
    await charts.deleteDashboard({ ...editing, dashboardId });
    redirect(dashboardHref(editing.place, null));
  },
});

/** Sets how old the charts of a dashboard may get, in minutes. */
export const setMaxAge = formAction({
  guard: requireEditing,
  schema: dashboardSchema.extend({ maxAge: jsonField(maxAgeSchema, { maxLength: 10 }) }),
  run: async ({ maxAge }, editing) => {
    await charts.setMaxAge({ ...editing, maxAge });
    const often = maxAges.find(([age]) => age === maxAge)?.[1].toLowerCase();
    return refreshWithMessage(maxAge === null ? "Auto-refresh is off." : `Charts now refresh ${often}.`);
  },
});

function refreshWithMessage(message: string) {
  refresh();
  return { message };
}

// The chart stays stored if this fails; its card says so and offers to try again.
async function generate(actorId: string, id: string) {
  try {
    await enforceRateLimit("charts", actorId);
    await generateChart({ actorId, id });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    if (thrown.status >= 500) logFailure(thrown.message, thrown.cause);
  }
}
