import type { EntryDraft } from "@/components/signatures/read-draft";
import { noTexts } from "@/components/voters/voter-query";

export const emptyDraft: EntryDraft = { texts: noTexts, signedOn: "", sheet: null, line: 1 };

/** Keeps the draft in this tab. Where the browser keeps nothing, it lasts as long as the page. */
export function keepDraft(name: string, draft: EntryDraft) {
  try {
    sessionStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // Storage is switched off or full.
  }
}
