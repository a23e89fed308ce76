import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { useQuery } from "@/components/shell/use-query";
import { pagesAround } from "@/components/voters/count-text";
import { readFragment } from "@/components/voters/saved-search";
import { useTypedSearch } from "@/components/voters/use-typed-search";
import { findVoterById, type VoterSource } from "@/components/voters/use-voter-search";
import type { Voter } from "@/lib/voters/read-hit";
import type { Reading } from "@/lib/voters/read-names";
import { fieldsCookie, type VoterField } from "@/lib/voters/voter-query";

/** The id of a row, by its place on the page. */
export const rowId = (gridId: string, index: number) => `${gridId}-${index}`;

export type VoterScreen = ReturnType<typeof useVoterScreen>;

const isTouch = () => window.matchMedia("(pointer: coarse)").matches;

/**
 * The state of the voters page: its search, the active and the open voter, and its keys. The focus stays in the fields:
 * arrows move through the voters, and Enter opens one.
 */
export function useVoterScreen(source: VoterSource, storageKey: string, fieldsShown: boolean) {
  const gridId = useId();
  const area = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const lastName = useRef<HTMLInputElement>(null);
  const usedField = useRef<HTMLInputElement>(null);
  const [showsFields, setShowsFields] = useState(fieldsShown);
  const isClosing = useRef(false);
  const search = useTypedSearch(source, storageKey, area);
  const { openId, setOpenId } = search;
  const [seen] = useState(() => new Map<string, Voter>()); // can be opened again by Back
  const { data: opened = null } = useQuery({
    queryKey: ["voter", openId],
    queryFn: ({ signal }) => findVoterById(source, openId, signal),
    initialData: seen.get(openId),
    enabled: openId !== "",
    staleTime: "static",
  });
  const open = (voter: Voter | undefined) => {
    if (!voter) return;
    seen.set(voter.voterId, voter);
    search.pushOpen(voter.voterId); // Back then closes the panel, or opens the previous voter
  };
  const { found, page, isSearching, failure, nearMatches } = search;
  const voters = [...(page?.voters ?? []), ...nearMatches.voters];
  const around = failure ? null : found && page && pagesAround(found.query, page);

  // New results start at their first voter.
  const [moved, setMoved] = useState<{ id: number; to: number } | null>(null);
  const active = moved !== null && moved.id === found?.id ? moved.to : 0;
  const scrollTo = (index: number) => {
    document.getElementById(rowId(gridId, index))?.scrollIntoView({ block: "nearest" }); // newer browsers return a promise
  };
  const move = (to: number) => {
    const next = Math.max(0, Math.min(voters.length - 1, to));
    if (found) setMoved({ id: found.id, to: next });
    scrollTo(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: on each response
  useEffect(() => scrollTo(0), [found?.id]);

  useEffect(() => {
    const follow = () => {
      const openId = readFragment(location.hash)?.openId ?? "";
      if (openId === "") isClosing.current = false;
      if (isClosing.current)
        history.back(); // until the list
      else setOpenId(openId);
    };
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, [setOpenId]);
  useEffect(() => {
    if (!isTouch() && document.activeElement === document.body) box.current?.focus();
  }, []);
  // The head of the table and the rows stay below the bar, however high its fields make it.
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      area.current?.style.setProperty("--bar-height", `${entry?.borderBoxSize[0]?.blockSize}px`),
    );
    if (bar.current) observer.observe(bar.current);
    return () => observer.disconnect();
  }, []);

  const toggleFields = useCallback(
    ({ byKey = false } = {}) => {
      flushSync(() => setShowsFields(!showsFields));
      // biome-ignore lint/suspicious/noDocumentCookie: the server renders by it, and not all browsers have CookieStore
      document.cookie = `${fieldsCookie}=1; path=/; samesite=lax; max-age=${showsFields ? 0 : 31_536_000}`;
      if (byKey) (showsFields ? box : lastName).current?.focus();
    },
    [showsFields],
  );
  useScreenKeys(
    useMemo(
      () => [
        {
          key: "/",
          does: "Go to the search box",
          run: () => {
            box.current?.focus();
            box.current?.select();
          },
        },
        { key: "F2", does: "Show or hide the separate fields", run: () => toggleFields({ byKey: true }) },
        { key: "↑ ↓", does: "Move through the voters, even while one is open" },
        { key: "Enter", does: "Open the voter" },
        { key: "Page Down", does: "Next page" },
        { key: "Page Up", does: "Previous page" },
        { key: "Esc", does: "Clear all but city and county; press again to undo" },
      ],
      [toggleFields],
    ),
  );

  const clear = () => {
    search.clear();
    box.current?.focus();
  };
  const enter = () => {
    if (isTouch())
      usedField.current?.blur(); // hides the keyboard, which leaves room for the voters
    else if (isSearching || failure)
      search.again(); // the voters on screen don't match the typed text yet
    else open(voters[active]);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    usedField.current = event.currentTarget;
    const acts: Record<string, () => void> = {
      ArrowDown: () => (around?.after && active === voters.length - 1 ? search.turnPage(1) : move(active + 1)),
      ArrowUp: () => move(active - 1),
      PageDown: () => search.turnPage(1),
      PageUp: () => search.turnPage(-1),
      Enter: enter,
      Escape: clear,
      F2: () => toggleFields({ byKey: true }),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  return {
    gridId,
    refs: { area, bar, box, lastName },
    search,
    voters,
    around,
    active,
    opened,
    showsFields,
    listbox: voters.length > 0 ? { id: gridId, activeId: rowId(gridId, active) } : null,
    actions: {
      onKeyDown,
      toggleFields,
      clear,
      leaveOut: (field: VoterField) => {
        search.leaveOut(field);
        if (!isTouch()) box.current?.focus();
      },
      readAs: (reading: Reading) => {
        search.readAs(reading);
        if (!isTouch()) box.current?.focus();
      },
      open: (index: number) => isSearching || open(voters[index]), // until the response arrives, the rows belong to an earlier text
      openVoter: open,
      /** Opens the voter after or before the open one. */
      openNext: (by: 1 | -1) => {
        const at = voters.findIndex(({ voterId }) => voterId === openId);
        const next = at === -1 ? undefined : voters[at + by];
        if (!next) return;
        move(at + by);
        seen.set(next.voterId, next);
        setOpenId(next.voterId);
      },
      close: () => {
        flushSync(() => setOpenId(""));
        isClosing.current = true;
        history.back();
        if (!isTouch()) (usedField.current ?? box.current)?.focus();
      },
    },
  };
}
