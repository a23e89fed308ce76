import type { ReactNode } from "react";
import { TableCell } from "@/components/ui/table";
import { Highlight } from "@/components/voters/highlight";
import { MatchBadge } from "@/components/voters/match-badge";
import { SignedBadge } from "@/components/voters/signed-badge";
import type { SignedMark } from "@/lib/signatures/signed-mark";
import { cn } from "@/lib/utils";
import type { Voter } from "@/lib/voters/read-hit";
import type { VoterTexts } from "@/lib/voters/voter-query";
import { firstNames, streetAndUnit } from "@/lib/voters/voter-text";

/** A voter in a row: all that tells namesakes apart, with what was searched for marked. */
export function VoterRow({
  id,
  voter,
  texts,
  active,
  signed,
  onOpen,
}: {
  id: string;
  voter: Voter;
  texts: VoterTexts;
  /** The one that Enter opens. */
  active: boolean;
  /** Where it is asked who has signed: what is known of her. */
  signed?: { mark: SignedMark | undefined };
  onOpen: () => void;
}) {
  const isSwapped = voter.match === "swapped";
  const isOfPlace = voter.match?.startsWith("another ");
  const lastName = <Highlight text={voter.lastName ?? ""} query={isSwapped ? texts.firstName : texts.lastName} />;
  const firstName = <Highlight text={firstNames(voter)} query={isSwapped ? texts.lastName : texts.firstName} />;
  const houseNumber = <Highlight text={voter.houseNumber ?? ""} query={texts.houseNumber} />;
  const city = <Highlight text={voter.city ?? ""} query={texts.city} />;
  const zip = <Highlight text={voter.zip ?? ""} query={texts.zip} />;
  const county = <Highlight text={voter.county ?? ""} query={texts.county} />;
  const street = <Highlight text={streetAndUnit(voter)} query={texts.street} />;

  return (
    <tr
      id={id}
      aria-selected={active}
      className="relative @3xl:h-9 scroll-mt-[calc(5.5rem+var(--bar-height,8rem))] scroll-mb-4 border-b pointer-fine:aria-selected:bg-muted pointer-fine:aria-selected:shadow-[inset_2px_0_0_var(--primary)] last:border-b-0 hover:bg-muted/60 pointer-coarse:h-11"
    >
      <td className="@3xl:hidden px-4 py-2">
        <div className="flex items-start justify-between gap-2">
          <p className="wrap-anywhere min-w-0">
            <OpenButton onOpen={onOpen}>
              {lastName}
              {voter.lastName && firstNames(voter) && ", "}
              {firstName}
              {!voter.lastName && !firstNames(voter) && "Name not given"}
            </OpenButton>
            {voter.match && " "}
            <MatchBadge voter={voter} />
          </p>
          {signed && (
            <div className="flex h-5 w-26 shrink-0 items-center justify-end">
              <SignedBadge {...signed} />
            </div>
          )}
        </div>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          {houseNumber} {street}
          {(voter.houseNumber || streetAndUnit(voter)) && (voter.city || voter.zip) && ", "}
          {city} {zip}
          {voter.county && <> · {county}</>}
        </p>
      </td>
      <Cell title={voter.lastName} className="pl-4">
        <span className="flex min-w-0 items-center justify-between gap-2">
          <OpenButton onOpen={onOpen}>{voter.lastName ? lastName : "not given"}</OpenButton>
          {!isOfPlace && <MatchBadge voter={voter} />}
        </span>
      </Cell>
      <Cell title={firstNames(voter)}>{firstName}</Cell>
      <Cell title={voter.houseNumber} className="text-right">
        {houseNumber}
      </Cell>
      <Cell title={streetAndUnit(voter)}>
        <span className="flex min-w-0 items-center justify-between gap-2">
          <span className="truncate">{street}</span>
          {isOfPlace && <MatchBadge voter={voter} />}
        </span>
      </Cell>
      <Cell title={voter.city}>{city}</Cell>
      <Cell title={voter.zip}>{zip}</Cell>
      {/* The street tells namesakes apart: where both do not fit, the county gives way. */}
      <Cell title={voter.county} className={signed && "@max-5xl:hidden"}>
        {county}
      </Cell>
      {signed && (
        <Cell title={undefined}>
          <SignedBadge {...signed} />
        </Cell>
      )}
    </tr>
  );
}

function Cell({
  className,
  title,
  children,
}: {
  className?: string | undefined;
  title: string | undefined;
  children: ReactNode;
}) {
  return (
    <TableCell title={title} className={cn("@max-3xl:hidden truncate py-0", className)}>
      {children}
    </TableCell>
  );
}

/** Opens the voter from anywhere in her row. Keys reach it through the fields, which keep the focus. */
function OpenButton({ onOpen, children }: { onOpen: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={onOpen}
      className="max-w-full cursor-pointer truncate text-left align-middle font-medium after:absolute after:inset-0 @max-3xl:whitespace-normal"
    >
      {children}
    </button>
  );
}
