import { describeEntry } from "@/components/activity/describe-entry";
import type { ActivityEntry } from "@/lib/activity/list-activity";

/** Who did what to whom, newest first, by days of the team's time zone. */
export function ActivityList({ entries, timeZone }: { entries: ActivityEntry[]; timeZone: string }) {
  const day = new Intl.DateTimeFormat("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone,
  });
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  const days = Map.groupBy(entries, ({ at }) => day.format(new Date(at)));
  return (
    <div className="flex flex-col gap-6">
      {[...days].map(([name, ofDay]) => (
        <section key={name} aria-label={name} className="flex flex-col gap-2">
          <h2 className="font-semibold">{name}</h2>
          <ol className="divide-y rounded-md border">
            {ofDay.map((entry) => (
              <Entry key={entry.id} entry={entry} time={time.format(new Date(entry.at))} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Entry({ entry, time }: { entry: ActivityEntry; time: string }) {
  const { what, changes } = describeEntry(entry);
  return (
    <li className="flex items-baseline gap-4 px-4 py-2">
      <time dateTime={entry.at} className="shrink-0 text-muted-foreground text-sm">
        {time}
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
