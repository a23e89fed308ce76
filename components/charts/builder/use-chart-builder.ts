import { useRouter } from "next/navigation";
import { startTransition, useActionState, useEffect, useMemo, useState } from "react";
import { usePreview } from "@/components/charts/builder/use-preview";
import { useSavedDraft } from "@/components/charts/builder/use-saved-draft";
import { useLeaveGuard } from "@/components/forms/leave-guard";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { useSteps } from "@/components/forms/use-steps";
import { useFormat } from "@/components/shell/format-provider";
import { usePlaces } from "@/components/shell/navigation/places-provider";
import {
  findSameLabels,
  newDraft,
  toDefinition,
  toDraft,
  withoutDanglingReferences,
  withSource,
} from "@/lib/charts/builder/draft";
import type { Draft } from "@/lib/charts/builder/draft-schema";
import { isPlace, offeredColumns } from "@/lib/charts/definition/columns";
import { dashboardHref, dashboardPath } from "@/lib/charts/definition/dashboard";
import type { ChartDefinition } from "@/lib/charts/definition/definition";
import type { ChartSource } from "@/lib/charts/definition/source";
import type { StoredChart } from "@/lib/charts/definition/stored-chart";
import { kindLabels } from "@/lib/charts/definition/words";
import { changedByOther } from "@/lib/charts/messages";
import type { EmptyColumns } from "@/lib/charts/store/records";
import { type FormState, type FormSubmit, initialFormState, lostConnection, toFormData } from "@/lib/forms/form-state";
import type { Place } from "@/lib/ids";

export type BuilderProps = {
  place: Place;
  /** The chart to change; null for a new one. */
  chart: StoredChart | null;
  /** The dashboard that the chart is on; null: the first one. */
  dashboardId: string | null;
  sources: ChartSource[];
  /** Columns without any values, which aren't offered. Loaded after the page. */
  emptyColumns: Promise<EmptyColumns>;
  /** Has `signatures.view` there. */
  canSeeSigners: boolean;
  save: FormSubmit;
  remove: FormSubmit;
};

/** The state of the builder: the draft, its preview and problems, saving, deleting and leaving. */
export function useChartBuilder(props: BuilderProps) {
  const { place, chart, dashboardId, sources, emptyColumns, canSeeSigners, save, remove } = props;
  const { timeZone } = useFormat();
  const { userId } = usePlaces();
  const dashboard = dashboardPath(place);
  const began = { version: chart?.version ?? null, updatedAt: chart?.updatedAt ?? null };
  const begin = () => ({
    ...began,
    draft: firstDraft(chart, sources, timeZone),
    isRestored: false, // from an earlier visit
    isKindChosen: chart !== null, // otherwise it follows the best fit
  });
  const [work, setWork] = useState(begin);
  const { draft, version, updatedAt } = work;
  const { record, ...steps } = useSteps(draft, (earlier) => setWork((before) => ({ ...before, draft: earlier })));
  const update = (change: Partial<Draft>) => {
    record();
    setWork((before) => ({
      ...before,
      draft: withoutDanglingReferences({ ...before.draft, ...change }),
      isKindChosen: before.isKindChosen || (change.kind ?? before.draft.kind) !== before.draft.kind,
    }));
  };
  const source = sources.find(({ name }) => name === draft.source);
  const columns = useMemo(() => source?.columns.filter(({ name }) => !isPlace(name)) ?? [], [source]);
  const [empty, setEmpty] = useState<EmptyColumns>({});
  useEffect(() => void emptyColumns.then(setEmpty), [emptyColumns]);
  const offered = offeredColumns(columns, { empty: empty[draft.source] ?? [], canSeeSigners });

  const result = useMemo(() => toDefinition(draft, { columns, timeZone }), [draft, columns, timeZone]);
  const { definition, unfinished } = result;
  const isBlocked = result.problems.size > 0;
  const preview = usePreview({ dashboard, definition, columns, canRun: !isBlocked && source !== undefined });

  const saving = useSaving({ place, dashboardId, draft, definition, chart, edited: { version, updatedAt }, save });
  const { state, isSaving, wasTried } = saving;
  const chosen = { ...definition, kind: work.isKindChosen ? definition.kind : null };
  const text = JSON.stringify([chosen, [...result.problems]]);
  const [firstText] = useState(text);
  const isUnsaved = text !== firstText && !isSaving;
  const { forget, isRead } = useSavedDraft(
    `signet:chart:${userId}:${dashboard}/${chart?.id ?? "new"}`,
    isUnsaved ? { version, updatedAt, draft } : null,
    (saved) => setWork({ ...saved, isRestored: true, isKindChosen: true }),
  );
  const guard = useLeaveGuard(isUnsaved);
  const deleting = useDeleting({ place, chart, dashboardId, remove, onDeleted: forget });

  const [best] = preview.isWaiting ? [] : [...(preview.fits?.values() ?? [])];
  if (!work.isKindChosen && best && best.instead !== draft.kind)
    setWork({ ...work, draft: { ...draft, kind: best.instead } });

  const fit = preview.isWaiting ? undefined : preview.fits?.get(draft.kind);
  const isAsStored = chart?.kind === definition.kind && chart.groupBy === definition.groupBy;
  const cannotShow = fit?.fit === "cannot" && !fit.isForNow && !isAsStored ? fit : null;

  // Problems found in the browser come before those that the server found.
  const problems = new Map(result.problems);
  const { failure } = preview;
  if (failure?.part && !problems.has(failure.part)) problems.set(failure.part, failure.error);
  if (wasTried && definition.name === "") problems.set("name", "Enter a name.");
  if (wasTried && cannotShow)
    problems.set("kind", `Choose another chart type, such as “${kindLabels[cannotShow.instead]}.”`);
  const sameLabels = findSameLabels(definition, columns);
  if (wasTried) for (const [part, message] of [...unfinished, ...sameLabels]) problems.set(part, message);
  for (const { path, message } of (saving.isOfDraft && state.error !== null && state.zodIssues) || []) {
    if (path[0] === "definition") problems.set(path.slice(1).join("."), message);
  }

  return {
    draft,
    update,
    setSource: (name: string) => {
      const next = sources.find((candidate) => candidate.name === name);
      if (next) update(withSource(draft, next));
    },
    definition,
    isBlocked,
    preview,
    /** All columns of the source, and the names of those that are offered. */
    parts: { columns, offered: new Set(offered.map(({ name }) => name)), source, dashboard, problems },
    save: (asCopy: boolean) => {
      const isComplete =
        definition.name !== "" &&
        !isBlocked &&
        unfinished.size + sameLabels.size === 0 &&
        cannotShow === null &&
        !failure?.part; // such as too many groups
      saving.submit(isComplete ? { asCopy } : null);
      return isComplete;
    },
    /** Those that the preview doesn't show already. */
    errors: [isSaving ? null : state.error, deleting.error].filter(
      (error) => error !== null && error !== failure?.error,
    ),
    isSaving,
    deleting,
    isReady: isRead,
    /** Whether unsaved changes of an earlier visit were restored. */
    restored: work.isRestored && isUnsaved,
    startOver: () => {
      record();
      setWork(begin());
    },
    steps,
    /** The outcome of the last attempt to save. */
    saved: state,
    /** Someone else's version of the stored chart. `overwrite` replaces it with this one. */
    conflict:
      chart && !isSaving && state.error === changedByOther && updatedAt !== chart.updatedAt
        ? {
            theirs: chart,
            overwrite: () => {
              setWork((before) => ({ ...before, ...began }));
              saving.submit({ asCopy: false, over: began });
            },
          }
        : null,
    leave: guard.leaving && {
      stay: guard.stay,
      keep: guard.leaving,
      discard: () => {
        forget();
        guard.leaving?.();
      },
    },
  };
}

export type ChartBuilderState = ReturnType<typeof useChartBuilder>;

function firstDraft(chart: StoredChart | null, sources: ChartSource[], timeZone: string): Draft {
  if (!chart) return newDraft(sources.find(({ name }) => name === "signatures") ?? sources[0]);
  const columns = sources.find(({ name }) => name === chart.source)?.columns ?? [];
  return toDraft(chart, columns, timeZone);
}

type Edited = { version: number | null; updatedAt: string | null };
type Sent = { state: FormState; draft: Draft | null };

type Saved = Pick<BuilderProps, "place" | "dashboardId" | "chart" | "save"> & {
  draft: Draft;
  definition: ChartDefinition;
  edited: Edited;
};

function useSaving({ place, dashboardId, draft, definition, chart, edited, save }: Saved) {
  const router = useRouter();
  const [wasTried, setTried] = useState(false);
  const [sent, send, isSaving] = useActionState(
    async (_before: Sent, form: FormData): Promise<Sent> => {
      const saved = await save(initialFormState, form).catch(lostConnection);
      if (saved.error === changedByOther) router.refresh(); // reads their version
      return { state: saved, draft };
    },
    { state: initialFormState, draft: null },
  );
  const state = useSessionEnded(sent.state);
  const submit = (how: { asCopy: boolean; over?: Edited } | null) => {
    setTried(true);
    if (how === null || isSaving) return;
    const { version, updatedAt } = how.over ?? edited;
    const isRenamed = how.asCopy && chart?.name === definition.name;
    const name = isRenamed ? `${definition.name.slice(0, 113)} (copy)` : definition.name;
    const form = toFormData({
      ...place,
      dashboardId: dashboardId ?? undefined,
      definition: JSON.stringify({ ...definition, name }),
      ...(chart && !how.asCopy && { id: chart.id, version: String(version), updatedAt: updatedAt ?? undefined }),
    });
    startTransition(() => send(form));
  };
  return { state, isOfDraft: sent.draft === draft, isSaving, wasTried, submit };
}

type Removed = Pick<BuilderProps, "place" | "dashboardId" | "chart" | "remove"> & { onDeleted: () => void };

function useDeleting({ place, dashboardId, chart, remove, onDeleted }: Removed) {
  const router = useRouter();
  const [sent, run, isDeleting] = useActionState(async (): Promise<FormState> => {
    const state = await remove(initialFormState, toFormData({ ...place, id: chart?.id })).catch(lostConnection);
    if (state.error === null) {
      onDeleted();
      router.replace(dashboardHref(place, dashboardId, { deleted: chart?.id })); // Back would open what is gone
    }
    return state;
  }, initialFormState);
  const state = useSessionEnded(sent);
  return { isDeleting, error: state.error, run: () => isDeleting || startTransition(run) };
}
