import { DayList } from "@/components/activity/day-list";
import { describeRead, type ReadWords } from "@/components/activity/describe-read";
import { foldReads } from "@/lib/activity/fold-reads";
import type { ReadEntry } from "@/lib/activity/reads";
import type { Format } from "@/lib/format/format-of";

/** Who exported what and searched for whom, newest first, by days of the team's time zone. */
export function ReadsList({ reads, words, format }: { reads: ReadEntry[]; words: ReadWords; format: Format }) {
  return (
    <DayList entries={foldReads(reads)} format={format}>
      {({ earlier, ...read }) => {
        const { what, filter } = describeRead(read, words, format);
        return (
          <>
            <p>
              <span className="font-medium">{read.actor ?? "A deleted account"}</span> {what}
            </p>
            {filter.length > 0 && <p className="text-muted-foreground text-sm">{filter.join(" · ")}</p>}
            {earlier.length > 0 && (
              <details className="text-muted-foreground text-sm">
                <summary className="w-fit cursor-pointer hover:text-foreground pointer-coarse:py-3">
                  {format.count(earlier.length, "earlier search", "earlier searches")} within a minute
                </summary>
                <ul>
                  {earlier.map((search) => (
                    <li key={search.id}>{describeRead(search, words, format).what}</li>
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
