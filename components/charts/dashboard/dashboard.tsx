"use client";

import { startTransition, useMemo, useOptimistic, useRef, useState } from "react";
import type { CardEditing } from "@/components/charts/dashboard/card-actions";
import { ChartCard } from "@/components/charts/dashboard/chart-card";
import type { OpenedCell } from "@/components/charts/dashboard/chart-records-dialog";
import { DashboardBar } from "@/components/charts/dashboard/dashboard-bar";
import type { DashboardTask } from "@/components/charts/dashboard/dashboard-dialogs";
import { FilterBar } from "@/components/charts/dashboard/filter-bar";
import { TextCard } from "@/components/charts/dashboard/text-card";
import { type DashboardEditing, useDashboardActions, useOrder } from "@/components/charts/dashboard/use-dashboard";
import {
  fetchDashboardVersion,
  useGeneration,
  useIsPersonBusy,
  useNewerDashboard,
} from "@/components/charts/dashboard/use-numbers";
import { useFormat } from "@/components/shell/format-provider";
import { PageTabs } from "@/components/shell/page-tabs";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { Alert } from "@/components/ui/alert";
import { lazyLoad } from "@/components/ui/lazy-load";
import {
  dashboardHref,
  dashboardPath,
  filterSummary,
  hasFilter,
  type MaxAge,
  type NamedDashboard,
} from "@/lib/charts/definition/dashboard";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import type { ChartSource } from "@/lib/charts/definition/source";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import type { FilterChoices } from "@/lib/charts/store/dashboard";
import type { Format } from "@/lib/format/format-of";
import type { Place } from "@/lib/ids";
import { queryText } from "@/lib/query-text";
import { cn } from "@/lib/utils";

const ChangeToast = lazyLoad(async () => (await import("@/components/charts/dashboard/change-toast")).ChangeToast);

const ChartRecordsDialog = lazyLoad(
  async () => (await import("@/components/charts/dashboard/chart-records-dialog")).ChartRecordsDialog,
);

const DashboardDialog = lazyLoad(
  async () => (await import("@/components/charts/dashboard/dashboard-dialogs")).DashboardDialog,
);

const SuggestedCharts = lazyLoad(
  async () => (await import("@/components/charts/dashboard/suggested-charts")).SuggestedCharts,
);

const widths = ["", "md:col-span-2", "md:col-span-full"]; // of one, two and three thirds

function leftOutNote(charts: DashboardChart[], format: Format) {
  const counts = new Set(charts.flatMap(({ leftOut }) => leftOut || []));
  if (counts.size === 0) return null;
  return `Leaves out ${counts.size > 1 ? "up to " : ""}${format.count(Math.max(...counts), "line")} without a county.`;
}

type Props = {
  place: Place;
  /** The dashboards of the place next to the first one. */
  dashboards: NamedDashboard[];
  /** The shown one of them; null: the first one. */
  dashboardId: string | null;
  /** Differs when the dashboard has changed. */
  version: string;
  charts: DashboardChart[];
  sources: ChartSource[];
  filter: DashboardFilter;
  choices: FilterChoices;
  maxAge: MaxAge;
  /** Has `signatures.view`. */
  canSeeRecords: boolean;
  /** A chart that was just deleted in the builder. */
  deletedId?: string | null;
  /** Present with `charts.edit`. */
  editing?: DashboardEditing;
};

/** A dashboard: charts and texts of a place. */
export function Dashboard(props: Props) {
  const { place, dashboards, dashboardId, version, charts, sources, filter, choices, maxAge, canSeeRecords } = props;
  const { deletedId = null, editing } = props;
  const path = dashboardPath(place);
  const shownHref = dashboardHref(place, dashboardId, filter);
  const isLeaving = useRef(false); // until another dashboard is shown, which is another component
  const isFiltered = hasFilter(filter);
  const format = useFormat();
  const filterText = filterSummary(filter, choices.clerks, format);
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  const [task, setTask] = useState<DashboardTask | null>(null);
  const { generate, numbersOf, progress } = useGeneration();
  const changes = useDashboardActions(place, editing, charts.some(({ id }) => id === deletedId) ? null : deletedId);
  const order = useOrder(
    charts.filter(({ campaign }) => campaign === (place.campaign ?? null)),
    (ids, id) => changes.run("orderCharts", { ids: ids.join(","), id }),
  );
  const own = order.ordered;
  const shown = [...own, ...charts.filter((chart) => !own.includes(chart))];
  const isNew = ({ definition }: DashboardEditing["suggestions"][number]) =>
    !own.some(({ name }) => name === definition.name);
  const suggestions = own.length < 3 ? (editing?.suggestions ?? []).filter(isNew) : [];

  const [resized, setResized] = useOptimistic({}, (all: Record<string, number>, change: Record<string, number>) => ({
    ...all,
    ...change,
  }));
  const resize = ({ id, width: before }: DashboardChart, newWidth: number) => {
    const width = Math.max(1, Math.min(3, newWidth));
    if (width === before) return;
    startTransition(() => {
      setResized({ [id]: width });
      changes.run("resizeChart", { id, width: String(width) });
    });
  };

  const query = {
    team: place.team,
    ...(place.campaign && { campaign: place.campaign }),
    ...(dashboardId && { board: dashboardId }),
    filtered: String(isFiltered),
  };
  const isInUse = useIsPersonBusy();
  const failure = useNewerDashboard({
    query,
    version,
    charts: isFiltered ? [] : charts,
    isHeld: () => isInUse() || changes.pending || order.isDragging(),
  });
  const canReachSignet = async () => {
    const response = await fetchDashboardVersion(query, version);
    return "body" in response || (response.status !== null && response.status !== 504);
  };
  const notUpdating = (
    <div role="status" className="empty:hidden print:hidden">
      {failure && <Alert>This page isn't updating. {failure}</Alert>}
    </div>
  );
  const canEdit = editing !== undefined;
  useScreenKeys(
    useMemo(
      () =>
        canEdit
          ? [
              { key: "← →", does: "Move the selected card" },
              { key: "Shift+← →", does: "Change its width" },
            ]
          : [],
      [canEdit],
    ),
  );
  const all = [{ id: null, name: "Main" }, ...dashboards];
  const others = all.filter(({ id }) => id !== dashboardId);
  const shownDashboard = dashboards.find(({ id }) => id === dashboardId);
  const generated = own.filter(({ withheld, text }) => !withheld && text === null);

  const editingOf = (chart: DashboardChart, index: number): CardEditing => ({
    editHref: `${path}/charts/${chart.id}`,
    onEdit: chart.text === null ? null : () => setTask({ text: chart }),
    onResize: (width) => resize(chart, width),
    onGenerate: isFiltered || chart.withheld ? null : () => void generate([chart]),
    onDuplicate: () => changes.run("duplicateChart", { id: chart.id }),
    onDelete: () => changes.run("deleteChart", { id: chart.id }),
    onMoveAway: others.length > 0 ? () => setTask({ moved: chart }) : null,
    onMove: (by) => order.moveTo(chart.id, index + by),
    isFirst: index === 0,
    isLast: index === own.length - 1,
    onDrag: (isDragged) => order.drag(isDragged ? chart.id : null),
  });

  return (
    <div className="flex flex-col gap-4 px-4 py-4 md:px-6">
      {dashboards.length > 0 && (
        <div className="contents print:hidden">
          <PageTabs
            label="Dashboards"
            tabs={all.map(({ id, name }) => ({ href: dashboardHref(place, id, filter), label: name }))}
            shown={shownHref}
            onNavigate={(href) => {
              isLeaving.current = href !== shownHref;
            }}
          />
        </div>
      )}
      <DashboardBar
        progress={progress}
        count={charts.filter(({ text }) => text === null).length}
        maxAge={maxAge}
        newHref={`${path}/charts/new${queryText({ board: dashboardId ?? undefined })}`}
        canEdit={canEdit}
        canDelete={shownDashboard !== undefined}
        onTask={setTask}
        onMaxAge={(age) => changes.run("setMaxAge", { maxAge: JSON.stringify(age) })}
        onGenerate={generated.length > 0 && !isFiltered ? () => void generate(generated) : undefined}
      />
      {shown.length === 0 && notUpdating}
      {filterText && <p className="hidden print:block">{filterText}</p>}
      {shown.length > 0 && (
        <FilterBar
          hrefOf={(next) => dashboardHref(place, dashboardId, next)}
          filter={filter}
          choices={choices}
          canReachSignet={canReachSignet}
          isLeaving={() => isLeaving.current}
          note={leftOutNote(charts, format)}
          notUpdating={notUpdating}
        >
          {(pending) => (
            <div
              aria-busy={pending}
              className={cn("grid gap-4 md:grid-cols-2 xl:grid-cols-3 print:grid-cols-2", pending && "opacity-60")}
            >
              {shown.map((stored) => {
                const chart = { ...stored, width: resized[stored.id] ?? stored.width };
                const index = own.indexOf(stored);
                const cardEditing = canEdit && index >= 0 ? editingOf(chart, index) : undefined;
                const columns = sources.find(({ name }) => name === chart.source)?.columns ?? [];
                // A team's chart counts more records than a campaign's dashboard may show.
                const hasRecords = canSeeRecords && index >= 0 && chart.problem === null;
                const cardFilter = chart.narrowed.length > 0 ? filterText : null;
                const query = { ...chart, filters: [...chart.filters, ...chart.narrowed] };
                return (
                  // biome-ignore lint/a11y/noStaticElementInteractions: the handle does the same by keyboard
                  <div
                    key={chart.id}
                    id={`chart-${chart.id}`}
                    data-wide={chart.width === 3 || undefined} // rows of a third and two thirds are halves on paper
                    className={cn(
                      "min-w-0 break-inside-avoid print:col-span-1 print:data-wide:col-span-full print:has-[thead_th:nth-child(5),tbody_tr:nth-child(6)]:col-span-full print:has-[table]:[&>article]:h-auto",
                      // A text is as high as it needs to be.
                      chart.text === null ? "[&>article]:h-full" : "self-start",
                      widths[chart.width - 1],
                    )}
                    onDragOver={(event) => index >= 0 && order.isDragging() && event.preventDefault()}
                    onDrop={(event) => {
                      event.preventDefault();
                      order.dropOn(index);
                    }}
                  >
                    {chart.text === null ? (
                      <ChartCard
                        chart={chart}
                        numbers={
                          isFiltered ? { result: chart.data, busy: null, failure: chart.failure } : numbersOf(chart)
                        }
                        filterText={cardFilter}
                        teamHref={place.campaign === undefined ? null : dashboardPath({ team: place.team })}
                        columns={columns}
                        onCell={
                          hasRecords
                            ? (cell, result) =>
                                setOpened({ name: chart.name, query, result, columns, cell, filterText: cardFilter })
                            : undefined
                        }
                        editing={cardEditing}
                      />
                    ) : (
                      <TextCard card={chart} editing={cardEditing} />
                    )}
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
          onAdd={(name) => changes.run("addSuggestedChart", { name, ...(dashboardId && { dashboardId }) })}
        />
      )}
      {canEdit && <ChangeToast changes={changes} />}
      {editing && task && (
        <DashboardDialog
          task={task}
          place={place}
          shown={shownDashboard}
          others={others.map(({ id, name }) => ({ id: id ?? "", name }))}
          cards={charts.length === 0 ? null : format.count(charts.length, "card")}
          editing={editing}
          onDone={changes.report}
          onClose={() => setTask(null)}
        />
      )}
      {opened && <ChartRecordsDialog place={place} opened={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}
