import { type ComponentProps, useId } from "react";
import { describedBy, Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type FormState, issueOf } from "@/lib/forms/form-state";

/** The field of one line that is sent as `name`, with what its action found wrong with it. */
export function InputField({
  state,
  label,
  hint,
  ...input
}: { state: FormState<unknown>; label: string; hint?: string } & ComponentProps<typeof Input> & { name: string }) {
  const id = useId();
  const issue = issueOf(state, input.name);
  return (
    <Field id={id} label={label} issue={issue} {...(hint && { hint })}>
      <Input id={id} autoComplete="off" {...input} {...describedBy(id, { issue, hint: hint !== undefined })} />
    </Field>
  );
}
