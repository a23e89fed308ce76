import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import { Highlight, SignedBadge } from "@/components/voters/voter-badges";
import type { EntryContext } from "@/lib/signatures/entry/entry-form";
import { type SignedMark, signedAtText } from "@/lib/signatures/signed-mark";
import { cn } from "@/lib/utils";
import type { Voter } from "@/lib/voters/read-hit";
import type { SearchFields } from "@/lib/voters/voter-query";
import { cityAndZip, firstNames, matchText, streetAndUnit } from "@/lib/voters/voter-text";

/** The id of a hit, by its position in the list. */
export const hitId = (listId: string, index: number) => `${listId}-${index}`;

/** The voters found and, below them, near matches with the reason. Keys act on the marked one. */
export function HitList({
  entry: { context, dispatch, listId: id, marked },
  fields,
}: {
  entry: {
    /** Without marks it isn't shown who has signed. */
    context: Pick<EntryContext, "voters" | "similar"> & Partial<Pick<EntryContext, "marks">>;
    dispatch: (event: { type: "mark"; index: number }) => void;
    listId: string;
    marked: number | null;
  };
  /** What was searched for. */
  fields: SearchFields;
}) {
  const { voters, similar, marks } = context;
  const hitAt = (voter: Voter, index: number) => (
    <Hit
      // A voter file can contain an id twice.
      key={`${voter.voterId} ${index}`}
      id={hitId(id, index)}
      voter={voter}
      fields={fields}
      mark={marks ? marks.get(voter.voterId) : null}
      isMarked={index === marked}
      onMark={() => dispatch({ type: "mark", index })}
    />
  );
  return (
    <div id={id} role="listbox" aria-label="Voters found" className="h-full overflow-y-auto">
      {voters.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div role="group" aria-label="Exact">
          {voters.map(hitAt)}
        </div>
      )}
      {similar.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div role="group" aria-labelledby={`${id}-similar`}>
          <p
            id={`${id}-similar`}
            className="flex h-9 items-center border-b bg-muted/40 px-4 text-muted-foreground text-sm md:px-6"
          >
            {voters.length === 0 ? "No exact match. Near matches:" : "Near matches"}
          </p>
          {similar.map((voter, index) => hitAt(voter, voters.length + index))}
        </div>
      )}
    </div>
  );
}

function Hit({
  id,
  voter,
  fields,
  mark,
  isMarked,
  onMark,
}: {
  id: string;
  voter: Voter;
  fields: SearchFields;
  mark: SignedMark | undefined | null;
  isMarked: boolean;
  onMark: () => void;
}) {
  const format = useFormat();
  const reason = voter.match && matchText(voter);
  const [last, first] =
    voter.match === "swapped" ? [fields.firstName, fields.lastName] : [fields.lastName, fields.firstName];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys act in the fields
    // biome-ignore lint/a11y/useFocusableInteractive: the fields have the focus
    <div
      id={id}
      role="option"
      aria-selected={isMarked}
      onMouseDown={(event) => event.preventDefault()} // the focus stays in the field
      onClick={onMark}
      className={cn(
        "grid min-h-14 cursor-default grid-cols-[minmax(0,1fr)_7rem] content-center items-baseline gap-x-4 border-b px-4 py-1.5 last:border-b-0 hover:bg-muted/60 md:px-6",
        "@3xl:min-h-9 @3xl:grid-cols-[minmax(0,4fr)_minmax(0,7fr)_minmax(0,7fr)]",
        "aria-selected:bg-muted aria-selected:shadow-[inset_2px_0_0_var(--primary)]",
      )}
    >
      <span className="wrap-anywhere font-medium">
        <Highlight text={voter.lastName ?? ""} query={last} />
        {voter.lastName && firstNames(voter) && ", "}
        <Highlight text={firstNames(voter)} query={first} />
        {!voter.lastName && !firstNames(voter) && "Name not given"}
      </span>
      <span className="@max-3xl:order-last @max-3xl:col-span-full wrap-anywhere flex flex-wrap items-baseline gap-x-3 @max-3xl:text-muted-foreground @max-3xl:text-sm">
        <span>
          {reason && <span className="@3xl:hidden">{reason} · </span>}
          <Highlight text={voter.houseNumber ?? ""} query={fields.houseNumber} />{" "}
          {[streetAndUnit(voter), cityAndZip(voter)].filter(Boolean).join(", ")}
        </span>
        {/* In these namesakes differ. */}
        <span className="text-muted-foreground text-sm">
          {voter.birthYear && `born ${voter.birthYear} · `}
          {voter.voterId}
        </span>
      </span>
      <span className="flex min-w-0 items-baseline @3xl:justify-between justify-end gap-x-2">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          {mark !== null && <SignedBadge mark={mark} />}
          {mark?.state === "signed" && mark.at && (
            <span className="@max-3xl:sr-only text-sm">{signedAtText(mark.at, format)}</span>
          )}
        </span>
        {reason && <Badge className="@max-3xl:hidden before:hidden">{reason}</Badge>}
      </span>
    </div>
  );
}
