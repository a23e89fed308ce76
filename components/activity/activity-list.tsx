import { describeEntry } from "@/components/activity/describe-entry";
import type { ActivityEntry } from "@/lib/activity/list-activity";
import type { Format } from "@/lib/format/format-of";

/** Who did what to whom, newest first, by days of the team's time zone. */
export function ActivityList({ entries, format }: { entries: ActivityEntry[]; format: Format }) {
  const days = Map.groupBy(entries, ({ at }) => format.day(at));
  return (
    <div className="flex flex-col gap-6">
      {[...days].map(([name, ofDay]) => (
        <section key={name} aria-label={name} className="flex flex-col gap-2">
          <h2 className="font-semibold">{name}</h2>
          <ol className="divide-y rounded-md border">
            {ofDay.map((entry) => (
              <Entry key={entry.id} entry={entry} format={format} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Entry({ entry, format }: { entry: ActivityEntry; format: Format }) {
  const { what, changes } = describeEntry(entry, format);
  return (
    <li className="flex items-baseline gap-4 px-4 py-2">
      <time dateTime={entry.at} className="min-w-16 shrink-0 text-muted-foreground text-sm">
        {format.time(entry.at)}
      </time>
      <div className="wrap-anywhere min-w-0">
        <p>
          <span className="font-medium">{actorOf(entry)}</span> {what}
        </p>
        {changes.map(({ label, before, after }) => (
          <p key={label} className="text-muted-foreground text-sm">
            {label}: {before} <span aria-hidden>→</span>
            <span className="sr-only">becomes</span> <span className="text-foreground">{after}</span>
          </p>
        ))}
      </div>
    </li>
  );
}

function actorOf({ actor, actorId, databaseRole }: ActivityEntry) {
  if (actor !== null) return actor;
  return actorId === null ? `Outside of Signet (${databaseRole})` : "Somebody who is gone";
}
