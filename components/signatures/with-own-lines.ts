import type { ShownLine } from "@/components/signatures/shown-lines";
import type { SignedMarks } from "@/components/voters/signed-mark";

/** What the server tells of signatures, with the lines of this clerk that it may not know yet. */
export function withOwnLines(served: SignedMarks, lines: readonly ShownLine[]): SignedMarks {
  const marks = new Map(served);
  for (const { voterId, signature, state, at, ...place } of lines.toReversed()) {
    if (voterId === null || !signature) continue;
    const [sheet, line] = [place.sheet ?? undefined, place.line ?? undefined];
    if (state === "accepted" || state === "sending" || state === "waiting") {
      marks.set(voterId, { state: "signed", at: { ownTeam: true, enteredAt: at, enteredBy: "you", sheet, line } });
    }
    const known = marks.get(voterId);
    const same = known?.state === "signed" && known.at?.ownTeam && known.at.sheet === sheet && known.at.line === line;
    if (state === "undone" && same) marks.set(voterId, { state: "not-signed" });
  }
  return marks;
}
