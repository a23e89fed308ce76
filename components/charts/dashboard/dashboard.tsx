"use client";

import { Plus, RefreshCw } from "lucide-react";
import Link from "next/link";
import { startTransition, useActionState, useMemo, useOptimistic, useRef, useState } from "react";
import { ChartCard } from "@/components/charts/dashboard/chart-card";
import { ChartRecordsDialog, type OpenedCell } from "@/components/charts/dashboard/chart-records-dialog";
import { SuggestedCharts } from "@/components/charts/dashboard/suggested-charts";
import { type GenerationProgress, useGeneration } from "@/components/charts/dashboard/use-generation";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { useFormat } from "@/components/shell/format-provider";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { Button, buttonVariants } from "@/components/ui/button";
import type { ChartSource } from "@/lib/charts/chart-source";
import type { StoredChart } from "@/lib/charts/stored-chart";
import type { SuggestedChart } from "@/lib/charts/suggested-charts";
import { type FormState, type FormSubmit, unsent } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import { cn } from "@/lib/utils";

/** What those who hold `charts.edit` do with a dashboard. */
export type DashboardEditing = {
  duplicate: FormSubmit;
  remove: FormSubmit;
  restore: FormSubmit;
  order: FormSubmit;
  addSuggested: FormSubmit;
  suggestions: SuggestedChart[];
};

/** The charts of a campaign. `editing` is there with `charts.edit`, `seesRecords` with `signatures.view`. */
export function Dashboard({
  place,
  charts,
  sources,
  seesRecords,
  deletedId = null,
  editing,
}: {
  place: CampaignOfTeam;
  charts: StoredChart[];
  sources: ChartSource[];
  seesRecords: boolean;
  /** A chart that the builder has just deleted. */
  deletedId?: string | null;
  editing?: DashboardEditing;
}) {
  const path = `/${place.team}/campaign/${place.campaign}/dashboard`;
  const { generate, of, progress } = useGeneration();
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  const change = useChanges(place, editing, charts.some(({ id }) => id === deletedId) ? null : deletedId);
  const [order, setOrder] = useOptimistic<string[] | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const dragged = useRef<string | null>(null);

  const own = inOrder(
    charts.filter(({ campaign }) => campaign !== null),
    order,
  );
  const shown = [...own, ...charts.filter(({ campaign }) => campaign === null)];
  const suggestions = own.length < 3 ? missing(editing?.suggestions ?? [], own) : [];
  const computing = progress !== null && progress.done < progress.all;

  const newHref = `${path}/charts/new`;
  const edits = editing !== undefined;
  useScreenKeys(
    useMemo(() => (edits ? [{ key: "← →", does: "Move the chart whose handle has the focus" }] : []), [edits]),
  );

  const moveTo = (id: string, at: number) => {
    const ids = own.map((chart) => chart.id);
    const to = Math.max(0, Math.min(ids.length - 1, at));
    if (ids.indexOf(id) === to) return;
    const moved = ids.toSpliced(ids.indexOf(id), 1).toSpliced(to, 0, id);
    startTransition(() => {
      setOrder(moved);
      change.run("order", { ids: moved.join(",") });
    });
    // The handle keeps the focus where its card has gone.
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-handle="${id}"]`)?.focus());
  };

  return (
    <div className="flex flex-col gap-4 px-4 py-4 md:px-6">
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="text-sm">
          <ProgressText progress={progress} charts={charts.length} />
        </p>
        {editing && <ChangeLine change={change} />}
        {editing && (
          <div className="ml-auto flex gap-2">
            {own.length > 0 && (
              <Button variant="outline" aria-disabled={computing} onClick={() => computing || void generate(own)}>
                <RefreshCw aria-hidden className={cn(computing && "motion-safe:animate-spin")} />
                Regenerate all
              </Button>
            )}
            <Link href={newHref} prefetch={false} className={buttonVariants()}>
              <Plus aria-hidden />
              New chart
            </Link>
          </div>
        )}
      </div>
      {shown.length > 0 && (
        <div ref={grid} className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3">
          {shown.map((chart) => {
            const at = own.indexOf(chart);
            const source = sources.find(({ name }) => name === chart.source);
            const columns = source?.columns ?? [];
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the handle does the same by keyboard
              <div
                key={chart.id}
                id={`chart-${chart.id}`}
                className="min-w-0 [&>article]:h-full"
                onDragOver={(event) => at >= 0 && dragged.current !== null && event.preventDefault()}
                onDrop={(event) => {
                  event.preventDefault();
                  if (dragged.current !== null) moveTo(dragged.current, at);
                }}
              >
                <ChartCard
                  chart={chart}
                  {...of(chart)}
                  columns={columns}
                  // The records of a campaign are not all that a chart of the whole team counts, and those of a definition
                  // that cannot be read are not known.
                  onCell={
                    seesRecords && chart.campaign !== null && chart.problem === null
                      ? (cell, result) => setOpened({ name: chart.name, query: chart, result, columns, cell })
                      : undefined
                  }
                  editing={
                    editing && at >= 0
                      ? {
                          editHref: `${path}/charts/${chart.id}`,
                          onGenerate: () => void generate([chart]),
                          onDuplicate: () => startTransition(() => change.run("duplicate", { id: chart.id })),
                          onDelete: () => startTransition(() => change.run("remove", { id: chart.id }, chart.name)),
                          onMove: (by) => moveTo(chart.id, at + by),
                          first: at === 0,
                          last: at === own.length - 1,
                          onDragStart: () => {
                            dragged.current = chart.id;
                          },
                          onDragEnd: () => {
                            dragged.current = null;
                          },
                        }
                      : undefined
                  }
                />
              </div>
            );
          })}
        </div>
      )}
      {(shown.length === 0 || suggestions.length > 0) && (
        <SuggestedCharts
          empty={shown.length === 0}
          suggestions={editing ? suggestions : null}
          pending={change.pending}
          onAdd={(name) => startTransition(() => change.run("addSuggested", { name }))}
        />
      )}
      {opened && <ChartRecordsDialog dashboard={path} opened={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

function ProgressText({ progress, charts }: { progress: GenerationProgress | null; charts: number }) {
  const { count } = useFormat();
  if (progress === null) return charts === 0 ? null : count(charts, "chart");
  const { done, failed, all } = progress;
  if (done < all) return `Computing ${done + 1} of ${all}…`;
  return failed === 0 ? `${count(all, "chart")} computed.` : `${all - failed} of ${all} computed. The others say why.`;
}

function inOrder(charts: StoredChart[], order: string[] | null) {
  if (order === null) return charts;
  return charts.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

const missing = (suggestions: SuggestedChart[], charts: StoredChart[]) =>
  suggestions.filter(({ definition }) => !charts.some(({ name }) => name === definition.name));

type Kind = "duplicate" | "remove" | "restore" | "order" | "addSuggested";
type Change = { kind: Kind; fields: Record<string, string>; name: string | null };
type Outcome = { state: FormState; last: Change | null };

// One change after another, and what came of the last one.
function useChanges(place: CampaignOfTeam, editing: DashboardEditing | undefined, deletedId: string | null) {
  const [outcome, dispatch, pending] = useActionState(
    async (before: Outcome, change: Change): Promise<Outcome> => {
      if (!editing) return before;
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...place, ...change.fields })) form.set(name, value);
      return { state: await editing[change.kind](unsent, form), last: change };
    },
    {
      state: deletedId ? { message: "Deleted.", error: null } : unsent,
      last: deletedId ? { kind: "remove", fields: { id: deletedId }, name: null } : null,
    },
  );
  useSessionEnded(outcome.state);
  const run = (kind: Kind, fields: Record<string, string>, name: string | null = null) =>
    dispatch({ kind, fields, name });
  return { ...outcome, run, pending };
}

// The button that was pressed is gone with its chart.
const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

function ChangeLine({ change }: { change: ReturnType<typeof useChanges> }) {
  const { state, last, pending, run } = change;
  const undone = state.error === null && last?.kind === "remove" ? last.fields.id : undefined;
  return (
    <>
      <div role="status" className="flex min-w-0 items-center gap-3 text-sm">
        {pending && <span className="appear-late text-muted-foreground">Saving…</span>}
        {!pending && state.message && (
          <span className="wrap-anywhere min-w-0">
            {undone && last?.name ? `“${last.name}” is deleted.` : state.message}
          </span>
        )}
        {!pending && undone && (
          <Button
            ref={takeFocus}
            variant="outline"
            onClick={() => startTransition(() => run("restore", { id: undone }))}
          >
            Undo
          </Button>
        )}
      </div>
      <p role="alert" className="text-destructive text-sm empty:hidden">
        {pending ? null : state.error}
      </p>
    </>
  );
}
