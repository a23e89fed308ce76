import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { SheetLine } from "@/lib/signatures/entry/sheet-lines";

/** Moves a line that was keyed at a wrong place. */
export function MoveLine({
  line,
  sheet,
  place,
  action,
  onDone,
  onClose,
}: {
  line: SheetLine;
  sheet: number;
  place: CampaignOfTeam;
  action: FormSubmit;
  onDone: (said: string) => void;
  onClose: () => void;
}) {
  return (
    <FormDialog
      title={`Move line ${line.line} of sheet ${sheet}`}
      action={action}
      submit="Move the line"
      hidden={{ ...place, id: line.id }}
      onDone={onDone}
      onClose={onClose}
    >
      {(state) => (
        <div className="grid grid-cols-2 gap-3">
          {(
            [
              ["sheet", "To sheet", sheet],
              ["line", "Line", ""],
            ] as const
          ).map(([name, label, value]) => (
            <InputField
              key={name}
              state={state}
              name={name}
              label={label}
              inputMode="numeric"
              maxLength={6}
              required
              defaultValue={value}
              data-first={name === "line" ? true : undefined}
            />
          ))}
        </div>
      )}
    </FormDialog>
  );
}
