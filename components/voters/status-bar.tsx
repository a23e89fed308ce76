import { Shuffle } from "lucide-react";
import { useFormat } from "@/components/shell/format-provider";
import { Pager } from "@/components/shell/pager";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { countText } from "@/components/voters/count-text";
import { SearchProgress } from "@/components/voters/search-states";
import type { VoterScreen } from "@/components/voters/use-voter-screen";
import { VoterChips } from "@/components/voters/voter-fields";
import { pageSize } from "@/lib/voters/voter-query";

/** How the box was read, the number of voters, and the pager. */
export function StatusBar({ screen, isLooking }: { screen: VoterScreen; isLooking: boolean }) {
  const { search, voters, around, showsFields, actions } = screen;
  const { found, page, reading, isAmbiguous, isOnlyReading } = search;
  const format = useFormat();
  return (
    <div className="flex @3xl:flex-row flex-col @3xl:items-center @3xl:gap-3 px-4 py-1 md:px-6 pointer-coarse:pt-2">
      <div className="flex h-9 min-w-0 flex-1 items-center gap-1.5 overflow-x-auto pointer-coarse:h-12">
        {!showsFields && <VoterChips texts={search.texts} onLeaveOut={actions.leaveOut} />}
        {isOnlyReading && (
          <p role="status" className="text-muted-foreground text-sm">
            No other reading finds anyone.
          </p>
        )}
        {isAmbiguous && !isOnlyReading && (
          <Button variant="ghost" className="h-7 px-2 text-muted-foreground" onClick={actions.tryAnotherReading}>
            <Shuffle aria-hidden className="size-3.5!" />
            Try another reading
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
          <Pager
            {...around}
            page={`${pageSize} voters`}
            hasKeys
            onTurn={search.turnPage}
            className="@max-3xl:hidden pointer-coarse:ml-auto"
          />
        )}
      </div>
    </div>
  );
}
