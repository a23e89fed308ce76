import { type ReactNode, useId } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { Input } from "@/components/ui/input";
import { dayIn, hasWholeYear } from "@/lib/format/days";
import { cn } from "@/lib/utils";

/** Whether a last day has passed in a team's time zone. */
export const isPastEnd = (endsOn: string | null | undefined, timeZone: string): boolean =>
  typeof endsOn === "string" && endsOn < dayIn(timeZone, new Date());

// While it is typed, the year isn't whole.
const isTypedPast = (endsOn: string | null, timeZone: string) =>
  isPastEnd(endsOn, timeZone) && hasWholeYear(endsOn ?? "");

/** What is wrong with a last day: it has passed. Show it where it moves nothing. */
export function EndIssue({ id, value, children }: { id: string; value: string | null; children?: ReactNode }) {
  const { timeZone } = useFormat();
  const isPast = isTypedPast(value, timeZone);
  return (
    <p
      id={id}
      role="status"
      className={cn("wrap-anywhere min-h-5 min-w-0 text-sm", isPast ? "text-destructive" : "text-muted-foreground")}
    >
      {isPast ? "This day has passed. Choose today or a later day." : children}
    </p>
  );
}

/** The last day of a membership or a role, YYYY-MM-DD; null without an end. Its EndIssue has the id `issueId`. */
export function EndField({
  label,
  of,
  issueId,
  value,
  onChange,
}: {
  label: string;
  /** Which role, next to others: `in Clean water`. */
  of?: string;
  issueId: string;
  value: string | null;
  onChange: (endsOn: string | null) => void;
}) {
  const id = useId();
  const { timeZone } = useFormat();
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-muted-foreground text-sm">
        {label} <span className="sr-only">({of && `${of}, `}optional)</span>
      </label>
      <Input
        id={id}
        type="date"
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value || null)}
        className="w-40"
        aria-invalid={isTypedPast(value, timeZone)}
        aria-describedby={issueId}
      />
    </div>
  );
}
