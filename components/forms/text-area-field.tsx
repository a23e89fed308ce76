import { type ComponentProps, useId } from "react";
import { describedBy, Field } from "@/components/ui/field";

/** A field of several lines; `issue` says what is wrong with it. */
export function TextAreaField({
  label,
  hint,
  issue,
  ...area
}: ComponentProps<"textarea"> & { label: string; hint: string; issue?: string | undefined }) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} issue={issue}>
      <textarea
        id={id}
        autoComplete="off"
        spellCheck={false}
        className="min-h-24 w-full min-w-0 rounded-md border border-input bg-background px-2.5 py-1.5 text-base focus-visible:border-ring focus-visible:outline-offset-0 disabled:bg-muted disabled:text-muted-foreground aria-invalid:border-destructive pointer-coarse:text-lg"
        {...describedBy(id, { issue, hint: true })}
        {...area}
      />
    </Field>
  );
}
