import { useId } from "react";
import { Input } from "@/components/ui/input";

/** The last day `of` a membership or role, YYYY-MM-DD; null without an end. */
export function EndField({
  of,
  value,
  onChange,
}: {
  of: string;
  value: string | null;
  onChange: (endsOn: string | null) => void;
}) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <label htmlFor={id} className="text-muted-foreground text-sm">
        Ends on <span className="sr-only">({of}, optional)</span>
      </label>
      <Input
        id={id}
        type="date"
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value || null)}
        className="w-40"
      />
    </div>
  );
}
