import { type ComponentProps, useId } from "react";
import { describedBy, Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { type FormState, fieldIssue, initialFormState } from "@/lib/forms/form-state";

export type Option = { id: string; name: string };

type Props = ComponentProps<typeof Select> & {
  options?: readonly Option[];
  /** The first entry, for no choice. */
  none?: string | undefined;
  onPick?: (id: string) => void;
};

/** A choice of one option. `children` are further ones, in groups. */
export function OptionSelect({ options = [], none, onPick, children, ...select }: Props) {
  return (
    <Select {...(onPick && { onChange: (event) => onPick(event.target.value) })} {...select}>
      {none !== undefined && <option value="">{none}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {children}
    </Select>
  );
}

/** A select under its label, with what the form's action found wrong with it, or already the form. */
export function SelectField({
  label,
  hint,
  found,
  state = initialFormState,
  ...select
}: Props & { label: string; hint?: string; found?: string | undefined; state?: FormState<unknown> }) {
  const id = useId();
  const issue = fieldIssue(state, select.name ?? "") ?? found;
  return (
    <Field id={id} label={label} issue={issue} {...(hint && { hint })}>
      <OptionSelect id={id} {...select} {...describedBy(id, { issue, hint: hint !== undefined })} />
    </Field>
  );
}
