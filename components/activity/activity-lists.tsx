import type { ReactNode } from "react";
import { describeEntry, type KnownPages, linkEntry } from "@/components/activity/describe-entry";
import { describeFilter, describeRead, type ReadLabels } from "@/components/activity/describe-read";
import { PageLinks } from "@/components/shell/list-parts";
import { PageTabs } from "@/components/shell/page-tabs";
import { Link, TextLink } from "@/components/ui/link";
import { type ActivityEntry, actorName, groupEntries } from "@/lib/activity/activity";
import { foldReads, type ReadEntry } from "@/lib/activity/reads";
import type { Format } from "@/lib/format/format-of";
import { queryText } from "@/lib/query-text";

/** Tabs of the activity: what was changed, and what was read. */
export function ActivityTabs({ teamId, shown }: { teamId: string; shown: "changes" | "reads" }) {
  const [changes, reads] = [`/${teamId}/activity`, `/${teamId}/activity/reads`];
  const tabs = [
    { href: changes, label: "Changes" },
    { href: reads, label: "Sign-ins, exports, and searches" },
  ];
  return <PageTabs label="Activity" tabs={tabs} shown={shown === "reads" ? reads : changes} />;
}

/** The filter of a printed list, whose form isn't printed. */
export function PrintedFilter({ filter, ...labels }: { filter: object; names: ReadLabels["names"]; format: Format }) {
  const parts = describeFilter({ ...filter }, labels, labels.format);
  return parts.length > 0 && <p className="hidden print:block">{parts.join(" · ")}</p>;
}

/** Who changed what, newest first; what is alike and was done at once or in a row is one entry, which opens. */
export function ActivityList({
  entries,
  known,
  format,
}: {
  entries: ActivityEntry[];
  known: KnownPages;
  format: Format;
}) {
  return (
    <DayList entries={groupEntries(entries)} format={format}>
      {({ more, alike, ...entry }) => (
        <>
          <Change entry={entry} known={known} format={format} />
          {more.length > 0 && (
            <details className="text-muted-foreground text-sm print:details-content:[content-visibility:visible]">
              <summary className="w-fit cursor-pointer hover:text-foreground pointer-coarse:py-3">
                {[
                  alike > 0 && format.count(alike, "similar change"),
                  more.length > alike && format.count(more.length - alike, "related change"),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </summary>
              <ul className="flex flex-col gap-1 pt-1">
                {more.map((change) => (
                  <li key={change.id}>
                    <Change entry={change} known={known} format={format} />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      )}
    </DayList>
  );
}

function Change({ entry, known, format }: { entry: ActivityEntry; known: KnownPages; format: Format }) {
  const { what, changes } = describeEntry(entry, format);
  return (
    <>
      <p>
        <Actor id={entry.actorId} name={actorName(entry)} known={known} />{" "}
        {linkEntry(entry, what, known).map(({ part, href }) =>
          href === undefined ? (
            part
          ) : (
            <TextLink key={href} href={href}>
              {part}
            </TextLink>
          ),
        )}
      </p>
      {changes.map(({ label, before, after }) => (
        <p key={label} className="text-muted-foreground text-sm">
          {label}: {before} <span aria-hidden>→</span>
          <span className="sr-only">changed to</span> <span className="text-foreground">{after}</span>
        </p>
      ))}
    </>
  );
}

function Actor({ id, name, known }: { id: string | null; name: string; known: Omit<KnownPages, "campaigns"> }) {
  if (id === null || !known.people.has(id)) return <span className="font-medium">{name}</span>;
  return (
    <Link href={`/${known.teamId}/members/${id}`} className="font-medium underline-offset-2 hover:underline">
      {name}
    </Link>
  );
}

/** Who signed in, exported or searched what, newest first. */
export function ReadsList({
  reads,
  known,
  labels,
  format,
}: {
  reads: ReadEntry[];
  known: Omit<KnownPages, "campaigns">;
  labels: ReadLabels;
  format: Format;
}) {
  return (
    <DayList entries={foldReads(reads)} format={format}>
      {({ others, ...read }) => {
        const { what, filter } = describeRead(read, labels, format);
        return (
          <>
            <p>
              <Actor id={read.actorId} name={read.actor ?? "A deleted account"} known={known} /> {what}
            </p>
            {filter.length > 0 && <p className="text-muted-foreground text-sm">{filter.join(" · ")}</p>}
            {others.length > 0 && (
              <details className="text-muted-foreground text-sm print:details-content:[content-visibility:visible]">
                <summary className="w-fit cursor-pointer hover:text-foreground pointer-coarse:py-3">
                  {format.count(others.length, "more search", "more searches")} within a minute
                </summary>
                <ul>
                  {others.map((search) => (
                    <li key={search.id}>{describeRead(search, labels, format).what}</li>
                  ))}
                </ul>
              </details>
            )}
          </>
        );
      }}
    </DayList>
  );
}

// Groups entries by days of the team's time zone.
function DayList<Entry extends { id: number; at: string }>({
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
      {[...days].map(([name, entriesOfDay]) => (
        <section key={name} aria-label={name} className="flex flex-col gap-2">
          <h2 className="font-semibold">{name}</h2>
          <ol className="divide-y rounded-md border">
            {entriesOfDay.map((entry) => (
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

/** Links to the next page of a list and back to its newest. `next` is the filter's `before` of that page. */
export function OlderEntries({
  path,
  filter,
  next,
  format,
}: {
  path: string;
  filter: Record<string, string | number | undefined>;
  next: number | null;
  format: Format;
}) {
  const hrefOf = (before: number | undefined) => path + queryText({ ...filter, before });
  return (
    <PageLinks
      note={`Times are in ${format.zoneName}.`}
      before={["Newest", filter.before === undefined ? null : hrefOf(undefined)]}
      after={["Older", next === null ? null : hrefOf(next)]}
    />
  );
}
