import { useId } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { describedBy } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { dayIn, hasWholeYear } from "@/lib/format/days";

/** Whether a last day has passed in a team's time zone. */
export const isPastEnd = (endsOn: string | null | undefined, timeZone: string): boolean =>
  typeof endsOn === "string" && endsOn < dayIn(timeZone, new Date());

/** The last day `of` a membership or role, YYYY-MM-DD; null without an end. It says if the day has passed. */
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
  const { timeZone } = useFormat();
  const isPast = isPastEnd(value, timeZone) && hasWholeYear(value ?? "");
  const issue = isPast ? "This day has passed. Choose today or a later day." : undefined;
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
        {...describedBy(id, { issue })}
      />
      <p id={`${id}-issue`} role="status" className="basis-full text-destructive text-sm empty:hidden">
        {issue}
      </p>
    </div>
  );
}
