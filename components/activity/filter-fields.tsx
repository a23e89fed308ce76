import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";

/** What can be chosen in a filter. */
export type Option = { id: string; name: string };

/** A field of a filter that chooses one of a list, or all. */
export function ChoiceField({
  name,
  label,
  all,
  options,
  value,
}: {
  name: string;
  label: string;
  all: string;
  options: Option[];
  value: string | undefined;
}) {
  return (
    <Field id={`filter-${name}`} label={label}>
      <Select id={`filter-${name}`} name={name} defaultValue={value ?? ""}>
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** A field of a filter with a day of the team's time zone. */
export function DayField({ name, label, value }: { name: string; label: string; value: string | undefined }) {
  return (
    <Field id={`filter-${name}`} label={label}>
      <Input id={`filter-${name}`} name={name} type="date" defaultValue={value} />
    </Field>
  );
}
