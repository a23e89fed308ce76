import { askSignet } from "@/lib/http/ask-signet";
import type { SignedCheck, SignedMark, SignedMarks } from "@/lib/signatures/signed-mark";
import { voterIdPattern } from "@/lib/voter-id-pattern";

const longest = 5_000; // ms

/**
 * Asks which voters have signed, and for those who may see it, when and where. `show` is called as soon as it is known
 * who has, and again with the details. What could not be asked is "unchecked", never "not signed". It never throws.
 */
export async function askForMarks(
  { campaign, detailsFor }: SignedCheck,
  voterIds: string[],
  { show, signal }: { show: (marks: SignedMarks) => void; signal: AbortSignal },
): Promise<void> {
  const known = voterIds.filter((id) => voterIdPattern.test(id));
  const marks = new Map<string, SignedMark>(voterIds.map((id) => [id, { state: "unchecked" }]));
  if (known.length === 0) return show(marks); // what cannot have been stored cannot be asked for
  const fast = await askSignet("/api/duplicate/batch", {
    body: { campaignId: campaign, voterIds: known },
    schema: async () => (await import("@/lib/signers/answers")).existsAnswer,
    ...{ signal, longest },
  });
  const exists = "body" in fast ? fast.body.exists : null;
  const signed = exists && known.filter((id) => exists.get(id));
  for (const id of known) {
    const state = exists?.get(id);
    if (state === true) marks.set(id, { state: "signed", at: null });
    if (state === false) marks.set(id, { state: "not-signed" });
  }
  if (exists || !detailsFor) {
    const isAsked = ([id, mark]: [string, SignedMark]): [string, SignedMark] =>
      mark.state === "signed" && detailsFor ? [id, { ...mark, asking: true }] : [id, mark];
    show(new Map([...marks].map(isAsked)));
  }
  if (!detailsFor || signed?.length === 0) return;

  // The database is the last word: where the fast check has no answer, or an old one, it decides.
  const asked = signed ?? known;
  const details = await askSignet("/api/signatures/signed", {
    body: { team: detailsFor, campaign, voterIds: asked },
    schema: async () => (await import("@/lib/signatures/answers")).signedAnswer,
    ...{ signal, longest },
  });
  if ("body" in details) {
    for (const id of asked) {
      const at = details.body.signed.get(id);
      marks.set(id, at ? { state: "signed", at } : { state: "not-signed" });
    }
  }
  show(marks);
}
