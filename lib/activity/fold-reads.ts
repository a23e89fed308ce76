import type { ReadEntry } from "@/lib/activity/reads";

const windowMs = 60_000;

/** A read with the searches that the same person made in the minute before. */
type FoldedRead = ReadEntry & { earlier: ReadEntry[] };

/** Groups searches made while typing: each person's searches of a minute go with the last of them. Newest first. */
export function foldReads(reads: ReadEntry[]): FoldedRead[] {
  const folded: FoldedRead[] = [];
  const lastSearch = new Map<string, FoldedRead>();
  for (const read of reads) {
    const last = read.kind === "search" ? lastSearch.get(read.actorId) : undefined;
    if (last && Date.parse(last.at) - Date.parse(read.at) <= windowMs) {
      last.earlier.push(read);
      continue;
    }
    const own = { ...read, earlier: [] };
    folded.push(own);
    if (read.kind === "search") lastSearch.set(read.actorId, own);
  }
  return folded;
}
