import { ChevronDown } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import type { Paper } from "@/components/signatures/use-draft";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { VoterInput, type VoterListbox } from "@/components/voters/voter-input";
import type { VoterField, VoterTexts } from "@/components/voters/voter-query";
import { cn } from "@/lib/utils";

const kept = "Stays from line to line until you clear it";

/** What holds for the lines of a sheet: its number, the line at hand, and the places and the day that stay. */
export function SheetFields({
  paper,
  texts,
  listbox,
  onPaper,
  onText,
  onKeyDown,
  onSheets,
}: {
  paper: Paper;
  texts: VoterTexts;
  listbox: VoterListbox | null;
  onPaper: (paper: Partial<Paper>) => void;
  onText: (field: VoterField, text: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  /** Opens the list of sheets. */
  onSheets: () => void;
}) {
  const id = useId();
  const [more, setMore] = useState(false);
  const shared = { texts, popup: "listbox" as const, listbox, kept, onText, onKeyDown };
  const summary = [texts.city, texts.zip, texts.county, paper.signedOn].filter((text) => text.trim() !== "");

  return (
    <div className="grid @3xl:grid-cols-[auto_5rem_minmax(0,2fr)_6.5rem_minmax(0,2fr)_10rem] grid-cols-[minmax(0,1fr)_5rem] gap-2">
      <div className="flex min-w-0 flex-col gap-1">
        <span id={`${id}-sheet`} className="text-muted-foreground text-xs">
          Sheet
        </span>
        <Button
          id={`${id}-sheets`}
          aria-labelledby={`${id}-sheet ${id}-sheets`}
          aria-haspopup="dialog"
          variant="outline"
          className="@3xl:w-36 w-full justify-between px-2.5"
          onClick={onSheets}
        >
          {paper.sheet === null ? "Start a sheet" : `Sheet ${paper.sheet}`}
          <ChevronDown aria-hidden />
        </Button>
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <label htmlFor={`${id}-line`} className="text-muted-foreground text-xs">
          Line
        </label>
        <Input
          id={`${id}-line`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={paper.line}
          onChange={(event) => {
            const line = Number(event.target.value.replaceAll(/\D/g, ""));
            if (line > 0) onPaper({ line });
          }}
          onFocus={(event) => event.target.select()}
          onKeyDown={onKeyDown}
        />
      </div>
      <Button
        variant="ghost"
        aria-expanded={more}
        aria-controls={`${id}-more`}
        className="@3xl:hidden col-span-full min-w-0 justify-between px-2 font-normal text-muted-foreground"
        onClick={() => setMore(!more)}
      >
        <span className="truncate">{summary.length > 0 ? summary.join(" · ") : "City, zip, county, day signed"}</span>
        <ChevronDown aria-hidden className={cn("transition-transform duration-100", more && "rotate-180")} />
      </Button>
      <div
        id={`${id}-more`}
        className={cn(
          "@max-3xl:col-span-full @max-3xl:grid @max-3xl:grid-cols-2 @max-3xl:gap-2 @3xl:contents",
          !more && "@max-3xl:hidden",
        )}
      >
        <VoterInput field="city" {...shared} />
        <VoterInput field="zip" inputMode="numeric" {...shared} />
        <VoterInput field="county" {...shared} />
        <div className="flex min-w-0 flex-col gap-1">
          <label htmlFor={`${id}-day`} className="text-muted-foreground text-xs">
            Day signed
          </label>
          <Input
            id={`${id}-day`}
            type="date"
            value={paper.signedOn}
            onChange={(event) => onPaper({ signedOn: event.target.value })}
            onKeyDown={(event) =>
              event.key !== "ArrowDown" && event.key !== "ArrowUp" && event.key !== "Escape" && onKeyDown(event)
            }
            className={cn(paper.signedOn !== "" && "bg-primary-soft")}
          />
        </div>
      </div>
    </div>
  );
}
