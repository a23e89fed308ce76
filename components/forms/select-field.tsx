import { type ComponentProps, useId } from "react";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

export type Option = { id: string; name: string };

type Props = Omit<ComponentProps<typeof Select>, "children"> & {
  options: readonly Option[];
  /** The first entry, which stands for no choice. */
  none?: string | undefined;
  onPick?: (id: string) => void;
};

/** A choice of one option. */
export function OptionSelect({ options, none, onPick, ...select }: Props) {
  return (
    <Select {...(onPick && { onChange: (event) => onPick(event.target.value) })} {...select}>
      {none !== undefined && <option value="">{none}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** The same under its label. */
export function SelectField({ label, ...select }: Props & { label: string }) {
  const id = useId();
  return (
    <Field id={id} label={label}>
      <OptionSelect id={id} {...select} />
    </Field>
  );
}
