import { useEffect, useState } from "react";
import { askForMarks } from "@/components/voters/ask-for-marks";
import type { SignedCheck, SignedMarks } from "@/lib/signatures/signed-mark";

const none: SignedMarks = new Map();

/**
 * Who of the voters has signed already; asked anew for each page of voters, and when `askedAgain` changes. Marks of the page before
 * are gone at once. Without a check nothing is asked.
 */
export function useSignedMarks(check: SignedCheck | null, voterIds: string[], askedAgain = 0): SignedMarks {
  const [found, setFound] = useState<{ ids: string; marks: SignedMarks }>({ ids: "", marks: none });
  const ids = JSON.stringify(voterIds);
  const campaign = check?.campaign ?? null;
  const detailsFor = check?.detailsFor ?? null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: askedAgain asks again
  useEffect(() => {
    const asked: string[] = JSON.parse(ids);
    if (campaign === null || asked.length === 0) return;
    const asking = new AbortController();
    const show = (marks: SignedMarks) => {
      if (!asking.signal.aborted) setFound({ ids, marks });
    };
    void askForMarks({ campaign, detailsFor }, asked, { show, signal: asking.signal });
    return () => asking.abort();
  }, [campaign, detailsFor, ids, askedAgain]);

  return found.ids === ids ? found.marks : none;
}
