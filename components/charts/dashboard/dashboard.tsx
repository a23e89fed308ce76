"use client";

import { Plus, RefreshCw } from "lucide-react";
import Link from "next/link";
import { startTransition, useMemo, useOptimistic, useRef, useState } from "react";
import { ChangeToast } from "@/components/charts/dashboard/change-toast";
import { ChartCard } from "@/components/charts/dashboard/chart-card";
import { ChartRecordsDialog, type OpenedCell } from "@/components/charts/dashboard/chart-records-dialog";
import { FilterBar } from "@/components/charts/dashboard/filter-bar";
import { MaxAgeField } from "@/components/charts/dashboard/max-age-field";
import { SuggestedCharts } from "@/components/charts/dashboard/suggested-charts";
import { type DashboardEditing, useChanges } from "@/components/charts/dashboard/use-changes";
import { type GenerationProgress, useGeneration } from "@/components/charts/dashboard/use-generation";
import { useNewerNumbers } from "@/components/charts/dashboard/use-newer-numbers";
import { useFormat } from "@/components/shell/format-provider";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { Button, buttonVariants } from "@/components/ui/button";
import type { SuggestedChart } from "@/lib/charts/builder/suggest";

import { dashboardPath, filterWords, type MaxAge, narrows } from "@/lib/charts/definition/dashboard";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import type { ChartSource } from "@/lib/charts/definition/source";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import type { FilterChoices } from "@/lib/charts/store/dashboard";
import type { Place } from "@/lib/ids";
import { cn } from "@/lib/utils";

/** The charts of a place. `editing` is there with `charts.edit`, `seesRecords` with `signatures.view`. */
export function Dashboard({
  place,
  charts,
  sources,
  filter,
  choices,
  maxAge,
  seesRecords,
  deletedId = null,
  editing,
}: {
  place: Place;
  charts: DashboardChart[];
  sources: ChartSource[];
  filter: DashboardFilter;
  choices: FilterChoices;
  maxAge: MaxAge;
  seesRecords: boolean;
  /** A chart that the builder has just deleted. */
  deletedId?: string | null;
  editing?: DashboardEditing;
}) {
  const path = dashboardPath(place);
  const filtered = narrows(filter);
  const format = useFormat();
  const only = filterWords(filter, choices.clerks, format);
  const { generate, of, progress } = useGeneration();
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  const changes = useChanges(place, editing, charts.some(({ id }) => id === deletedId) ? null : deletedId);
  const [order, setOrder] = useOptimistic<string[] | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const dragged = useRef<string | null>(null);

  const own = inOrder(
    charts.filter(({ campaign }) => campaign === (place.campaign ?? null)),
    order,
  );
  const shown = [...own, ...charts.filter((chart) => !own.includes(chart))];
  const suggestions = own.length < 3 ? missing(editing?.suggestions ?? [], own) : [];
  const computing = progress !== null && progress.done < progress.all;

  useNewerNumbers({
    isStale: !filtered && charts.some(({ isStale, failed }) => isStale && !failed),
    staleAt: filtered ? null : firstStaleAt(charts),
  });

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
      changes.run("order", { ids: moved.join(",") });
    });
    // The handle keeps the focus where its card has gone.
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-handle="${id}"]`)?.focus());
  };

  return (
    <div className="flex flex-col gap-4 px-4 py-4 md:px-6 print:p-0 print:pt-3">
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
        <p role="status" className="text-sm">
          <ProgressText progress={progress} charts={charts.length} />
        </p>
        {charts.length > 0 && (
          <MaxAgeField
            maxAge={maxAge}
            onSet={
              editing && ((age) => startTransition(() => changes.run("setMaxAge", { maxAge: JSON.stringify(age) })))
            }
          />
        )}
        {editing && (
          <div className="ml-auto flex gap-2">
            {own.length > 0 && !filtered && (
              <Button
                variant="outline"
                aria-disabled={computing}
                onClick={() => computing || void generate(own.filter(({ withheld }) => !withheld))}
              >
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
      {only && <p className="hidden print:block">{only}</p>}
      {shown.length > 0 && (
        <FilterBar path={path} filter={filter} choices={choices}>
          {(pending) => (
            <div
              ref={grid}
              aria-busy={pending}
              className={cn("grid gap-4 md:grid-cols-2 2xl:grid-cols-3 print:grid-cols-2", pending && "opacity-60")}
            >
              {shown.map((chart) => {
                const at = own.indexOf(chart);
                const source = sources.find(({ name }) => name === chart.source);
                const columns = source?.columns ?? [];
                return (
                  // biome-ignore lint/a11y/noStaticElementInteractions: the handle does the same by keyboard
                  <div
                    key={chart.id}
                    id={`chart-${chart.id}`}
                    className="min-w-0 break-inside-avoid [&>article]:h-full"
                    onDragOver={(event) => at >= 0 && dragged.current !== null && event.preventDefault()}
                    onDrop={(event) => {
                      event.preventDefault();
                      if (dragged.current !== null) moveTo(dragged.current, at);
                    }}
                  >
                    <ChartCard
                      chart={chart}
                      {...(filtered ? { result: chart.data, busy: null, failure: chart.failure } : of(chart))}
                      only={chart.narrowed.length > 0 ? only : null}
                      teamHref={place.campaign === undefined ? null : dashboardPath({ team: place.team })}
                      columns={columns}
                      // The records of a campaign are not all that a chart of the whole team counts, and those of a definition
                      // that cannot be read are not known.
                      onCell={
                        seesRecords && at >= 0 && chart.problem === null
                          ? (cell, result) =>
                              setOpened({ name: chart.name, query: asked(chart), result, columns, cell })
                          : undefined
                      }
                      editing={
                        editing && at >= 0
                          ? {
                              editHref: `${path}/charts/${chart.id}`,
                              onGenerate: filtered || chart.withheld ? null : () => void generate([chart]),
                              onDuplicate: () => startTransition(() => changes.run("duplicate", { id: chart.id })),
                              onDelete: () =>
                                startTransition(() => changes.run("remove", { id: chart.id }, chart.name)),
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
        </FilterBar>
      )}
      {(shown.length === 0 || suggestions.length > 0) && (
        <SuggestedCharts
          empty={shown.length === 0}
          suggestions={editing ? suggestions : null}
          pending={changes.pending}
          onAdd={(name) => startTransition(() => changes.run("addSuggested", { name }))}
        />
      )}
      {editing && <ChangeToast changes={changes} />}
      {opened && <ChartRecordsDialog place={place} opened={opened} onClose={() => setOpened(null)} />}
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

const asked = (chart: DashboardChart) => ({ ...chart, filters: [...chart.filters, ...chart.narrowed] });

function firstStaleAt(charts: DashboardChart[]) {
  const times = charts.flatMap(({ staleAt }) => (staleAt === null ? [] : Date.parse(staleAt)));
  return times.length === 0 ? null : Math.min(...times);
}

function inOrder(charts: DashboardChart[], order: string[] | null) {
  if (order === null) return charts;
  return charts.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

const missing = (suggestions: SuggestedChart[], charts: DashboardChart[]) =>
  suggestions.filter(({ definition }) => !charts.some(({ name }) => name === definition.name));
