import type { Voter } from "@/lib/voters/read-hit";
import { matchText } from "@/lib/voters/voter-text";

/** Why a voter is among the similar ones; nothing for the others. */
export function MatchBadge({ voter }: { voter: Voter }) {
  if (!voter.match) return null;
  return (
    <span className="inline-flex h-5 shrink-0 items-center whitespace-nowrap rounded-md border px-1.5 font-medium text-muted-foreground text-xs">
      {matchText(voter)}
    </span>
  );
}
