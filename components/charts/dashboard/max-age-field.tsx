import { useId } from "react";
import { Select } from "@/components/ui/select";
import { type MaxAge, maxAges } from "@/lib/charts/definition/dashboard";

/** How often the numbers of a dashboard are computed anew; for those with `onSet` to choose, for others to know. */
export function MaxAgeField({ maxAge, onSet }: { maxAge: MaxAge; onSet: ((maxAge: MaxAge) => void) | undefined }) {
  const id = useId();
  const words = maxAges.find(([age]) => age === maxAge)?.[1];
  if (!onSet) return <p className="text-muted-foreground text-sm">New numbers {words}</p>;
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="whitespace-nowrap text-muted-foreground text-sm">
        New numbers
      </label>
      <Select
        id={id}
        value={String(maxAge)}
        className="w-auto"
        onChange={({ target }) => onSet(maxAges.find(([age]) => String(age) === target.value)?.[0] ?? null)}
      >
        {maxAges.map(([age, name]) => (
          <option key={name} value={String(age)}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}
