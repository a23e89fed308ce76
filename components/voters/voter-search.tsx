"use client";

import { SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { Pager } from "@/components/shell/pager";
import { Button } from "@/components/ui/button";
import { screenReaderCount, unsortedText } from "@/components/voters/count-text";
import { FirstStep, LastSearchNote, NoVoter, SearchFailed, Skeleton } from "@/components/voters/search-states";
import { StatusBar } from "@/components/voters/status-bar";
import { useSignedMarks } from "@/components/voters/use-signed-marks";
import { useVoterScreen, type VoterScreen } from "@/components/voters/use-voter-screen";
import type { VoterSource } from "@/components/voters/use-voter-search";
import { VoterDetails } from "@/components/voters/voter-details";
import { VoterBox, VoterFields } from "@/components/voters/voter-fields";
import { VoterTable } from "@/components/voters/voter-table";
import type { SignedLookupWithEntry, SignedMarks } from "@/lib/signatures/signed-mark";
import { cn } from "@/lib/utils";
import type { Voter } from "@/lib/voters/read-hit";
import { filledFields, maxHits, pageSize } from "@/lib/voters/voter-query";

const idsOf = (voters: readonly Voter[]) => voters.map(({ voterId }) => voterId);

type Props = {
  source: VoterSource;
  storageKey: string;
  /** Whether this device shows the separate fields. */
  fieldsShown: boolean;
  signedMarks?: SignedLookupWithEntry;
  /** Shown next to the box. */
  aside?: ReactNode;
};

/**
 * Finds voters as someone types into the one box, or into separate fields. City and county are saved on the device under
 * `storageKey`; the search is only in the address's fragment. With `signedMarks`, each voter shows whether they have already
 * signed.
 */
export function VoterSearch({ source, storageKey, fieldsShown, signedMarks = undefined, aside }: Props) {
  const screen = useVoterScreen(source, storageKey, fieldsShown);
  const { refs, search, opened, actions } = screen;
  const allMarks = new Map([
    ...useSignedMarks(signedMarks ?? null, idsOf(search.page?.voters ?? [])),
    ...useSignedMarks(signedMarks ?? null, idsOf(search.nearMatches.voters)),
  ]);
  const marks = signedMarks ? allMarks : null;
  const isLooking = search.isSearching || (search.nearMatches.isSearching && screen.voters.length === 0);
  return (
    <div ref={refs.area} className="@container flex flex-col">
      <div
        ref={refs.bar}
        className="border-b bg-background max-md:contents md:sticky md:top-12 md:z-[5] md:pointer-coarse:top-14"
      >
        <Inputs screen={screen} extraParams={source.extraParams} aside={aside} />
        <StatusBar screen={screen} isLooking={isLooking} />
      </div>
      <Results screen={screen} isLooking={isLooking} marks={marks} />
      {opened && (
        <VoterDetails
          key={opened.voterId} // so that its focus and text start over
          voter={opened}
          source={source}
          signed={signedMarks ?? null}
          onOpen={actions.openVoter}
          onNext={actions.openNext}
          onClose={actions.close}
        />
      )}
    </div>
  );
}

type InputsProps = { screen: VoterScreen; extraParams: VoterSource["extraParams"]; aside: ReactNode };

function Inputs({ screen, extraParams, aside }: InputsProps) {
  const { gridId, showsFields, actions } = screen;
  return (
    <search
      aria-label="Voters"
      className={cn(
        "flex flex-col gap-2 bg-background px-4 pt-3 max-md:pb-2 md:px-6",
        !showsFields && "max-md:sticky max-md:top-12 max-md:z-[5] max-md:pointer-coarse:top-14",
      )}
    >
      <div className="flex flex-wrap items-end gap-2">
        <VoterBox screen={screen} extraParams={extraParams} />
        <Button
          variant="ghost"
          aria-expanded={showsFields}
          aria-controls={`${gridId}-fields`}
          title={showsFields ? "Hide the separate fields (F2)" : "Show the separate fields (F2)"}
          className="px-2 text-muted-foreground pointer-coarse:min-w-11"
          onClick={() => actions.toggleFields()}
        >
          <SlidersHorizontal aria-hidden />
          <span className="@max-3xl:sr-only">{showsFields ? "Fewer fields" : "More fields"}</span>
        </Button>
        {aside && <div className={cn("@max-3xl:w-full @3xl:w-52", !showsFields && "@max-3xl:hidden")}>{aside}</div>}
      </div>
      <div id={`${gridId}-fields`} hidden={!showsFields}>
        {showsFields && <VoterFields screen={screen} extraParams={extraParams} />}
      </div>
    </search>
  );
}

const cutShort = { error: "The search took too long to try every meaning of this text.", retryAfterSeconds: null };

type ResultsProps = { screen: VoterScreen; isLooking: boolean; marks: SignedMarks | null };

function Results({ screen, isLooking, marks }: ResultsProps) {
  const { search, voters, around, actions } = screen;
  const { query, found, page, failure, isSearching, nearMatches } = search;
  const format = useFormat();
  const unsorted = found && page && unsortedText(found.query, page, format);
  const isOld = isSearching || failure !== null; // the voters aren't those of the text
  const isNoOne = !isLooking && !failure && page?.totalHits === 0 && voters.length === 0;
  const problem = failure ?? (found?.isPartial && !isLooking ? cutShort : null);
  return (
    <>
      <p role="status" className="sr-only">
        {!isLooking && !problem && found && page && screenReaderCount(found.query, page, format)}
        {!isLooking &&
          !problem &&
          nearMatches.voters.length > 0 &&
          ` · ${format.count(nearMatches.voters.length, "near match", "near matches")}`}
      </p>
      <div className="min-h-112 md:px-2">
        <div role="alert">{problem && !isSearching && <SearchFailed failure={problem} onRetry={search.again} />}</div>
        {unsorted && <p className="px-4 py-2 text-sm text-warning">{unsorted}</p>}
        {found && voters.length > 0 && (
          <div
            aria-busy={isSearching}
            className={cn("transition-opacity duration-100", isSearching && "opacity-50 delay-300")}
          >
            {isOld && <LastSearchNote key={search.requestId} isFailed={!isSearching} isSame={search.isSame} />}
            <VoterTable
              screen={screen}
              fields={found.query.fields}
              order={page?.voters.length === 0 || unsorted ? null : query.order}
              marks={marks}
            />
          </div>
        )}
        {isLooking && voters.length === 0 && <Skeleton />}
        {!isSearching && !found && filledFields(query.fields).length === 0 && (
          <FirstStep unsearchable={search.isUnsearchable ? search.box : null} />
        )}
        {isNoOne && found && !problem && (
          <NoVoter fields={found.query.fields} tried={search.tried} onLeaveOut={actions.leaveOut} />
        )}
        {page && page.totalHits > 0 && page.hitsCount === 0 && !isOld && (
          <p className="p-4 text-muted-foreground">No more voters. Go back one page.</p>
        )}
        {page && page.unreadable > 0 && (
          <p className="p-4 text-muted-foreground">
            {format.count(page.unreadable, "result")} without a voter ID {page.unreadable === 1 ? "isn't" : "aren't"}{" "}
            shown.
          </p>
        )}
        {around?.atLimit && (
          <p className="p-4">
            Only the first {format.number(maxHits)} voters can be shown. Add a first name, house number, or ZIP code to
            narrow the search.
          </p>
        )}
        {around && (around.before || around.after) && (
          <Pager
            {...around}
            page={`${pageSize} voters`}
            hasKeys
            wide
            onTurn={search.turnPage}
            className="@3xl:hidden px-4 py-3"
          />
        )}
      </div>
    </>
  );
}
