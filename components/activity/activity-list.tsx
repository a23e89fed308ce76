import { DayList } from "@/components/activity/day-list";
import { describeEntry } from "@/components/activity/describe-entry";
import type { ActivityEntry } from "@/lib/activity/activity";
import type { Format } from "@/lib/format/format-of";

/** Who did what to whom, newest first, by days of the team's time zone. */
export function ActivityList({ entries, format }: { entries: ActivityEntry[]; format: Format }) {
  return (
    <DayList entries={entries} format={format}>
      {(entry) => <Entry entry={entry} format={format} />}
    </DayList>
  );
}

function Entry({ entry, format }: { entry: ActivityEntry; format: Format }) {
  const { what, changes } = describeEntry(entry, format);
  return (
    <>
      <p>
        <span className="font-medium">{actorOf(entry)}</span> {what}
      </p>
      {changes.map(({ label, before, after }) => (
        <p key={label} className="text-muted-foreground text-sm">
          {label}: {before} <span aria-hidden>→</span>
          <span className="sr-only">becomes</span> <span className="text-foreground">{after}</span>
        </p>
      ))}
    </>
  );
}

function actorOf({ actor, actorId, databaseRole }: ActivityEntry) {
  if (actor !== null) return actor;
  return actorId === null ? `Outside of Signet (${databaseRole})` : "Somebody who is gone";
}
