"use client";

import { useMemo, useState } from "react";
import type { CardEditing } from "@/components/charts/dashboard/card-actions";
import { ChangeToast } from "@/components/charts/dashboard/change-toast";
import { ChartCard } from "@/components/charts/dashboard/chart-card";
import { ChartRecordsDialog, type OpenedCell } from "@/components/charts/dashboard/chart-records-dialog";
import { DashboardBar } from "@/components/charts/dashboard/dashboard-bar";
import { FilterBar } from "@/components/charts/dashboard/filter-bar";
import { SuggestedCharts } from "@/components/charts/dashboard/suggested-charts";
import { type DashboardEditing, useChanges, useOrder } from "@/components/charts/dashboard/use-dashboard";
import { useGeneration, useNewerNumbers } from "@/components/charts/dashboard/use-numbers";
import { useFormat } from "@/components/shell/format-provider";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { dashboardPath, filterWords, type MaxAge, narrows } from "@/lib/charts/definition/dashboard";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import type { ChartSource } from "@/lib/charts/definition/source";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import type { FilterChoices } from "@/lib/charts/store/dashboard";
import type { Place } from "@/lib/ids";
import { cn } from "@/lib/utils";

type Props = {
  place: Place;
  charts: DashboardChart[];
  sources: ChartSource[];
  filter: DashboardFilter;
  choices: FilterChoices;
  maxAge: MaxAge;
  /** Has `signatures.view`. */
  seesRecords: boolean;
  /** A chart that was just deleted in the builder. */
  deletedId?: string | null;
  /** Present with `charts.edit`. */
  editing?: DashboardEditing;
};

/** The charts of a place. */
export function Dashboard(props: Props) {
  const { place, charts, sources, filter, choices, maxAge, seesRecords, deletedId = null, editing } = props;
  const path = dashboardPath(place);
  const isFiltered = narrows(filter);
  const filterText = filterWords(filter, choices.clerks, useFormat());
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  const { generate, numbersOf, progress } = useGeneration();
  const changes = useChanges(place, editing, charts.some(({ id }) => id === deletedId) ? null : deletedId);
  const order = useOrder(
    charts.filter(({ campaign }) => campaign === (place.campaign ?? null)),
    (ids) => changes.run("orderCharts", { ids: ids.join(",") }),
  );
  const own = order.ordered;
  const shown = [...own, ...charts.filter((chart) => !own.includes(chart))];
  const isNew = ({ definition }: DashboardEditing["suggestions"][number]) =>
    !own.some(({ name }) => name === definition.name);
  const suggestions = own.length < 3 ? (editing?.suggestions ?? []).filter(isNew) : [];

  useNewerNumbers(isFiltered ? [] : charts);
  const canEdit = editing !== undefined;
  useScreenKeys(
    useMemo(() => (canEdit ? [{ key: "← →", does: "Move the chart with the focused handle" }] : []), [canEdit]),
  );

  const editingOf = (chart: DashboardChart, at: number): CardEditing => ({
    editHref: `${path}/charts/${chart.id}`,
    onGenerate: isFiltered || chart.withheld ? null : () => void generate([chart]),
    onDuplicate: () => changes.run("duplicateChart", { id: chart.id }),
    onDelete: () => changes.run("deleteChart", { id: chart.id }, chart.name),
    onMove: (by) => order.moveTo(chart.id, at + by),
    isFirst: at === 0,
    isLast: at === own.length - 1,
    onDrag: (isDragged) => order.drag(isDragged ? chart.id : null),
  });

  return (
    <div className="flex flex-col gap-4 px-4 py-4 md:px-6 print:p-0 print:pt-3">
      <DashboardBar
        progress={progress}
        count={charts.length}
        maxAge={maxAge}
        newHref={`${path}/charts/new`}
        canEdit={canEdit}
        onMaxAge={(age) => changes.run("setMaxAge", { maxAge: JSON.stringify(age) })}
        onGenerate={
          own.length > 0 && !isFiltered ? () => void generate(own.filter(({ withheld }) => !withheld)) : undefined
        }
      />
      {filterText && <p className="hidden print:block">{filterText}</p>}
      {shown.length > 0 && (
        <FilterBar path={path} filter={filter} choices={choices}>
          {(pending) => (
            <div
              aria-busy={pending}
              className={cn("grid gap-4 md:grid-cols-2 2xl:grid-cols-3 print:grid-cols-2", pending && "opacity-60")}
            >
              {shown.map((chart) => {
                const at = own.indexOf(chart);
                const columns = sources.find(({ name }) => name === chart.source)?.columns ?? [];
                // A team's chart counts more records than a campaign's dashboard may show.
                const hasRecords = seesRecords && at >= 0 && chart.problem === null;
                const query = { ...chart, filters: [...chart.filters, ...chart.narrowed] };
                return (
                  // biome-ignore lint/a11y/noStaticElementInteractions: the handle does the same by keyboard
                  <div
                    key={chart.id}
                    id={`chart-${chart.id}`}
                    className="min-w-0 break-inside-avoid [&>article]:h-full"
                    onDragOver={(event) => at >= 0 && order.isDragging() && event.preventDefault()}
                    onDrop={(event) => {
                      event.preventDefault();
                      order.dropOn(at);
                    }}
                  >
                    <ChartCard
                      chart={chart}
                      numbers={
                        isFiltered ? { result: chart.data, busy: null, failure: chart.failure } : numbersOf(chart)
                      }
                      filterText={chart.narrowed.length > 0 ? filterText : null}
                      teamHref={place.campaign === undefined ? null : dashboardPath({ team: place.team })}
                      columns={columns}
                      onCell={
                        hasRecords
                          ? (cell, result) => setOpened({ name: chart.name, query, result, columns, cell })
                          : undefined
                      }
                      editing={canEdit && at >= 0 ? editingOf(chart, at) : undefined}
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
          isEmpty={shown.length === 0}
          suggestions={canEdit ? suggestions : null}
          pending={changes.pending}
          onAdd={(name) => changes.run("addSuggestedChart", { name })}
        />
      )}
      {canEdit && <ChangeToast changes={changes} />}
      {opened && <ChartRecordsDialog place={place} opened={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}
