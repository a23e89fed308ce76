import { type KeyboardEvent, useId, useRef, useState } from "react";
import { HitList, hitId } from "@/components/signatures/entry/hit-list";
import { SearchFailed } from "@/components/voters/search-states";
import { useSignedMarks } from "@/components/voters/use-signed-marks";
import { useNearMatches, useVoterSearch, type VoterSource } from "@/components/voters/use-voter-search";
import { SearchInput } from "@/components/voters/voter-input";
import type { CampaignOfTeam } from "@/lib/ids";
import { storedVoter } from "@/lib/signatures/entry/entered-line";
import { listedVoters } from "@/lib/signatures/entry/marked-voter";
import type { Voter } from "@/lib/voters/read-hit";
import { readSearchText } from "@/lib/voters/read-search-text";
import { emptyFields } from "@/lib/voters/voter-query";
import { firstPage, listName } from "@/lib/voters/voter-text";

/** Finds a voter, shows who has signed, and fills in the fields of the form around it that are stored of one. */
export function VoterLookup({ source, place }: { source: VoterSource; place: CampaignOfTeam }) {
  const [text, setText] = useState("");
  const [marked, setMarked] = useState(0);
  const [picked, setPicked] = useState<Voter | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const listId = useId();
  const { ask, found, page, failure, isSearching } = useVoterSearch(source);
  const similar = useNearMatches(source, found, isSearching).voters;
  const voters = page?.voters ?? [];
  const marks = useSignedMarks(
    { campaign: place.campaign, detailsTeamId: place.team },
    [...voters, ...similar].map(({ voterId }) => voterId),
  );
  const context = { voters, similar, marks };
  const all = isSearching ? [] : listedVoters(context);

  const search = (typed: string) => {
    setText(typed);
    setMarked(0);
    const readings = readSearchText(typed, source.extraParams).map(({ fields }) => ({ ...emptyFields, ...fields }));
    const [fields = emptyFields, ...others] = readings;
    ask(firstPage(fields), { typed: true, others: () => others });
  };
  const pick = (voter: Voter | undefined) => {
    if (!voter) return;
    const fields = box.current?.closest("form")?.elements;
    for (const [name, value] of Object.entries(storedVoter(voter))) {
      const field = fields?.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value ?? "";
    }
    setPicked(voter);
    search("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (by === 0 && event.key !== "Enter") return;
    event.preventDefault(); // Enter doesn't send the form
    if (by === 0) pick(all[marked]);
    else setMarked(Math.min(Math.max(marked + by, 0), Math.max(all.length - 1, 0)));
  };
  return (
    <div ref={box} className="@container flex flex-col gap-1">
      <SearchInput
        label="Find the voter"
        popup="listbox"
        listbox={all.length > 0 ? { id: listId, activeId: hitId(listId, marked) } : null}
        value={text}
        maxLength={100}
        clear={false}
        onText={search}
        onKeyDown={onKeyDown}
      />
      {failure && !isSearching ? (
        <SearchFailed failure={failure} onRetry={() => search(text)} />
      ) : all.length > 0 ? (
        <div className="max-h-57 overflow-y-auto border-y">
          <HitList
            entry={{ context, listId, marked, dispatch: ({ index }) => pick(all[index]) }}
            fields={found?.query.fields ?? emptyFields}
          />
        </div>
      ) : (
        found && !isSearching && <p className="text-sm">No voters match. Try fewer words, or another spelling.</p>
      )}
      <p role="status" className="text-muted-foreground text-sm empty:hidden">
        {text === "" && picked && `Filled in ${listName(picked)}. Check the status, then correct the line.`}
      </p>
    </div>
  );
}
