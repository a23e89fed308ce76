import { startTransition, useActionState, useOptimistic, useRef } from "react";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import type { SuggestedChart } from "@/lib/charts/builder/suggest";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { type FormState, type FormSubmit, initialFormState, lostConnection, toFormData } from "@/lib/forms/form-state";
import type { Place } from "@/lib/ids";

type DashboardAction =
  | ("duplicateChart" | "deleteChart" | "restoreChart" | "resizeChart")
  | ("orderCharts" | "addSuggestedChart" | "setMaxAge");
type DashboardForm = "saveText" | "moveChart" | "saveDashboard" | "deleteDashboard";

/** What people with `charts.edit` can do on a dashboard. */
export type DashboardEditing = Record<DashboardAction | DashboardForm, FormSubmit> & { suggestions: SuggestedChart[] };

type Change = { verb: DashboardAction; fields: Record<string, string> } | { message: string };

/** `deleted` is the chart that was deleted last, until it's restored. */
type Outcome = { state: FormState; deleted: { id: string; message: string } | null };
export type Changes = ReturnType<typeof useDashboardActions>;

/** Makes changes of a dashboard one after another. `state` is the outcome of the last one. */
export function useDashboardActions(place: Place, editing: DashboardEditing | undefined, deletedId: string | null) {
  const [outcome, dispatch, pending] = useActionState(
    async (before: Outcome, change: Change): Promise<Outcome> => {
      if (!editing) return before;
      if ("message" in change) return { ...before, state: { message: change.message, error: null } };
      const { verb, fields } = change;
      const state = await editing[verb](initialFormState, toFormData({ ...place, ...fields })).catch(lostConnection);
      if (state.error !== null) return { ...before, state };
      if (verb === "deleteChart" && fields.id) {
        return { state: initialFormState, deleted: { id: fields.id, message: state.message ?? "" } };
      }
      return { state, deleted: verb === "restoreChart" ? null : before.deleted };
    },
    {
      state: initialFormState,
      deleted: deletedId ? { id: deletedId, message: "Chart deleted." } : null,
    },
  );
  const state = useSessionEnded(outcome.state);
  const run = (verb: DashboardAction, fields: Record<string, string>) =>
    startTransition(() => dispatch({ verb, fields }));
  /** Shows the result of a form. */
  const report = (message: string) => startTransition(() => dispatch({ message }));
  return { ...outcome, state, run, report, pending };
}

/** Charts in their new order, at once and before it is saved. */
export function useOrder(charts: DashboardChart[], save: (ids: string[], moved: string) => void) {
  const [order, setOrder] = useOptimistic<string[] | null>(null);
  const draggedId = useRef<string | null>(null);
  const ordered = order ? charts.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id)) : charts;

  const moveTo = (id: string, index: number) => {
    const ids = ordered.map((chart) => chart.id);
    const to = Math.max(0, Math.min(ids.length - 1, index));
    if (ids.indexOf(id) === to) return;
    const moved = ids.toSpliced(ids.indexOf(id), 1).toSpliced(to, 0, id);
    startTransition(() => {
      setOrder(moved);
      save(moved, id);
    });
    // Keeps the focus on the handle.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-handle="${id}"]`)?.focus());
  };
  const drag = (id: string | null) => {
    draggedId.current = id;
  };
  const dropOn = (index: number) => {
    if (draggedId.current !== null) moveTo(draggedId.current, index);
  };
  return { ordered, moveTo, drag, dropOn, isDragging: () => draggedId.current !== null };
}
