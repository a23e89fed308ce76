"use client";

import { Redo2, Undo2 } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { BuilderNumbers } from "@/components/charts/builder/builder-axes";
import { BuilderDerived, BuilderOrder } from "@/components/charts/builder/builder-display";
import { BuilderFilters } from "@/components/charts/builder/builder-filters";
import { BuilderGroups } from "@/components/charts/builder/builder-groups";
import { BuilderKinds } from "@/components/charts/builder/builder-kinds";
import { BuilderMetrics } from "@/components/charts/builder/builder-metrics";
import { ChartPreview } from "@/components/charts/builder/chart-preview";
import { Problem } from "@/components/charts/builder/fields";
import { type BuilderProps, useChartBuilder } from "@/components/charts/builder/use-chart-builder";
import { toChartQuery } from "@/components/charts/builder/use-preview";
import type { OpenedCell } from "@/components/charts/dashboard/chart-records-dialog";
import { LeaveDialog } from "@/components/forms/leave-guard";
import { Alert } from "@/components/ui/alert";
import { Button, IconButton } from "@/components/ui/button";
import { Labeled } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { lazyLoad } from "@/components/ui/lazy-load";
import { ButtonLink } from "@/components/ui/link";
import { Choice } from "@/components/ui/select";
import { problemIn } from "@/lib/charts/builder/draft";
import { columnsHiddenMessage } from "@/lib/charts/definition/columns";
import { dashboardHref } from "@/lib/charts/definition/dashboard";
import { suggestedName } from "@/lib/charts/display/chart-text";

const ChartRecordsDialog = lazyLoad(
  async () => (await import("@/components/charts/dashboard/chart-records-dialog")).ChartRecordsDialog,
);

const ConflictDialog = lazyLoad(
  async () => (await import("@/components/charts/builder/conflict-dialog")).ConflictDialog,
);

/** The builder of a new chart or a stored one. */
export function ChartBuilder(props: BuilderProps) {
  const { place, chart, dashboardId, sources, canSeeSigners } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  const builder = useChartBuilder(props);
  const { draft, update, definition, parts, leave, steps, conflict } = builder;
  const { columns, source, problems } = parts;

  const [closed, setClosed] = useState<typeof builder.saved | null>(null);

  const showProblem = () =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  const suggestion = suggestedName(definition, columns);
  const { isWaiting } = builder.preview;
  // What is saved while a preview is computed: only then it's known if the chart type fits.
  const [queued, setQueued] = useState<{ asCopy: boolean; settings: string } | null>(null);
  const settings = JSON.stringify({ ...draft, kind: null }); // the kind may follow the preview
  const save = (asCopy: boolean) => {
    setQueued(isWaiting ? { asCopy, settings } : null);
    if (!isWaiting && !builder.save(asCopy)) showProblem();
  };
  const saveQueued = useEffectEvent(() => {
    if (!isWaiting && queued?.settings === settings) save(queued.asCopy);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the preview is there
  useEffect(() => saveQueued(), [isWaiting]);
  const onSaved = useEffectEvent(() => {
    if (builder.saved.error !== null) showProblem();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => onSaved(), [builder.saved]);
  return (
    <form
      ref={form}
      aria-label={chart ? `Edit ${chart.name}` : "New chart"}
      noValidate
      inert={!builder.isReady}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save(false);
      }}
      className="flex flex-col gap-6 px-4 py-4 max-lg:[&_:is(input,select,button)]:scroll-mt-80 md:px-6 lg:grid lg:grid-cols-[22rem_minmax(0,1fr)] lg:items-start xl:grid-cols-[26rem_minmax(0,1fr)]"
    >
      <div className="flex min-w-0 flex-col gap-5">
        <div className="flex flex-col gap-1">
          <Labeled label="Name">
            <Input
              value={draft.name}
              maxLength={120}
              autoComplete="off"
              aria-invalid={problems.has("name")}
              aria-describedby={`${id}-name-problem`}
              onChange={(event) => update({ name: event.target.value })}
            />
          </Labeled>
          <Problem id={`${id}-name-problem`}>{problemIn(problems, "name")}</Problem>
          {draft.name === "" && definition.metrics.length > 0 && (
            <Button
              variant="ghost"
              className="min-w-0 max-w-full self-start px-2 font-normal text-muted-foreground"
              onClick={() => update({ name: suggestion.slice(0, 120) })}
            >
              <span className="truncate">Use “{suggestion}”</span>
            </Button>
          )}
        </div>
        <div className="flex flex-col gap-1">
          <Labeled label="Source">
            <Choice
              value={draft.source}
              aria-invalid={problems.has("source")}
              aria-describedby={`${id}-source-problem ${id}-source-words`}
              options={sources.map(({ name, label }) => [name, label])}
              onChoose={builder.setSource}
            />
          </Labeled>
          <p id={`${id}-source-words`} className="text-muted-foreground text-xs first-letter:uppercase">
            {source?.description}
          </p>
          {!canSeeSigners && columns.some(({ identifies }) => identifies) && (
            <p className="text-muted-foreground text-xs">{columnsHiddenMessage}</p>
          )}
          <Problem id={`${id}-source-problem`}>{problemIn(problems, "source")}</Problem>
        </div>
        <Part title="Group by">
          <BuilderGroups builder={builder} />
        </Part>
        <Part title="Measures">
          <BuilderMetrics builder={builder} />
        </Part>
        <Part title="Calculations">
          <BuilderDerived builder={builder} />
        </Part>
        <Part title="Filters">
          <BuilderFilters
            filters={draft.filters}
            part="filters"
            named={(number) => `filter ${number}`}
            addLabel={draft.filters.length === 0 ? "Add a filter" : "Add another filter"}
            onFilters={(filters) => update({ filters })}
            {...parts}
          />
        </Part>
        <Part title="Order and goal">
          <BuilderOrder builder={builder} />
        </Part>
        <Part title="Numbers and axis">
          <BuilderNumbers builder={builder} />
        </Part>
      </div>
      {/* On phones the preview stays at the top of the form while its fields scroll. */}
      <div className="contents min-w-0 flex-col gap-4 lg:sticky lg:top-16 lg:flex">
        <Part title="Chart type">
          <BuilderKinds builder={builder} />
        </Part>
        <ChartPreview
          builder={builder}
          onCell={
            canSeeSigners
              ? (cell, result) =>
                  setOpened({
                    name: draft.name || "Preview",
                    query: toChartQuery(definition),
                    result,
                    columns,
                    cell,
                    filterText: null,
                  })
              : undefined
          }
        />
        <div role="alert">
          {builder.errors.map((error) => (
            <Alert key={error}>{error}</Alert>
          ))}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {chart && (
            <Button variant="danger" aria-disabled={builder.deleting.isDeleting} onClick={builder.deleting.run}>
              {builder.deleting.isDeleting ? "Deleting…" : "Delete chart"}
            </Button>
          )}
          <IconButton
            icon={Undo2}
            label="Undo"
            title="Undo (Ctrl+Z)"
            aria-disabled={!steps.canUndo}
            onClick={steps.undo}
          />
          <IconButton
            icon={Redo2}
            label="Redo"
            title="Redo (Ctrl+Shift+Z)"
            aria-disabled={!steps.canRedo}
            onClick={steps.redo}
          />
          <p role="status" className="text-muted-foreground text-sm">
            {(builder.isSaving || (isWaiting && queued?.settings === settings)) && "Saving…"}
            {builder.restored && "Unsaved changes restored."}
          </p>
          {builder.restored && (
            <Button variant="ghost" onClick={builder.startOver}>
              Discard changes
            </Button>
          )}
          <div className="ml-auto flex flex-wrap gap-2">
            <ButtonLink href={dashboardHref(place, dashboardId)} variant="outline">
              Cancel
            </ButtonLink>
            {chart && (
              <Button variant="outline" aria-disabled={builder.isSaving} onClick={() => save(true)}>
                Save as a copy
              </Button>
            )}
            <Button type="submit" aria-disabled={builder.isSaving}>
              Save chart
            </Button>
          </div>
        </div>
      </div>
      {leave && (
        <LeaveDialog onStay={leave.stay} onKeep={leave.keep} onDiscard={leave.discard}>
          This chart has unsaved changes. If you keep them, you'll find them here in this tab.
        </LeaveDialog>
      )}
      {conflict && closed !== builder.saved && (
        <ConflictDialog
          mine={definition}
          theirs={conflict.theirs}
          onClose={() => setClosed(builder.saved)}
          onCopy={() => {
            setClosed(builder.saved);
            save(true);
          }}
          onOverwrite={conflict.overwrite}
        />
      )}
      {opened && <ChartRecordsDialog place={place} opened={opened} onClose={() => setOpened(null)} />}
    </form>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="pb-1 font-medium text-sm">{title}</legend>
      {children}
    </fieldset>
  );
}
