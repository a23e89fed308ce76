import { useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { HitList } from "@/components/signatures/entry/hit-list";
import { attentionText, LookUpButton } from "@/components/signatures/entry/outbox-list";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { lazyLoad } from "@/components/ui/lazy-load";
import { countText, screenReaderCount } from "@/components/voters/count-text";
import { NoVoter, SearchFailed, SearchProgress } from "@/components/voters/search-states";
import { capitalized } from "@/lib/format/text";
import { hasNames } from "@/lib/signatures/entry/entry-form";
import { listedVoters } from "@/lib/signatures/entry/marked-voter";
import { nextPlace } from "@/lib/signatures/entry/offer";
import { namesAhead } from "@/lib/signatures/entry/type-ahead";
import { placeText } from "@/lib/signatures/line-text";
import { verdictText } from "@/lib/signatures/verdicts";
import { cn } from "@/lib/utils";
import type { Voter } from "@/lib/voters/read-hit";
import { fieldNames, type SearchFields } from "@/lib/voters/voter-query";
import { fullName, isOutside } from "@/lib/voters/voter-text";

const CurrentLine = lazyLoad(async () => (await import("@/components/signatures/entry/current-line")).CurrentLine, {
  whenIdle: true,
});

const placeFields = ["city", "zip", "county"] as const; // they stay from line to line

/** Below the fields: the last message and the count, and the voters found, or the line that is entered there already. */
export function EntryResults({ entry }: { entry: Entry }) {
  const format = useFormat();
  const { form, context, dispatch, click, search, current, redo } = entry;
  const { found, page, failure, busy } = search;
  const { voters, similar, isSearching, replaced, districts } = context;
  const [last, setLast] = useState<{ fields: SearchFields; voters: readonly Voter[] } | null>(null);
  if (found && page && page.voters !== last?.voters) setLast({ fields: found.query.fields, voters: page.voters });
  const isInLast = fieldNames.every((name) => beginsWith(form.fields[name], last?.fields[name] ?? ""));
  const chosen = entry.marked === null || current ? undefined : listedVoters(context)[entry.marked];
  const outside = chosen && isOutside(chosen, districts) ? chosen : null;
  const isFound = voters.length + similar.length > 0;
  const isCounted = !form.message && !outside && !current && isFound;
  const ahead = namesAhead(form);
  const attention = attentionText(entry.outbox.items, format);
  const isRefused = entry.outbox.items.some(({ refused }) => refused !== null);
  const emptyLine = hasNames(form) && context.lines.has(form.line ?? 0) ? nextPlace(form, context).line : null;
  const isNarrowed = isCounted || (isFound && form.message?.noMatch);
  const narrowing = placeFields.filter((field) => isNarrowed && found?.query.fields[field].trim());
  return (
    // The voters give way to a long message, so that the buttons below stay in place and in view.
    <div className="flex @3xl:min-h-[max(13.125rem,calc(100dvh-27.875rem))] min-h-50 flex-col border-b">
      <div className="flex min-h-12.5 flex-wrap items-center gap-3 border-y px-4 py-1 text-sm md:px-6">
        <div className="min-w-64 flex-1 empty:hidden">
          <p
            role="status"
            className={cn(
              "wrap-anywhere",
              form.message?.wrong && "text-warning",
              form.message?.text === capitalized(placeText(form)) && "@max-3xl:sr-only", // the line above says it
            )}
          >
            {form.message?.text}
            {form.message?.noMatch && noMatchText(busy, similar.length)}
          </p>
          {replaced && (
            <p className="wrap-anywhere font-medium">
              Line {replaced.line} is {verdictText(replaced)}
              {replaced.name && `: ${replaced.name}`}
            </p>
          )}
          <p role="status" className="font-medium text-warning empty:hidden">
            {form.end === null &&
              ahead.length > 0 &&
              `${hasNames(form) ? `Finish line ${form.line} first` : `Type line ${form.line}, or clear it again to move the next line here`}. Waiting: ${ahead.join("; ")}.`}
          </p>
          {outside && (
            <p role="status" className="text-warning">
              {fullName(outside)} lives in district {outside.district}, outside the campaign's districts ({districts}).
            </p>
          )}
          {isCounted && found && page && (
            <p>
              {[
                page.totalHits > 0 && countText(found.query, page, format),
                narrowing.length > 0 &&
                  `Only in ${narrowing.map((field) => found.query.fields[field].trim()).join(", ")}`,
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
          )}
        </div>
        {form.openQuestion?.isTyping && (
          <Button variant="outline" className="-my-1 ml-auto" onClick={() => dispatch({ type: "clear" })}>
            Back to line {form.line} <Kbd>Esc</Kbd>
          </Button>
        )}
        {emptyLine !== null && (
          <Button variant="outline" className="-my-1 ml-auto" onClick={() => click({ type: "go", line: emptyLine })}>
            Go to line {emptyLine} <Kbd aria-hidden>Ctrl+Shift+Space</Kbd>
          </Button>
        )}
        {narrowing.length > 0 && (
          <Button
            variant="ghost"
            className="-my-1"
            onMouseDown={(event) => event.preventDefault()} // the focus stays in the field
            onClick={() => click({ type: "leave-out", fields: narrowing })}
          >
            Search everywhere
          </Button>
        )}
        <p role="status" className="shrink-0 empty:hidden">
          {attention && (
            <a
              href="#needs-attention"
              className={cn("py-2 underline underline-offset-2", isRefused ? "text-destructive" : "text-warning")}
            >
              {attention}
            </a>
          )}
        </p>
        <LookUpButton outbox={entry.outbox} />
        {redo && (
          <Button variant="ghost" className="-my-1" onClick={redo}>
            Restore line
          </Button>
        )}
        {busy && <SearchProgress />}
        {hasNames(form) && !form.openQuestion?.isTyping && (
          <Button
            variant="ghost"
            className="-my-1 pointer-fine:hidden ml-auto"
            onClick={() => click({ type: "clear" })}
          >
            Clear
          </Button>
        )}
        {!form.openQuestion?.isTyping && (
          <p
            aria-hidden
            className="@max-3xl:hidden ml-auto flex shrink-0 items-center gap-1.5 text-muted-foreground text-xs pointer-coarse:hidden"
          >
            <Kbd>↑</Kbd>
            <Kbd>↓</Kbd> select <Kbd>Esc</Kbd> {form.replaces === null ? "clear" : "cancel"}
          </p>
        )}
      </div>
      <p role="status" className="sr-only">
        {found && page && !busy && (
          <>
            {screenReaderCount(found.query, page, format).replace(/\.?$/, ".")}
            {similar.length > 0 && ` ${format.count(similar.length, "near match", "near matches")}.`}
          </>
        )}
      </p>
      <div className="relative min-h-14 grow">
        <div
          aria-busy={isSearching}
          className={cn(
            "absolute inset-0 overflow-y-auto transition-opacity duration-100",
            isSearching && isFound && "opacity-60 delay-300",
          )}
        >
          {current ? (
            <CurrentLine line={current} entry={entry} />
          ) : (
            <>
              {failure && !isSearching && (
                <div className="md:px-2">
                  <SearchFailed
                    failure={failure}
                    onRetry={() => {
                      search.again();
                      entry.lastName.current?.focus(); // the button disappears
                    }}
                  />
                </div>
              )}
              {found && !page && last && last.voters.length > 0 && isInLast && (
                <>
                  <p className="px-4 pb-2 text-warning md:px-6">
                    These voters are from your last search. To enter one, wait until the search works.
                  </p>
                  {/* Nothing can be selected: some may have signed since, and others may match. */}
                  <HitList
                    entry={{ ...entry, context: { voters: last.voters, similar: [] }, marked: null }}
                    fields={last.fields}
                  />
                </>
              )}
              {found && isFound && <HitList entry={entry} fields={found.query.fields} />}
              {!busy && !isFound && found && page?.totalHits === 0 && (
                <div className="md:px-2">
                  <NoVoter
                    fields={found.query.fields}
                    onLeaveOut={(field) => click({ type: "leave-out", fields: [field] })}
                  />
                </div>
              )}
              {!isSearching && !found && <FirstStep entry={entry} />}
            </>
          )}
        </div>
      </div>
    </div>
  );
}

const beginsWith = (text: string, beginning: string) =>
  text.trim().toLowerCase().startsWith(beginning.trim().toLowerCase());

function noMatchText(isBusy: boolean, similarCount: number) {
  if (isBusy) return "No exact match. Looking for near matches…";
  const select = similarCount > 0 ? "select a near match, " : "";
  return `No voters match${select && " exactly"}. Correct what you typed, ${select}or enter the line as not found.`;
}

function FirstStep({ entry: { form, context } }: { entry: Entry }) {
  const hasOpen = [...context.lines.values()].some(({ state }) => state === "typed" || state === "refused");
  const isFull = form.line === null;
  const [title, text, more] = !isFull
    ? [
        "Type the last name on the line",
        "A few letters are often enough. Add the first name and the house number if several match.",
        "City, ZIP code, county, and date carry over to the next line.",
      ]
    : hasOpen
      ? ["No empty lines left", "Some lines still need attention in the list below. Then review and close the sheet."]
      : ["All lines are entered", "Review and close the sheet. To change a line, select it in the list."];
  return (
    <div className="flex max-w-2xl flex-col gap-1 px-4 py-2 leading-6 md:px-6">
      <h2 className="font-semibold text-lg/6">{title}</h2>
      <p className="text-muted-foreground">
        {text} <span className="@max-3xl:hidden">{more}</span>
      </p>
    </div>
  );
}
