"use client";

import { Shuffle, SlidersHorizontal } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useFormat } from "@/components/shell/format-provider";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import type { VoterSource } from "@/components/voters/ask-for-voters";
import { countText, pagesAround, spokenCount, unsortedText } from "@/components/voters/count-text";
import { NoVoter } from "@/components/voters/no-voter";
import { Pager } from "@/components/voters/pager";
import { SearchFailed } from "@/components/voters/search-failed";
import { SearchProgress } from "@/components/voters/search-progress";
import { useSignedMarks } from "@/components/voters/use-signed-marks";
import { useTypedSearch } from "@/components/voters/use-typed-search";
import { VoterBox } from "@/components/voters/voter-box";
import { VoterChips } from "@/components/voters/voter-chips";
import { VoterDetails } from "@/components/voters/voter-details";
import { VoterFields } from "@/components/voters/voter-fields";
import { rowId, VoterTable } from "@/components/voters/voter-table";
import type { SignedCheck } from "@/lib/signatures/signed-mark";
import { cn } from "@/lib/utils";
import { fieldsCookie } from "@/lib/voters/fields-cookie";
import type { Voter } from "@/lib/voters/read-hit";
import { filledFields, reachable, type VoterField } from "@/lib/voters/voter-query";

const isTouch = () => window.matchMedia("(pointer: coarse)").matches;

/**
 * Finds voters while one types into the one box, or into separate fields. The focus stays in the fields: arrows move through
 * the voters, Enter opens one. City and county are kept on the device under `keptAs`; nothing else of a search is kept, or put
 * into the address, but for whom a session ends: while she signs in. With `signed`, each voter shows whether she has signed
 * the campaign already.
 */
export function VoterSearch({
  source,
  keptAs,
  fieldsShown,
  signed,
  beside,
}: {
  source: VoterSource;
  keptAs: string;
  /** Whether this device shows the separate fields. */
  fieldsShown: boolean;
  signed?: SignedCheck;
  /** Stands beside the box. */
  beside?: ReactNode;
}) {
  const format = useFormat();
  const id = useId();
  const area = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const boxInput = useRef<HTMLInputElement>(null);
  const lastName = useRef<HTMLInputElement>(null);
  const usedField = useRef<HTMLInputElement>(null);
  const [showsFields, setShowsFields] = useState(fieldsShown);
  const [opened, setOpened] = useState<Voter | null>(null);
  const typed = useTypedSearch(source, keptAs, area);
  const { query, found, waiting, similar, reading } = typed;

  // Each answer begins at its first voter, from the moment it is shown.
  const [moved, setMoved] = useState<{ within: unknown; to: number } | null>(null);
  const active = moved !== null && moved.within === found?.answer ? moved.to : 0;

  const failure = found && "error" in found.answer ? found.answer : null;
  const page = found && "body" in found.answer ? found.answer.body : null;
  const around = found && page && pagesAround(found.query, page);
  const strict = page?.voters ?? [];
  const voters = [...strict, ...similar.voters];
  const unsorted = found && page && unsortedText(found.query, page, format);
  const isLooking = waiting || (similar.waiting && voters.length === 0);
  const isNobody = !isLooking && page?.totalHits === 0 && voters.length === 0;
  const marks = new Map([
    ...useSignedMarks(signed ?? null, idsOf(strict)),
    ...useSignedMarks(signed ?? null, idsOf(similar.voters)),
  ]);

  const leaveOut = (field: VoterField) => {
    typed.leaveOut(field);
    if (!isTouch()) boxInput.current?.focus();
  };
  const readDifferently = () => {
    typed.readDifferently();
    boxInput.current?.focus();
  };
  const clear = () => {
    typed.clear();
    boxInput.current?.focus();
  };

  useEffect(() => {
    if (!isTouch() && document.activeElement === document.body) boxInput.current?.focus();
  }, []);

  // The head of the table and the rows stay below the bar, however high its fields make it.
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      area.current?.style.setProperty("--bar-height", `${entry?.borderBoxSize[0]?.blockSize}px`),
    );
    if (bar.current) observer.observe(bar.current);
    return () => observer.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: on each answer
  useEffect(() => {
    document.getElementById(rowId(id, 0))?.scrollIntoView({ block: "nearest" });
  }, [found?.answer, id]);

  const toggleFields = useCallback(
    ({ byKey = false } = {}) => {
      flushSync(() => setShowsFields(!showsFields));
      // biome-ignore lint/suspicious/noDocumentCookie: the server draws the page by it, and not all browsers have CookieStore
      document.cookie = `${fieldsCookie}=1; path=/; samesite=lax; max-age=${showsFields ? 0 : 31_536_000}`;
      if (byKey) (showsFields ? boxInput : lastName).current?.focus();
    },
    [showsFields],
  );

  useScreenKeys(
    useMemo(
      () => [
        {
          key: "/",
          does: "Go to the search",
          run: () => {
            boxInput.current?.focus();
            boxInput.current?.select();
          },
        },
        { key: "F2", does: "Show or hide the separate fields", run: () => toggleFields({ byKey: true }) },
        { key: "↑ ↓", does: "Move through the voters" },
        { key: "Enter", does: "Open the voter" },
        { key: "Page Down", does: "Next page" },
        { key: "Page Up", does: "Previous page" },
        { key: "Esc", does: "Clear all but city and county; once more, bring it back" },
      ],
      [toggleFields],
    ),
  );

  const move = (to: number) => {
    const next = Math.max(0, Math.min(voters.length - 1, to));
    setMoved({ within: found?.answer, to: next });
    document.getElementById(rowId(id, next))?.scrollIntoView({ block: "nearest" });
  };
  const enter = () => {
    if (isTouch())
      usedField.current?.blur(); // the keyboard makes room for the voters
    else if (waiting)
      typed.askAgain(); // what is shown is not what was typed yet
    else setOpened(voters[active] ?? null);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    usedField.current = event.currentTarget;
    const acts: Record<string, () => void> = {
      ArrowDown: () => (around?.after && active === voters.length - 1 ? typed.turn(1) : move(active + 1)),
      ArrowUp: () => move(active - 1),
      PageDown: () => typed.turn(1),
      PageUp: () => typed.turn(-1),
      Enter: enter,
      Escape: clear,
      F2: () => toggleFields({ byKey: true }),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  const close = () => {
    setOpened(null);
    if (!isTouch()) (usedField.current ?? boxInput.current)?.focus();
  };

  const listbox = voters.length > 0 ? { id, activeId: rowId(id, active) } : null;
  return (
    <div ref={area} className="@container flex flex-col">
      <div ref={bar} className="border-b bg-background md:sticky md:top-12 md:z-[5] md:pointer-coarse:top-14">
        <search aria-label="Voters" className="flex flex-col gap-2 px-4 pt-3 md:px-6">
          <div className="flex flex-wrap items-end gap-2">
            <VoterBox
              ref={boxInput}
              text={typed.box}
              extras={source.extras}
              listbox={listbox}
              onText={typed.typeBox}
              onClear={clear}
              onKeyDown={onKeyDown}
            />
            <Button
              variant="ghost"
              aria-expanded={showsFields}
              aria-controls={`${id}-fields`}
              title={showsFields ? "Hide the separate fields (F2)" : "Show the separate fields (F2)"}
              className="px-2 text-muted-foreground pointer-coarse:min-w-11"
              onClick={() => toggleFields()}
            >
              <SlidersHorizontal aria-hidden />
              <span className="@max-3xl:sr-only">{showsFields ? "Fewer fields" : "More fields"}</span>
            </Button>
            {beside && (
              <div className={cn("@max-3xl:w-full @3xl:w-52", !showsFields && "@max-3xl:hidden")}>{beside}</div>
            )}
          </div>
          <div id={`${id}-fields`} hidden={!showsFields}>
            {showsFields && (
              <VoterFields
                ref={lastName}
                texts={typed.texts}
                extras={source.extras}
                order={query.order}
                listbox={listbox}
                onText={typed.typeField}
                onOrder={typed.setOrder}
                onKeyDown={onKeyDown}
              />
            )}
          </div>
        </search>
        <div className="flex @3xl:flex-row flex-col @3xl:items-center @3xl:gap-3 px-4 py-1 md:px-6 pointer-coarse:pt-2">
          <div className="flex h-9 min-w-0 flex-1 items-center gap-1.5 overflow-x-auto pointer-coarse:h-12">
            {!showsFields && <VoterChips texts={typed.texts} onLeaveOut={leaveOut} />}
            {typed.isOnlyReading && (
              <p role="status" className="text-muted-foreground text-sm">
                Read in another way, it finds nobody.
              </p>
            )}
            {typed.isAmbiguous && !typed.isOnlyReading && (
              <Button variant="ghost" className="h-7 px-2 text-muted-foreground" onClick={readDifferently}>
                <Shuffle aria-hidden className="size-3.5!" />
                Read it differently
              </Button>
            )}
          </div>
          <div className="flex @3xl:h-10 h-8 items-center gap-3 @3xl:pointer-coarse:h-13">
            {reading && reading.unread !== "" && (
              <p className="min-w-0 @3xl:max-w-48 truncate text-sm text-warning" title={reading.unread}>
                Not searched: “{reading.unread}”
              </p>
            )}
            {isLooking && <SearchProgress />}
            {found && page && page.totalHits > 0 && (
              <p className="whitespace-nowrap font-medium text-sm">{countText(found.query, page, format)}</p>
            )}
            {voters.length > 0 && (
              <p
                aria-hidden
                className="@max-5xl:hidden flex items-center gap-1.5 whitespace-nowrap text-muted-foreground text-xs pointer-coarse:hidden"
              >
                <Kbd>↑</Kbd>
                <Kbd>↓</Kbd> move <Kbd>⏎</Kbd> open
              </p>
            )}
            {around && (around.before || around.after) && (
              <Pager {...around} onTurn={typed.turn} className="@max-3xl:hidden pointer-coarse:ml-auto" />
            )}
          </div>
        </div>
      </div>
      <p role="status" className="sr-only">
        {found && page && !waiting && spokenCount(found.query, page, format)}
        {!waiting && similar.voters.length > 0 && ` · ${format.count(similar.voters.length, "similar voter")}`}
      </p>
      <div className="min-h-112 md:px-2">
        <div role="alert">{failure && !waiting && <SearchFailed failure={failure} onRetry={typed.askAgain} />}</div>
        {unsorted && <p className="px-4 py-2 text-sm text-warning">{unsorted}</p>}
        {found && voters.length > 0 && (
          <div aria-busy={waiting} className={cn("transition-opacity duration-100", waiting && "opacity-60 delay-300")}>
            <VoterTable
              id={id}
              voters={strict}
              texts={found.query.texts}
              similar={similar}
              order={strict.length === 0 || unsorted ? null : query.order}
              active={active}
              {...(signed && { marks })}
              onOrder={typed.setOrder}
              onOpen={(index) => setOpened(voters[index] ?? null)}
            />
          </div>
        )}
        {isLooking && voters.length === 0 && <Skeleton />}
        {!waiting && !found && filledFields(query.texts).length === 0 && <FirstStep />}
        {isNobody && found && <NoVoter texts={found.query.texts} onLeaveOut={leaveOut} />}
        {page && page.totalHits > 0 && page.hitsCount === 0 && !waiting && (
          <p className="p-4 text-muted-foreground">There are no more voters on this page. Go back to the one before.</p>
        )}
        {page && page.unreadable > 0 && (
          <p className="p-4 text-muted-foreground">
            {page.unreadable === 1 ? "1 record is" : `${page.unreadable} records are`} left out here: the voter file
            gives no voter id.
          </p>
        )}
        {around?.atLimit && (
          <p className="p-4">
            The list ends here: no more than the first {format.number(reachable)} voters can be shown. Refine the search
            with a first name, a house number or a zip.
          </p>
        )}
        {around && (around.before || around.after) && (
          <Pager {...around} wide onTurn={typed.turn} className="@3xl:hidden px-4 py-3" />
        )}
      </div>
      {opened && (
        <VoterDetails voter={opened} {...(signed && { signed: { mark: marks.get(opened.voterId) } })} onClose={close} />
      )}
    </div>
  );
}

function idsOf(voters: readonly Voter[]) {
  return voters.map(({ voterId }) => voterId);
}

function FirstStep() {
  return (
    <div className="flex max-w-2xl flex-col gap-2 p-4 leading-6">
      <h2 className="font-semibold text-lg">Start with a name</h2>
      <p className="text-muted-foreground">
        Three letters of the last name are often enough. Add a first name, a house number or a zip to tell namesakes
        apart: “ada smith 98030”, or “smith, ada” as lists have it.
      </p>
    </div>
  );
}

function Skeleton() {
  return (
    <div aria-hidden className="appear-late">
      {["w-2/5", "w-1/2", "w-1/3", "w-2/5", "w-1/2", "w-1/3"].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <div key={index} className="flex h-14 @3xl:h-9 items-center border-b px-4">
          <div className={cn("h-3 rounded-md bg-muted", width)} />
        </div>
      ))}
    </div>
  );
}
