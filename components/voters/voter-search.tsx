"use client";

import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { Kbd } from "@/components/ui/kbd";
import type { VoterSource } from "@/components/voters/ask-for-voters";
import { countText, pagesAround, spokenCount } from "@/components/voters/count-text";
import { keepPlaces, readKeptPlaces } from "@/components/voters/kept-places";
import { NoVoter } from "@/components/voters/no-voter";
import { Pager } from "@/components/voters/pager";
import { SearchFailed } from "@/components/voters/search-failed";
import { SearchProgress } from "@/components/voters/search-progress";
import { useSignedMarks } from "@/components/voters/use-signed-marks";
import { useVoterSearch } from "@/components/voters/use-voter-search";
import { VoterDetails } from "@/components/voters/voter-details";
import { VoterFields } from "@/components/voters/voter-fields";
import { rowId, VoterTable } from "@/components/voters/voter-table";
import type { SignedCheck } from "@/lib/signatures/signed-mark";
import { cn } from "@/lib/utils";
import type { Voter } from "@/lib/voters/read-hit";
import {
  fieldNames,
  filledFields,
  noTexts,
  pageSize,
  reachable,
  type VoterField,
  type VoterOrder,
  type VoterTexts,
} from "@/lib/voters/voter-query";

const isTouch = () => window.matchMedia("(pointer: coarse)").matches;

/**
 * Finds voters while one types. The focus stays in the fields: arrows move through the voters, Enter opens one. City and
 * county are kept on the device under `keptAs`; nothing else of a search is kept or put into the address. With `signed`,
 * each voter shows whether she has signed the campaign already.
 */
export function VoterSearch({ source, keptAs, signed }: { source: VoterSource; keptAs: string; signed?: SignedCheck }) {
  const format = useFormat();
  const gridId = useId();
  const area = useRef<HTMLDivElement>(null);
  const lastName = useRef<HTMLInputElement>(null);
  const usedField = useRef<HTMLInputElement>(null);
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState<Voter | null>(null);
  const { query, ask, found, waiting } = useVoterSearch(source);

  const failure = found && "error" in found.answer ? found.answer : null;
  const page = found && "body" in found.answer ? found.answer.body : null;
  const voters = page?.voters ?? [];
  const around = found && page && pagesAround(found.query, page);
  const marks = useSignedMarks(
    signed ?? null,
    voters.map(({ voterId }) => voterId),
  );

  useEffect(() => {
    // What was typed before the page came alive stands in the fields alone.
    const typed = { ...noTexts, ...readKeptPlaces(keptAs) };
    for (const input of area.current?.querySelectorAll<HTMLInputElement>("input[data-field]") ?? []) {
      const field = fieldNames.find((name) => name === input.dataset.field);
      if (field && input.value !== "") typed[field] = input.value;
    }
    ask({ texts: typed, order: { column: "lastName", descending: false }, from: 0 });
    if (!isTouch() && document.activeElement === document.body) lastName.current?.focus();
  }, [ask, keptAs]);

  // Each answer begins at its first voter.
  // biome-ignore lint/correctness/useExhaustiveDependencies: on each answer
  useEffect(() => {
    setActive(0);
    document.getElementById(rowId(gridId, 0))?.scrollIntoView({ block: "nearest" });
  }, [found?.answer, gridId]);

  useScreenKeys(
    useMemo(
      () => [
        {
          key: "/",
          does: "Go to the last name",
          run: () => {
            lastName.current?.focus();
            lastName.current?.select();
          },
        },
        { key: "↑ ↓", does: "Move through the voters" },
        { key: "Enter", does: "Open the voter" },
        { key: "Page Down", does: "Next page" },
        { key: "Page Up", does: "Previous page" },
        { key: "Esc", does: "Clear all but city and county" },
      ],
      [],
    ),
  );

  const setTexts = (texts: VoterTexts) => {
    ask({ ...query, texts, from: 0 }, { typed: true });
    keepPlaces(keptAs, texts);
  };
  const setText = (field: VoterField, text: string) => setTexts({ ...query.texts, [field]: text });
  const setOrder = (order: VoterOrder) => ask({ ...query, order, from: 0 });
  const turn = (by: 1 | -1) => {
    if (!waiting && around?.[by === 1 ? "after" : "before"]) ask({ ...query, from: query.from + by * pageSize });
  };
  const move = (to: number) => {
    const next = Math.max(0, Math.min(voters.length - 1, to));
    setActive(next);
    document.getElementById(rowId(gridId, next))?.scrollIntoView({ block: "nearest" });
  };
  const clear = () => {
    setTexts({ ...noTexts, city: query.texts.city, county: query.texts.county });
    lastName.current?.focus();
  };
  const enter = () => {
    if (isTouch())
      usedField.current?.blur(); // the keyboard makes room for the voters
    else if (waiting)
      ask(query); // what is shown is not what was typed yet
    else setOpened(voters[active] ?? null);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    usedField.current = event.currentTarget;
    const acts: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      PageDown: () => turn(1),
      PageUp: () => turn(-1),
      Enter: enter,
      Escape: clear,
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  const close = () => {
    setOpened(null);
    if (!isTouch()) (usedField.current ?? lastName.current)?.focus();
  };

  return (
    <div ref={area} className="@container flex flex-col">
      <div className="border-b bg-background md:sticky md:top-12 md:z-[5] md:pointer-coarse:top-14">
        <div className="px-4 pt-3 pb-2 md:px-6">
          <VoterFields
            ref={lastName}
            texts={query.texts}
            order={query.order}
            listbox={voters.length > 0 ? { id: gridId, activeId: rowId(gridId, active) } : null}
            onText={setText}
            onOrder={setOrder}
            onKeyDown={onKeyDown}
          />
        </div>
        <div className="flex @3xl:h-10 h-8 items-center gap-3 px-4 pb-1 @3xl:pointer-coarse:h-13 md:px-6">
          {found && page && page.totalHits > 0 && (
            <p className="font-medium text-sm">{countText(found.query, page, format)}</p>
          )}
          {waiting && <SearchProgress />}
          {voters.length > 0 && (
            <p
              aria-hidden
              className="@max-3xl:hidden ml-auto flex items-center gap-1.5 text-muted-foreground text-xs pointer-coarse:hidden"
            >
              <Kbd>↑</Kbd>
              <Kbd>↓</Kbd> move <Kbd>⏎</Kbd> open
            </p>
          )}
          {around && (around.before || around.after) && (
            <Pager {...around} onTurn={turn} className="@max-3xl:hidden pointer-coarse:ml-auto" />
          )}
        </div>
      </div>
      <p role="status" className="sr-only">
        {found && page && !waiting && spokenCount(found.query, page, format)}
      </p>
      <div className="min-h-112 md:px-2">
        <div role="alert">
          {failure && !waiting && <SearchFailed failure={failure} onRetry={() => ask({ ...query })} />}
        </div>
        {found && voters.length > 0 && (
          <div aria-busy={waiting} className={cn("transition-opacity duration-100", waiting && "opacity-60 delay-300")}>
            <VoterTable
              id={gridId}
              voters={voters}
              query={found.query}
              order={query.order}
              active={active}
              {...(signed && { marks })}
              onOrder={setOrder}
              onOpen={(index) => setOpened(voters[index] ?? null)}
            />
          </div>
        )}
        {waiting && voters.length === 0 && <Skeleton />}
        {!waiting && !found && filledFields(query.texts).length === 0 && <FirstStep />}
        {!waiting && found && page?.totalHits === 0 && (
          <NoVoter texts={found.query.texts} onLeaveOut={(field) => setText(field, "")} />
        )}
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
          <Pager {...around} wide onTurn={turn} className="@3xl:hidden px-4 py-3" />
        )}
      </div>
      {opened && (
        <VoterDetails voter={opened} {...(signed && { signed: { mark: marks.get(opened.voterId) } })} onClose={close} />
      )}
    </div>
  );
}

function FirstStep() {
  return (
    <div className="flex max-w-2xl flex-col gap-2 p-4 leading-6">
      <h2 className="font-semibold text-lg">Start with the last name</h2>
      <p className="text-muted-foreground">
        Three letters are often enough. Add the first letter of the first name or the house number to tell namesakes
        apart. City and county stay filled in from one search to the next.
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
