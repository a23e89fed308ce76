import { type RefObject, useEffect, useState } from "react";
import { emptyDraft, keepDraft } from "@/components/signatures/entry-draft";
import type { EntryDraft } from "@/components/signatures/read-draft";
import type { VoterSource } from "@/components/voters/ask-for-voters";
import { useVoterSearch } from "@/components/voters/use-voter-search";
import { fieldNames, noTexts, type VoterField, type VoterTexts } from "@/components/voters/voter-query";

/** What stands on the paper around a line. */
export type Paper = Omit<EntryDraft, "texts">;

/** The fields that are new with each line; the others stay. */
export const lineFields = ["lastName", "firstName", "houseNumber"] as const satisfies VoterField[];

const order = { column: "lastName", descending: false } as const;

// The places that stay narrow a search; alone they are none, or Enter would accept whoever comes first.
const searched = (texts: VoterTexts) => (lineFields.some((field) => texts[field].trim() !== "") ? texts : noTexts);

/**
 * What stands in the form, kept in this tab under `name`, and the search that follows it. `ready` says that what was kept
 * has been read. The fields in `area` are read once more: something may have been typed before the page came alive.
 */
export function useDraft(name: string, source: VoterSource, area: RefObject<HTMLElement | null>) {
  const [draft, setDraft] = useState(emptyDraft);
  const [ready, setReady] = useState(false);
  const { ask, found, waiting } = useVoterSearch(source);
  const { texts, ...paper } = draft;

  useEffect(() => {
    let left = false;
    const restore = async () => {
      const { readDraft } = await import("@/components/signatures/read-draft");
      if (left) return;
      const kept = readDraft(name) ?? emptyDraft;
      const typed = { ...kept.texts };
      for (const input of area.current?.querySelectorAll<HTMLInputElement>("input[data-field]") ?? []) {
        const field = fieldNames.find((one) => one === input.dataset.field);
        if (field && input.value !== "") typed[field] = input.value;
      }
      setDraft({ ...kept, texts: typed });
      ask({ texts: searched(typed), order, from: 0 });
      setReady(true);
    };
    void restore();
    return () => {
      left = true;
    };
  }, [name, area, ask]);

  useEffect(() => {
    if (ready) keepDraft(name, draft);
  }, [name, ready, draft]);

  /** Changes texts or paper; the search follows at once, or after a pause when it was typed. */
  const change = (
    { texts: changed, ...rest }: Partial<Paper> & { texts?: Partial<VoterTexts> },
    { typed = false } = {},
  ) => {
    const next = { ...texts, ...changed };
    setDraft((before) => ({ ...before, ...rest, texts: { ...before.texts, ...changed } }));
    if (changed) ask({ texts: searched(next), order, from: 0 }, { typed });
  };
  const searchNow = () => ask({ texts: searched(texts), order, from: 0 });

  return { ready, texts, paper, change, searchNow, found, searching: waiting };
}
