import { ChevronDown } from "lucide-react";
import { useEffect, useLayoutEffect, useState } from "react";
import { EntryResults } from "@/components/signatures/entry/entry-results";
import { hitId } from "@/components/signatures/entry/hit-list";
import { LineFields } from "@/components/signatures/entry/line-fields";
import { TotalsBar } from "@/components/signatures/entry/totals-bar";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { VerdictBar } from "@/components/signatures/entry/verdict-bar";
import { SheetHead } from "@/components/signatures/sheets/sheet-head";
import { LineMark, SheetLines } from "@/components/signatures/sheets/sheet-lines";
import { capitalized } from "@/lib/format/text";
import { placeText } from "@/lib/signatures/line-text";
import { cn } from "@/lib/utils";

/** The open sheet with its lines, and the form of one line, whose fields keep the focus. */
export function OpenSheet({ entry, number }: { entry: Entry; number: number }) {
  const { lastName, wantsFocus, listId, marked } = entry;
  // On a phone, the details of a sheet are open until another line is: they would cover its form.
  const [openAt, setOpenAt] = useState<number | null>();
  const isOpen = openAt === entry.form.line;

  // Focuses the fields, because the focused element is gone. On a page that was only opened, no phone's keyboard comes up.
  useLayoutEffect(() => {
    const isTouch = window.matchMedia("(pointer: coarse)").matches;
    if ((!isTouch || wantsFocus.current) && document.activeElement === document.body) lastName.current?.focus();
    wantsFocus.current = false;
  }, [lastName, wantsFocus]);
  useEffect(() => {
    if (marked !== null) document.getElementById(hitId(listId, marked))?.scrollIntoView({ block: "nearest" });
  }, [listId, marked]);

  const folded = isOpen ? "" : "@max-3xl:hidden";
  return (
    <>
      <SheetLine entry={entry} isOpen={isOpen} onToggle={() => setOpenAt(isOpen ? undefined : entry.form.line)} />
      <div className={folded}>
        <TotalsBar entry={entry} />
        <SheetHead entry={entry} number={number} />
      </div>
      <div className="grid @3xl:grid-cols-[15rem_minmax(0,1fr)] @5xl:grid-cols-[19rem_minmax(0,1fr)] border-b">
        <div className={cn("relative min-w-0", folded)}>
          <SheetLines entry={entry} number={number} />
        </div>
        <div className="flex min-w-0 flex-col">
          <LineFields entry={entry} folded={folded} />
          <EntryResults entry={entry} />
          <VerdictBar entry={entry} />
        </div>
      </div>
    </>
  );
}

// On a phone, where only the line has room next to the keyboard: the sheet in short with the last line, which opens the rest.
function SheetLine({
  entry: { form, context },
  isOpen,
  onToggle,
}: {
  entry: Entry;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const last = context.last?.line == null ? undefined : context.lines.get(context.last.line);
  const { city, zip, county } = form.fields;
  const facts = [placeText(form), city, zip, county, form.signedOn].filter((text) => text.trim() !== "");
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className="@3xl:hidden flex min-h-12 cursor-pointer items-center gap-2 border-b px-4 text-left text-sm"
      onClick={onToggle}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{capitalized(facts.join(" · "))}</span>
        {last && (
          <span className="flex items-center gap-1.5 text-muted-foreground">
            <LineMark line={last} />
            <span className="truncate">
              <span className="sr-only">. Line </span>
              {last.line}: {[last.name, last.stateText].filter(Boolean).join(", ")}
            </span>
          </span>
        )}
      </span>
      <ChevronDown aria-hidden className={cn("size-4 shrink-0", isOpen && "rotate-180")} />
    </button>
  );
}
