"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import {
  type FormEvent,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useActionState,
  useEffect,
  useId,
  useMemo,
  useState,
} from "react";
import { BuilderDerived, BuilderOrder } from "@/components/charts/builder/builder-display";
import { BuilderFilters } from "@/components/charts/builder/builder-filters";
import { BuilderGroups } from "@/components/charts/builder/builder-groups";
import { BuilderKinds } from "@/components/charts/builder/builder-kinds";
import { BuilderMetrics } from "@/components/charts/builder/builder-metrics";
import { Problem } from "@/components/charts/builder/builder-problem";
import { ChartPreview } from "@/components/charts/builder/chart-preview";
import { useKeptDraft } from "@/components/charts/builder/use-kept-draft";
import { usePreview } from "@/components/charts/builder/use-preview";
import type { OpenedCell } from "@/components/charts/dashboard/chart-records-dialog";
import { UnreadableChart } from "@/components/charts/dashboard/unreadable-chart";
import { useLeaveGuard } from "@/components/forms/use-leave-guard";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { useFormat } from "@/components/shell/format-provider";
import { usePlaces } from "@/components/shell/places-provider";
import { Alert } from "@/components/ui/alert";
import { Button, buttonVariants } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Select } from "@/components/ui/select";
import {
  type Draft,
  definitionOf,
  draftOf,
  newDraft,
  problemIn,
  settled,
  withSource,
} from "@/lib/charts/builder/draft";
import { chartKindFits } from "@/lib/charts/builder/suggest";
import { columnsWithheld, isPlace, offeredColumns } from "@/lib/charts/definition/columns";
import { dashboardPath } from "@/lib/charts/definition/dashboard";
import type { ChartQuery } from "@/lib/charts/definition/definition";
import type { ChartSource } from "@/lib/charts/definition/source";
import type { StoredChart } from "@/lib/charts/definition/stored-chart";
import type { ChartKind } from "@/lib/charts/definition/words";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";
import { isOrdered, isTime } from "@/lib/charts/display/model";
import type { EmptyColumns } from "@/lib/charts/store/records";
import { type FormState, type FormSubmit, unsent } from "@/lib/forms/form-state";
import { tellIfSessionEnded } from "@/lib/forms/session-ended";
import type { Place } from "@/lib/ids";

// Loaded when they are opened: most charts are built without.
const LeaveDialog = lazy(async () => ({
  default: (await import("@/components/forms/leave-dialog")).LeaveDialog,
}));
const ChartRecordsDialog = lazy(async () => ({
  default: (await import("@/components/charts/dashboard/chart-records-dialog")).ChartRecordsDialog,
}));

type Sent = { state: FormState; draft: Draft | null };

type BuilderProps = {
  place: Place;
  /** The chart to change; none for a new one. */
  chart: StoredChart | null;
  sources: ChartSource[];
  /** What comes after the page: columns that no record has a value in are not offered. */
  emptyColumns: Promise<EmptyColumns>;
  /** `signatures.view` there. */
  seesSigners: boolean;
  save: FormSubmit;
  remove: FormSubmit;
};

/** The builder, or why a stored chart cannot be changed with it. */
export function ChartBuilder(props: BuilderProps) {
  const { place, chart } = props;
  const dashboard = dashboardPath(place);
  return chart?.problem ? (
    <UnreadableChart name={chart.name} problem={chart.problem} dashboard={dashboard} />
  ) : (
    <Builder {...props} dashboard={dashboard} />
  );
}

/**
 * Builds a chart, or changes one. The preview follows each change; every problem stands beside its field, and nothing
 * that was typed is lost by an error.
 */
function Builder({
  place,
  dashboard,
  chart,
  sources,
  emptyColumns,
  seesSigners,
  save,
  remove,
}: BuilderProps & { dashboard: string }) {
  const format = useFormat();
  const { timeZone } = format;
  const { userId } = usePlaces();
  const id = useId();
  const router = useRouter();
  const [draft, setDraft] = useState<Draft>(() => begin(chart, sources, timeZone));
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  const [tried, setTried] = useState(false);
  const source = sources.find(({ name }) => name === draft.source);
  const columns = useMemo(() => source?.columns.filter(({ name }) => !isPlace(name)) ?? [], [source]);
  const [empty, setEmpty] = useState<EmptyColumns>({});
  useEffect(() => void emptyColumns.then(setEmpty), [emptyColumns]);
  const offered = new Set(
    offeredColumns(columns, { empty: empty[draft.source] ?? [], seesSigners }).map(({ name }) => name),
  );

  const {
    definition,
    problems: own,
    unfinished,
  } = useMemo(() => definitionOf(draft, { columns, timeZone }), [draft, columns, timeZone]);
  const blocked = own.size > 0;
  const asked = usePreview(dashboard, blocked || !source ? null : queryOf(definition));

  const [sent, send, sending] = useActionState(
    async (_before: Sent, { action, form }: { action: FormSubmit; form: FormData }): Promise<Sent> => ({
      state: await action(unsent, form),
      draft,
    }),
    { state: unsent, draft: null },
  );
  useSessionEnded(sent.state);
  const [deleting, setDeleting] = useState(false);
  const [deleteError, setDeleteError] = useState<string | null>(null);

  // What the database said about this very draft, after what can be seen without it.
  const problems = new Map(own);
  if (asked.failure?.part && !problems.has(asked.failure.part)) problems.set(asked.failure.part, asked.failure.error);
  if (tried && definition.name === "") problems.set("name", "Give the chart a name.");
  if (tried) for (const [part, message] of unfinished) problems.set(part, message);
  if (sent.state.error !== null && sent.draft === draft) {
    for (const { path, message } of sent.state.zodIssues ?? []) {
      if (path[0] === "definition") problems.set(path.slice(1).join("."), message);
    }
  }

  const written = JSON.stringify([definition, [...own]]);
  const [first] = useState(written);
  const isUnsaved = written !== first && !sending;
  const [version, setVersion] = useState(chart?.version ?? null);
  const [restored, setRestored] = useState(false);
  const { forget, isRead } = useKeptDraft(
    `signet:chart:${userId}:${dashboard}/${chart?.id ?? "new"}`,
    isUnsaved ? { version, draft } : null,
    (kept) => {
      setDraft(kept.draft);
      setVersion(kept.version);
      setRestored(true);
    },
  );
  const { leaving, stay } = useLeaveGuard(isUnsaved);

  const { preview } = asked;
  const { kind } = draft;
  // The same object while nothing of it changes: another name is typed without drawing anew.
  const { display: current = null } = definition;
  const [display, setDisplay] = useState(current);
  if (JSON.stringify(display) !== JSON.stringify(current)) setDisplay(current);
  const subject = useMemo(() => {
    const result = preview && deriveNumbers(preview.result, display, columns);
    return result && { kind, result, columns, format };
  }, [preview, display, columns, kind, format]);
  const fits = useMemo(() => subject && chartKindFits(subject), [subject]);
  // Days that stand second make no line; first, they do.
  const grouped = draft.groupBy.map(({ column }) => columns.find(({ name }) => name === column));
  const second = grouped.length === 2 && !isOrdered(grouped[0]) && isTime(grouped[1]) ? grouped[1] : undefined;

  const put = (change: Partial<Draft>) => setDraft((before) => settled({ ...before, ...change }));
  const onKind = (next: ChartKind) => put({ kind: next });
  const startOver = () => {
    setDraft(begin(chart, sources, timeZone));
    setVersion(chart?.version ?? null);
    setRestored(false);
  };

  const submit = (asCopy: boolean) => {
    setTried(true);
    if (sending) return;
    if (definition.name === "" || own.size + unfinished.size > 0) {
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>(`#${CSS.escape(id)} [aria-invalid=true]`)?.focus(),
      );
      return;
    }
    const form = new FormData();
    const name = asCopy && chart?.name === definition.name ? copyName(definition.name) : definition.name;
    const fields = {
      ...place,
      definition: JSON.stringify({ ...definition, name }),
      ...(chart && !asCopy && { id: chart.id, version: String(version) }),
    };
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    startTransition(() => send({ action: save, form }));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit(false);
  };
  const onDelete = async () => {
    if (!chart || deleting) return;
    setDeleting(true);
    const form = new FormData();
    for (const [field, value] of Object.entries({ ...place, id: chart.id })) form.set(field, value);
    const state = await remove(unsent, form);
    tellIfSessionEnded(state);
    setDeleting(false);
    setDeleteError(state.error);
    if (state.error !== null) return;
    forget();
    router.push(`${dashboard}?deleted=${chart.id}`);
  };

  const displaying = {
    display: draft.display,
    metrics: definition.metrics,
    columns,
    onDisplay: (change: Partial<Draft["display"]>) => put({ display: { ...draft.display, ...change } }),
  };
  const shared = { columns, offered, source, dashboard, problems };
  return (
    <form
      id={id}
      aria-label={chart ? `Edit ${chart.name}` : "New chart"}
      noValidate
      inert={!isRead}
      onSubmit={onSubmit}
      className="grid items-start gap-6 px-4 py-4 md:px-6 lg:grid-cols-[22rem_minmax(0,1fr)] xl:grid-cols-[26rem_minmax(0,1fr)]"
    >
      <div className="flex min-w-0 flex-col gap-5">
        <div className="flex flex-col gap-1">
          <Label htmlFor={`${id}-name`}>Name</Label>
          <Input
            id={`${id}-name`}
            value={draft.name}
            maxLength={120}
            autoComplete="off"
            aria-invalid={problems.has("name")}
            aria-describedby={`${id}-name-problem`}
            onChange={(event) => put({ name: event.target.value })}
          />
          <Problem id={`${id}-name-problem`}>{problemIn(problems, "name")}</Problem>
        </div>
        <div className="flex flex-col gap-1">
          <Label htmlFor={`${id}-source`}>Source</Label>
          <Select
            id={`${id}-source`}
            value={draft.source}
            aria-invalid={problems.has("source")}
            aria-describedby={`${id}-source-problem ${id}-source-words`}
            onChange={(event) => {
              const next = sources.find(({ name }) => name === event.target.value);
              if (next) put(withSource(draft, next));
            }}
          >
            {sources.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
          <p id={`${id}-source-words`} className="text-muted-foreground text-xs first-letter:uppercase">
            {source?.description}
          </p>
          {!seesSigners && columns.some(({ identifies }) => identifies) && (
            <p className="text-muted-foreground text-xs">{columnsWithheld}</p>
          )}
          <Problem id={`${id}-source-problem`}>{problemIn(problems, "source")}</Problem>
        </div>
        <Part title="Group by">
          <BuilderGroups
            groups={draft.groupBy}
            {...{ columns, offered, problems }}
            onGroups={(groupBy) => put({ groupBy })}
          />
        </Part>
        <Part title="Measures">
          <BuilderMetrics metrics={draft.metrics} onMetrics={(metrics) => put({ metrics })} {...shared} />
        </Part>
        <Part title="Numbers from these">
          <BuilderDerived {...displaying} />
        </Part>
        <Part title="Only where">
          <BuilderFilters
            filters={draft.filters}
            part="filters"
            named={(number) => `filter ${number}`}
            addWords={draft.filters.length === 0 ? "Only some of the records" : "And where …"}
            onFilters={(filters) => put({ filters })}
            {...shared}
          />
        </Part>
        <Part title="Order and goal">
          <BuilderOrder groups={draft.groupBy} problems={problems} {...displaying} />
        </Part>
      </div>
      <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-16">
        <Part title="Shown as">
          <BuilderKinds kind={kind} fits={fits} onKind={onKind} />
        </Part>
        <ChartPreview
          definition={definition}
          subject={subject}
          fit={fits?.get(kind)}
          blocked={blocked}
          unfinished={unfinished.size}
          asked={asked}
          onKind={onKind}
          turn={
            second && { label: second.label, onTurn: () => put({ kind: "line", groupBy: draft.groupBy.toReversed() }) }
          }
          onCell={
            seesSigners
              ? (cell, result) =>
                  setOpened({ name: draft.name || "Preview", query: queryOf(definition), result, columns, cell })
              : undefined
          }
        />
        <div role="alert">
          {!sending && sent.state.error !== null && <Alert>{sent.state.error}</Alert>}
          {deleteError !== null && <Alert>{deleteError}</Alert>}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {chart && (
            <Button variant="ghost" className="-ml-3 text-destructive" onClick={() => void onDelete()}>
              {deleting ? "Deleting…" : "Delete"}
            </Button>
          )}
          <p role="status" className="text-muted-foreground text-sm">
            {sending && "Saving and computing…"}
            {restored && isUnsaved && "Your changes are back, not saved yet."}
          </p>
          {restored && isUnsaved && (
            <Button variant="ghost" onClick={startOver}>
              Discard them
            </Button>
          )}
          <div className="ml-auto flex flex-wrap gap-2">
            <Link href={dashboard} prefetch={false} className={buttonVariants({ variant: "outline" })}>
              Cancel
            </Link>
            {chart && (
              <Button variant="outline" aria-disabled={sending} onClick={() => submit(true)}>
                Save as a copy
              </Button>
            )}
            <Button type="submit" aria-disabled={sending}>
              Save
            </Button>
          </div>
        </div>
      </div>
      <Suspense>
        {leaving && (
          <LeaveDialog
            onStay={stay}
            onKeep={leaving}
            onDiscard={() => {
              forget();
              leaving();
            }}
          >
            This chart has changes that are not saved. Kept, they wait in this tab until you come back.
          </LeaveDialog>
        )}
        {opened && <ChartRecordsDialog place={place} opened={opened} onClose={() => setOpened(null)} />}
      </Suspense>
    </form>
  );
}

function begin(chart: StoredChart | null, sources: ChartSource[], timeZone: string): Draft {
  if (!chart) return newDraft(sources.find(({ name }) => name === "signatures") ?? sources[0]);
  const columns = sources.find(({ name }) => name === chart.source)?.columns ?? [];
  return draftOf(chart, columns, timeZone);
}

const queryOf = ({ source, groupBy, metrics, filters }: ChartQuery): ChartQuery => ({
  source,
  groupBy,
  metrics,
  filters,
});

const copyName = (name: string) => `${name.slice(0, 113)} (copy)`;

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="pb-1 font-medium text-sm">{title}</legend>
      {children}
    </fieldset>
  );
}
