import { useFormat } from "@/components/shell/format-provider";
import { Pager } from "@/components/shell/pager";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { countText } from "@/components/voters/count-text";
import { SearchProgress } from "@/components/voters/search-states";
import type { VoterScreen } from "@/components/voters/use-voter-screen";
import { VoterChips } from "@/components/voters/voter-fields";
import { cn } from "@/lib/utils";
import type { Reading } from "@/lib/voters/read-names";
import { fieldNames, pageSize, type SearchFields, voterFields } from "@/lib/voters/voter-query";

const maxReadings = 3;

/** How the search box was read, other readings, the number of voters, and the pager. */
export function StatusBar({ screen, isLooking }: { screen: VoterScreen; isLooking: boolean }) {
  const { search, voters, around, showsFields, actions } = screen;
  const { found, page, failure, chips, otherReadings } = search;
  const format = useFormat();
  return (
    <div className="flex @3xl:flex-row flex-col @3xl:items-center @3xl:gap-3 px-4 py-1 max-md:border-b md:px-6 pointer-coarse:pt-2">
      <div className="flex min-h-9 min-w-0 flex-1 flex-wrap items-center gap-x-1.5 gap-y-1 py-1 pointer-coarse:min-h-12">
        {!showsFields && <VoterChips fields={chips.fields} onLeaveOut={actions.leaveOut} />}
        {otherReadings.slice(0, maxReadings).map((other) => (
          <Button
            key={JSON.stringify(other.fields)}
            variant="outline"
            title="Search this way instead"
            className="h-7 max-w-full border-dashed px-2 font-normal text-muted-foreground pointer-coarse:h-10"
            onClick={() => actions.readAs(other)}
          >
            <span className="truncate">Or {readingText(other, chips.fields)}</span>
          </Button>
        ))}
      </div>
      <div className="flex @3xl:h-10 h-8 items-center gap-3 @3xl:pointer-coarse:h-13">
        {chips.unread !== "" && (
          <p className="min-w-0 @3xl:max-w-56 truncate text-sm text-warning" title={chips.unread}>
            {/^\d{4}$/.test(chips.unread) ? "Birth year not" : "Not"} searched: “{chips.unread}”
          </p>
        )}
        {isLooking && <SearchProgress key={search.requestId} />}
        {found && page && !failure && page.totalHits > 0 && (
          <p
            className={cn(
              "whitespace-nowrap font-medium text-sm transition-opacity duration-100",
              search.isSearching && "opacity-50 delay-300",
            )}
          >
            {countText(found.query, page, format)}
          </p>
        )}
        {voters.length > 0 && (
          <p
            aria-hidden
            className="@max-5xl:hidden flex items-center gap-1.5 whitespace-nowrap text-muted-foreground text-xs pointer-coarse:hidden"
          >
            <Kbd>↑</Kbd>
            <Kbd>↓</Kbd> select <Kbd>Enter</Kbd> open
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

/** What is different in another reading: `City: Auburn`. */
function readingText({ fields }: Reading, shown: SearchFields) {
  const changed = fieldNames.filter((field) => fields[field] && fields[field] !== shown[field]);
  const named = changed.length > 0 ? changed : fieldNames.filter((field) => fields[field]);
  return named.map((field) => `${voterFields[field]}: ${fields[field]}`).join(" · ");
}
