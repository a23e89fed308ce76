import { useId } from "react";
import type { DashboardEditing } from "@/components/charts/dashboard/use-dashboard";
import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import { type Option, SelectField } from "@/components/forms/select-field";
import { describedBy, Field } from "@/components/ui/field";
import { type NamedDashboard, textTitle } from "@/lib/charts/definition/dashboard";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { fieldIssue } from "@/lib/forms/form-state";
import type { Place } from "@/lib/ids";

/** What someone does in a dialog: edit a text (new or a card), move a card, or change a dashboard. */
export type DashboardTask =
  | { text: DashboardChart | null }
  | { moved: DashboardChart }
  | "create"
  | "rename"
  | "delete";

type Props = {
  task: DashboardTask;
  place: Place;
  /** The shown dashboard, unless it's the first one. */
  shown: NamedDashboard | undefined;
  /** Where a card can move; the first dashboard has an empty id. */
  others: Option[];
  /** How many cards it has, in words; null if none. */
  cards: string | null;
  editing: DashboardEditing;
  onDone: (message: string) => void;
  onClose: () => void;
};

/** The dialogs of a dashboard: its texts, and adding, renaming and deleting dashboards. */
export function DashboardDialog({ task, place: { team, campaign }, shown, others, cards, editing, ...closing }: Props) {
  const id = useId();
  const place = { team, ...(campaign !== undefined && { campaign }) };
  const hidden = { ...place, ...(shown && { dashboardId: shown.id }) };
  if (typeof task === "object" && "moved" in task) {
    return (
      <FormDialog
        title={`Move “${task.moved.name}”`}
        action={editing.moveChart}
        hidden={{ ...place, id: task.moved.id }}
        submit="Move to dashboard"
        {...closing}
      >
        {(state) => <SelectField state={state} name="to" label="Dashboard" data-first options={others} />}
      </FormDialog>
    );
  }
  if (typeof task === "object") {
    const card = task.text;
    return (
      <FormDialog
        title={card ? "Edit text" : "Add text"}
        action={editing.saveText}
        hidden={{ ...hidden, ...(card && { id: card.id, version: String(card.version) }) }}
        submit={card ? "Save text" : "Add text"}
        {...closing}
      >
        {(state) => (
          <>
            <InputField
              state={state}
              name="name"
              label="Title (optional)"
              data-first
              maxLength={120}
              defaultValue={card && card.name !== textTitle(card.text ?? "") ? card.name : ""}
            />
            <Field
              id={id}
              label="Text"
              issue={fieldIssue(state, "text")}
              hint="Start a line with # for a heading, or with - or 1. for a list. **Bold**, web addresses, and [links](https://…) work too."
            >
              <textarea
                id={id}
                name="text"
                aria-required
                maxLength={2_000}
                rows={8}
                defaultValue={card?.text ?? ""}
                className="resize-y rounded-md border border-input bg-background px-2.5 py-1.5 text-base focus-visible:border-ring focus-visible:outline-offset-0 aria-invalid:border-destructive pointer-coarse:text-lg"
                {...describedBy(id, { issue: fieldIssue(state, "text"), hint: true })}
              />
            </Field>
          </>
        )}
      </FormDialog>
    );
  }
  if (task === "delete") {
    return (
      <FormDialog
        title={`Delete “${shown?.name}”?`}
        action={editing.deleteDashboard}
        hidden={hidden}
        submit="Delete dashboard"
        variant="danger"
        {...closing}
      >
        {() => <p>{cards !== null && `Its ${cards} will be deleted too. `}This can&apos;t be undone.</p>}
      </FormDialog>
    );
  }
  const isNew = task === "create";
  return (
    <FormDialog
      title={isNew ? "New dashboard" : "Rename dashboard"}
      action={editing.saveDashboard}
      hidden={isNew || !shown ? place : { ...hidden, before: shown.name }}
      submit={isNew ? "Create dashboard" : "Rename dashboard"}
      {...closing}
    >
      {(state) => (
        <InputField
          state={state}
          name="name"
          label="Name"
          data-first
          aria-required
          maxLength={60}
          defaultValue={isNew ? "" : shown?.name}
        />
      )}
    </FormDialog>
  );
}
