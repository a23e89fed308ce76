"use client";

import { useEffect, useEffectEvent, useState } from "react";
import type { Draft } from "@/lib/charts/builder-draft";

/** A draft, and the version of the stored chart that it began with. */
type Kept = { version: number | null; draft: Draft };

const longest = 64 * 1024; // characters, as many as can be saved

/**
 * Keeps what is not saved in this tab, under a name: whoever comes back finds it again, by `onRestore`. With nothing to keep,
 * what was kept is forgotten.
 */
export function useKeptDraft(name: string, unsaved: Kept | null, onRestore: (kept: Kept) => void) {
  const [isRead, setRead] = useState(false);
  const restore = useEffectEvent(onRestore);
  const text = unsaved && JSON.stringify(unsaved);

  useEffect(() => {
    void readKept(name).then((found) => {
      if (found) restore(found);
      setRead(true);
    });
  }, [name]);
  useEffect(() => {
    if (isRead) keep(name, text);
  }, [isRead, name, text]);

  return { forget: () => keep(name, null) };
}

function keep(name: string, text: string | null) {
  try {
    if (text && text.length <= longest) sessionStorage.setItem(name, text);
    else sessionStorage.removeItem(name);
  } catch {
    // Storage is switched off or full: a draft lasts as long as the page.
  }
}

async function readKept(name: string): Promise<Kept | null> {
  try {
    const text = sessionStorage.getItem(name);
    if (text === null) return null;
    const { keptDraftSchema } = await import("@/lib/charts/draft-schema");
    return keptDraftSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
