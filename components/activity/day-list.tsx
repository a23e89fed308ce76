import type { ReactNode } from "react";
import type { Format } from "@/lib/format/format-of";

/** Entries, newest first, by days of the team's time zone; `children` says what one is. */
export function DayList<Entry extends { id: number; at: string }>({
  entries,
  format,
  children,
}: {
  entries: Entry[];
  format: Format;
  children: (entry: Entry) => ReactNode;
}) {
  const days = Map.groupBy(entries, ({ at }) => format.day(at));
  return (
    <div className="flex flex-col gap-6">
      {[...days].map(([name, ofDay]) => (
        <section key={name} aria-label={name} className="flex flex-col gap-2">
          <h2 className="font-semibold">{name}</h2>
          <ol className="divide-y rounded-md border">
            {ofDay.map((entry) => (
              <li key={entry.id} className="flex items-baseline gap-4 px-4 py-2">
                <time dateTime={entry.at} className="min-w-16 shrink-0 text-muted-foreground text-sm">
                  {format.time(entry.at)}
                </time>
                <div className="wrap-anywhere min-w-0">{children(entry)}</div>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
