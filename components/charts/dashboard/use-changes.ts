"use client";

import { useActionState } from "react";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import type { SuggestedChart } from "@/lib/charts/builder/suggest";
import { type FormState, type FormSubmit, unsent } from "@/lib/forms/form-state";
import type { Place } from "@/lib/ids";

/** What those who hold `charts.edit` do with a dashboard. */
export type DashboardEditing = {
  duplicate: FormSubmit;
  remove: FormSubmit;
  restore: FormSubmit;
  order: FormSubmit;
  addSuggested: FormSubmit;
  setMaxAge: FormSubmit;
  suggestions: SuggestedChart[];
};

type Kind = Exclude<keyof DashboardEditing, "suggestions">;
type Change = { kind: Kind; fields: Record<string, string>; name: string | null };
type Outcome = { state: FormState; last: Change | null };
export type Changes = ReturnType<typeof useChanges>;

/** Makes one change of a dashboard after another, and knows what came of the last one. */
export function useChanges(place: Place, editing: DashboardEditing | undefined, deletedId: string | null) {
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
