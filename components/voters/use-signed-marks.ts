import { useMemo } from "react";
import { useQuery } from "@/components/shell/use-query";
import { callApi, unwrapBody } from "@/lib/http/call-api";
import { voterIdPattern } from "@/lib/patterns";
import type { SignedLookup, SignedMark, SignedMarks } from "@/lib/signatures/signed-mark";

const timeoutMs = 5_000;

/** The beginning of the query keys of marks: invalidating it asks again. */
export const signedKey = ["signed"];

/**
 * Which of the voters have signed, and then, for people who may see it, when and where. If a check fails, the mark is
 * "unchecked", never "not signed". Without a check nothing is asked.
 */
export function useSignedMarks(check: SignedLookup | null, voterIds: string[]): SignedMarks {
  const campaignId = check?.campaign;
  const team = check?.detailsTeamId ?? null;
  const known = voterIds.filter((id) => voterIdPattern.test(id)); // no other id can have been stored

  const { data: response, isError: isUnknown } = useQuery({
    queryKey: [...signedKey, campaignId, known],
    queryFn: ({ signal }) =>
      unwrapBody(
        callApi("/api/duplicate/batch", {
          body: { campaignId, voterIds: known },
          schema: async () => (await import("@/lib/signers/responses")).duplicateResponseSchema,
          signal,
          timeoutMs,
        }),
      ),
    enabled: check !== null && known.length > 0,
  });
  const exists = response?.exists;
  // The database decides if the fast check fails or says yes, which may be outdated.
  const doubtful = isUnknown ? known : known.filter((id) => exists?.get(id));
  const details = useQuery({
    queryKey: [...signedKey, campaignId, team, doubtful],
    queryFn: ({ signal }) =>
      unwrapBody(
        callApi("/api/signatures/signed", {
          body: { team, campaign: campaignId, voterIds: doubtful },
          schema: async () => (await import("@/lib/signatures/responses")).signedResponseSchema,
          signal,
          timeoutMs,
        }),
      ),
    enabled: team !== null && doubtful.length > 0,
  });

  const isChecked = check !== null && (exists !== undefined || isUnknown || known.length === 0);
  const ids = JSON.stringify(voterIds);
  const signed = details.data?.signed;
  const isWithoutDetails = details.isError;
  return useMemo(() => {
    const isDetailed = team !== null && !isWithoutDetails;
    const markOf = (id: string): SignedMark | null => {
      const has = isUnknown ? undefined : exists?.get(id);
      if (has === false) return { state: "not-signed" };
      if (!voterIdPattern.test(id) || (!has && !isDetailed)) return { state: "unchecked" };
      const at = signed?.get(id) ?? null;
      if (isDetailed && signed) return at ? { state: "signed", at } : { state: "not-signed" };
      if (!has) return null;
      return isDetailed ? { state: "signed", at, isLoading: true } : { state: "signed", at };
    };
    const marked: string[] = isChecked ? JSON.parse(ids) : [];
    const marks = new Map<string, SignedMark>();
    for (const id of marked) {
      const mark = markOf(id);
      if (mark) marks.set(id, mark);
    }
    return marks;
  }, [ids, isChecked, team, exists, isUnknown, signed, isWithoutDetails]);
}
