import type { ReadEntry } from "@/lib/activity/reads";

const windowMs = 60_000;

/** A read, with the searches that the same person made in the minute before it. */
export type FoldedRead = ReadEntry & { earlier: ReadEntry[] };

/**
 * Folds searches while typing: each person's searches within a minute before their last one go with that one, whatever
 * others read between them. Files stay alone. Newest first, as given.
 */
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
