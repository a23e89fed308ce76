import { useId } from "react";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { Paper } from "@/lib/signatures/changes";

/** What stands on the paper beside the lines, asked once a sheet. */
export function PaperFields({ paper, circulators }: { paper: Paper | null; circulators: readonly string[] }) {
  const id = useId();
  return (
    <div className="grid grid-cols-2 gap-3">
      <div className="col-span-2">
        <Field id={`${id}-circulator`} label="Circulator">
          <Input
            id={`${id}-circulator`}
            name="circulator"
            list={`${id}-circulators`}
            maxLength={200}
            autoComplete="off"
            defaultValue={paper?.circulator ?? ""}
          />
          <datalist id={`${id}-circulators`}>
            {circulators.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </Field>
      </div>
      <Field id={`${id}-day`} label="Day collected">
        <Input id={`${id}-day`} name="collectedOn" type="date" defaultValue={paper?.collectedOn ?? ""} />
      </Field>
      <Field id={`${id}-count`} label="Signatures on the paper">
        <Input
          id={`${id}-count`}
          name="signatureCount"
          inputMode="numeric"
          maxLength={6}
          autoComplete="off"
          defaultValue={paper?.signatureCount ?? ""}
        />
      </Field>
    </div>
  );
}

/** What was typed into the fields, as far as it was: resuming a sheet clears nothing. A text says what is wrong. */
export function readPaper(form: FormData): Paper | string {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const signatures = text("signatureCount");
  if (signatures !== "" && !/^\d{1,6}$/.test(signatures))
    return "Type the number of signatures on the paper as a whole number.";
  return {
    ...(text("circulator") && { circulator: text("circulator") }),
    ...(text("collectedOn") && { collectedOn: text("collectedOn") }),
    ...(signatures && { signatureCount: Number(signatures) }),
  };
}
