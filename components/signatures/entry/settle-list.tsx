import { useFormat } from "@/components/shell/format-provider";
import { Conflict } from "@/components/signatures/entry/conflict";
import { Button } from "@/components/ui/button";
import type { CampaignOfTeam } from "@/lib/ids";
import { type Entry, entriesCsv, isLine } from "@/lib/signatures/queue/entry";
import { verdictWords } from "@/lib/signatures/verdicts";

/** What waits on this device for a decision: lines kept as typed, lines that were refused, each with why. */
export function SettleList({
  entries,
  place,
  emptyLine,
  removal,
  mayRemove,
  onPutBack,
  onResend,
  onDiscard,
}: {
  entries: readonly Entry[];
  place: CampaignOfTeam;
  /** The next empty line of a sheet, as far as it is known. */
  emptyLine: (sheet: number) => number | null;
  removal: Parameters<typeof Conflict>[0]["removal"];
  mayRemove: boolean;
  onPutBack: (entry: Entry) => void;
  /** Sends it again: as the same line, or as a new one on another line. */
  onResend: (entry: Entry, line?: number) => void;
  onDiscard: (entry: Entry) => void;
}) {
  const { count } = useFormat();
  const refused = entries.filter((entry) => entry.refused !== null);
  const open = entries.filter(({ refused, what }) => refused !== null || what.kind === "typed");
  if (open.length === 0) return null;

  const exportRefused = () => {
    const url = URL.createObjectURL(new Blob([entriesCsv(refused)], { type: "text/csv" }));
    const link = Object.assign(document.createElement("a"), {
      href: url,
      download: `lines-not-stored-${place.campaign}.csv`,
    });
    link.click();
    URL.revokeObjectURL(url);
  };

  return (
    <section aria-labelledby="to-settle" className="border-b">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 px-4 py-1 md:px-6">
        <h2 id="to-settle" className="font-semibold">
          {count(open.length, "line", "lines")} to settle
        </h2>
        {refused.length > 0 && (
          <Button variant="ghost" onClick={exportRefused}>
            Export what is not stored
          </Button>
        )}
      </div>
      <ul aria-label="To settle" className="divide-y border-t">
        {open.map((entry) => {
          const of = <span className="sr-only"> {[placeOf(entry), nameOf(entry)].filter(Boolean).join(", ")}</span>;
          const taken = entry.refused?.taken;
          return (
            <li key={entry.id} className="flex flex-col gap-2 px-4 py-3 md:px-6">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <strong className="wrap-anywhere font-medium">{nameOf(entry)}</strong>
                <span className="text-muted-foreground text-sm">{placeOf(entry)}</span>
              </p>
              {taken && isLine(entry) ? (
                <Conflict
                  entry={entry}
                  taken={taken}
                  place={place}
                  emptyLine={emptyLine(entry.what.sheet)}
                  removal={removal}
                  mayRemove={mayRemove}
                  onResend={onResend}
                  onDiscard={onDiscard}
                />
              ) : (
                <div className="flex flex-wrap items-center gap-2">
                  <p
                    className={
                      entry.refused
                        ? "wrap-anywhere min-w-0 flex-1 basis-64 text-destructive text-sm"
                        : "min-w-0 flex-1 text-sm text-warning"
                    }
                  >
                    {entry.refused?.error ?? "Kept as typed: look it up."}
                  </p>
                  {(isLine(entry) || entry.what.kind === "typed") && (
                    <Button variant="outline" onClick={() => onPutBack(entry)}>
                      {entry.refused ? "Correct" : "Look up"}
                      {of}
                    </Button>
                  )}
                  {entry.refused && entry.what.kind !== "unreadable" && (
                    <Button variant="outline" onClick={() => onResend(entry)}>
                      Send again{of}
                    </Button>
                  )}
                  <Button variant="ghost" onClick={() => onDiscard(entry)}>
                    Discard{of}
                  </Button>
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const placeOf = ({ what }: Entry) =>
  ["sheet" in what && `sheet ${what.sheet}`, "line" in what && `line ${what.line}`].filter(Boolean).join(", ");

/** What an entry is about, in a few words. */
function nameOf({ what }: Entry): string {
  switch (what.kind) {
    case "signature":
    case "typed":
      return [what.lastName, what.firstName].filter(Boolean).join(", ") || "No name";
    case "rejected":
      return [what.name, verdictWords[what.verdict]].filter(Boolean).join(", ");
    case "undo":
      return "Undo of a line";
    case "open-sheet":
      return `Start sheet ${what.sheet}`;
    case "close-sheet":
      return `Close sheet ${what.sheet}`;
    case "unreadable":
      return "A line kept by another version of Signet";
  }
}
