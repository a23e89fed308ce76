import { useEffect, useEffectEvent, useState } from "react";
import { useThrow } from "@/components/forms/use-throw";
import { readStored, writeStored } from "@/components/shell/storage";
import type { SavedDraft } from "@/lib/charts/builder/draft-schema";

const maxLength = 64 * 1024; // characters, as for a stored chart

/**
 * Saves an unsaved draft in this tab under a name, and passes a saved one to `onRestore`. Null removes it. Don't let
 * people type before `isRead`: that would overwrite the saved draft. Shows the error page if it can't be read.
 */
export function useSavedDraft(name: string, unsaved: SavedDraft | null, onRestore: (saved: SavedDraft) => void) {
  const [isRead, setRead] = useState(false);
  const fail = useThrow();
  const restore = useEffectEvent(onRestore);
  const text = unsaved && JSON.stringify(unsaved);
  const store = useEffectEvent(() =>
    writeStored("sessionStorage", name, text && text.length <= maxLength ? unsaved : null),
  );

  useEffect(() => {
    readDraft(name)
      .then((saved) => {
        if (saved) restore(saved);
        setRead(true);
      })
      .catch(fail); // an empty form would overwrite it
  }, [name, fail]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the draft has changed
  useEffect(() => {
    if (isRead) store();
  }, [isRead, name, text]);

  return { forget: () => writeStored("sessionStorage", name, null), isRead };
}

async function readDraft(name: string): Promise<SavedDraft | null> {
  const stored = readStored("sessionStorage", name);
  if (stored === null) return null;
  const { savedDraftSchema } = await import("@/lib/charts/builder/draft-schema");
  return savedDraftSchema.safeParse(stored).data ?? null; // null if another version of Signet saved it
}
