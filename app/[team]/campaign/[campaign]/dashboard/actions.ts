"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { chartDefinitionSchema } from "@/lib/charts/chart-definition";
import { ChartProblem } from "@/lib/charts/chart-problem";
import { chartSources } from "@/lib/charts/chart-sources";
import { deleteChart } from "@/lib/charts/delete-chart";
import { duplicateChart } from "@/lib/charts/duplicate-chart";
import { findChart } from "@/lib/charts/find-chart";
import { generateChart } from "@/lib/charts/generate-chart";
import { orderCharts } from "@/lib/charts/order-charts";
import { restoreChart } from "@/lib/charts/restore-chart";
import { saveChart } from "@/lib/charts/save-chart";
import { suggestedCharts } from "@/lib/charts/suggested-charts";
import { AppError } from "@/lib/errors";
import type { FormState } from "@/lib/forms/form-state";
import { submitForm } from "@/lib/forms/submit-form";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";
import type { Session } from "@/lib/permissions/get-session";
import { requirePermission } from "@/lib/permissions/require-place";
import { requireUser } from "@/lib/permissions/require-user";

const place = { team: teamIdSchema, campaign: campaignIdSchema };
const oneChart = z.object({ ...place, id: z.guid() });

const definition = z
  .string()
  .max(64 * 1024)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue("is not readable");
      return z.NEVER;
    }
  })
  .pipe(chartDefinitionSchema);

const saved = z.object({ ...place, definition, id: z.guid().optional(), version: z.coerce.number().int().default(0) });

/**
 * Stores a chart, computes it, and goes to the dashboard; with `id` and `version` it changes that one, unless somebody
 * else has meanwhile. Problems name their part in `zodIssues`, and `data` gives the definition back.
 */
export async function saveChartForm(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  let problem: ChartProblem | null = null;
  const state = await submitForm(form, {
    schema: saved,
    keep: ["definition"],
    run: async ({ team, campaign, id, version, definition }) => {
      const { session } = await requirePermission({ team, campaign }, "charts.edit");
      const existing = id && { id, version }; // without a version it is 0, which no chart has
      const change = { actorId: session.userId, place: { team, campaign }, definition, ...(existing && { existing }) };
      const chart = await saveChart(change).catch((thrown: unknown) => {
        if (thrown instanceof ChartProblem) problem = thrown;
        throw thrown;
      });
      await generate(session, chart.id);
      redirect(`/${team}/campaign/${campaign}/dashboard`);
    },
  });
  return withPart(state, problem);
}

/** Copies a chart, right behind it. */
export async function duplicateChartForm(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: oneChart,
    run: async (input) => {
      await duplicateChart(await editable(input));
      refresh();
      return { message: "Duplicated." };
    },
  });
}

/** Takes a chart off the dashboard. */
export async function deleteChartForm(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: oneChart,
    run: async (input) => {
      await deleteChart(await editable(input));
      refresh();
      return { message: "Deleted." };
    },
  });
}

/** Brings a deleted chart back to its place. */
export async function restoreChartForm(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: oneChart,
    run: async ({ team, campaign, id }) => {
      const { session } = await requirePermission({ team, campaign }, "charts.edit");
      await restoreChart({ actorId: session.userId, place: { team, campaign }, id });
      refresh();
      return { message: "Brought back." };
    },
  });
}

/** Puts the charts of a dashboard in the order of `ids`, which a comma separates. */
export async function orderChartsForm(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  const ids = z.string().transform((text) => text.split(","));
  return submitForm(form, {
    schema: z.object({ ...place, ids: ids.pipe(z.array(z.guid()).max(500)) }),
    run: async ({ team, campaign, ids }) => {
      const { session } = await requirePermission({ team, campaign }, "charts.edit");
      await orderCharts({ actorId: session.userId, place: { team, campaign }, ids });
      refresh();
      return { message: "Moved." };
    },
  });
}

/** Adds one of the suggested charts, and computes it. */
export async function addSuggestedChartForm(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: z.object({ ...place, name: z.string() }),
    run: async ({ team, campaign, name }) => {
      const { session } = await requirePermission({ team, campaign }, "charts.edit");
      const suggested = suggestedCharts(await chartSources()).find(({ definition }) => definition.name === name);
      if (!suggested) throw new AppError("not-found", "This suggestion is not there any more. Reload the page.");
      const change = { actorId: session.userId, place: { team, campaign }, definition: suggested.definition };
      const chart = await saveChart(change);
      await generate(session, chart.id);
      refresh();
      return { message: `Added: ${name}.` };
    },
  });
}

// A chart of another place, or of the whole team, is none of this dashboard's, even for somebody who may change it there.
async function editable({ team, campaign, id }: z.output<typeof oneChart>) {
  const { session } = await requirePermission({ team, campaign }, "charts.edit");
  const chart = await findChart({ team, campaign }, id);
  if (chart?.campaign !== campaign)
    throw new AppError("not-found", "This chart is not there any more. Reload the page to see which are.");
  return { actorId: session.userId, id };
}

// The chart is stored whatever comes of this; its card says that it was not computed, and offers to.
async function generate(session: Session, id: string) {
  try {
    await generateChart(session, id);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    if (thrown.status >= 500) console.error(thrown.message, thrown.cause ?? "");
  }
}

function withPart(state: FormState, problem: ChartProblem | null): FormState {
  if (problem === null || state.error === null) return state;
  const path = ["definition", ...problem.part.split(".")];
  return { ...state, zodIssues: [{ code: "custom", path, message: problem.message }] };
}
