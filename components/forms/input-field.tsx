import { type ComponentProps, useId } from "react";
import { PasswordInput } from "@/components/forms/password-input";
import { describedBy, Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type FormState, fieldIssue } from "@/lib/forms/form-state";

type FieldProps = { state: FormState<unknown>; name: string; label: string; hint?: string | undefined };

/** A one-line field that is sent as `name`, with what its action found wrong with it, or already the form. */
export function InputField({
  state,
  label,
  hint,
  found,
  ...input
}: FieldProps & { found?: string | undefined } & ComponentProps<typeof Input>) {
  const id = useId();
  const issue = fieldIssue(state, input.name) ?? found;
  return (
    <Field id={id} label={label} issue={issue} {...(hint && { hint })}>
      <Input id={id} autoComplete="off" {...input} {...describedBy(id, { issue, hint: hint !== undefined })} />
    </Field>
  );
}

/** A field for an email, sent as `email`. */
export function EmailField({
  label = "Email",
  ...input
}: Partial<FieldProps> & ComponentProps<typeof Input> & Pick<FieldProps, "state">) {
  return <InputField label={label} type="email" autoComplete="username" required {...input} name="email" />;
}

/** A field for a password; its issue replaces the hint. `autoComplete` says whether it is the current or a new one. */
export function PasswordField({
  state,
  label,
  hint: rule,
  ...input
}: FieldProps & ComponentProps<typeof PasswordInput>) {
  const id = useId();
  const issue = fieldIssue(state, input.name);
  const hint = issue === undefined ? rule : undefined;
  return (
    <Field id={id} label={label} issue={issue} {...(hint && { hint })}>
      <PasswordInput id={id} required {...input} {...describedBy(id, { issue, hint: hint !== undefined })} />
    </Field>
  );
}

/** Where a new password is chosen. */
export function NewPasswordField({ state, label }: Pick<FieldProps, "state" | "label">) {
  return (
    <PasswordField
      state={state}
      name="password"
      label={label}
      hint="At least 10 characters."
      autoComplete="new-password"
    />
  );
}
