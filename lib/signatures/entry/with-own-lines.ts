import type { OwnLine } from "@/lib/signatures/entry/own-lines";
import type { SignedMarks } from "@/lib/signatures/signed-mark";

/** What the server tells of signatures, with the lines of this clerk that it may not know yet. */
export function withOwnLines(
  served: SignedMarks,
  { standing, undone }: { standing: readonly OwnLine[]; undone: readonly OwnLine[] },
): SignedMarks {
  const marks = new Map(served);
  for (const { voterId, sheet, line } of undone) {
    const mark = voterId === null ? undefined : marks.get(voterId);
    const isThere = mark?.state === "signed" && mark.at?.ownTeam && mark.at.sheet === sheet && mark.at.line === line;
    if (voterId !== null && isThere) marks.set(voterId, { state: "not-signed" });
  }
  for (const { voterId, verdict, at: enteredAt, ...place } of standing) {
    if (voterId === null || verdict !== "accepted") continue;
    const [sheet, line] = [place.sheet ?? undefined, place.line ?? undefined];
    marks.set(voterId, { state: "signed", at: { ownTeam: true, enteredAt, enteredBy: "you", sheet, line } });
  }
  return marks;
}
