"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { useThrow } from "@/components/ui/use-throw";
import type { Draft } from "@/lib/charts/builder/draft";

/** A draft, and the version of the stored chart that it began with. */
type Kept = { version: number | null; draft: Draft };

const longest = 64 * 1024; // characters, as many as can be saved

/**
 * Keeps what is not saved in this tab, under a name: whoever comes back finds it again, by `onRestore`. With nothing to keep,
 * what was kept is forgotten. What is typed before it `isRead` would be overwritten. Throws into the page where it cannot be read.
 */
export function useKeptDraft(name: string, unsaved: Kept | null, onRestore: (kept: Kept) => void) {
  const [isRead, setRead] = useState(false);
  const fail = useThrow();
  const restore = useEffectEvent(onRestore);
  const text = unsaved && JSON.stringify(unsaved);

  useEffect(() => {
    readKept(name)
      .then((found) => {
        if (found) restore(found);
        setRead(true);
      })
      .catch(fail); // without what was kept there is no form, so that it is not overwritten
  }, [name, fail]);
  useEffect(() => {
    if (isRead) keep(name, text);
  }, [isRead, name, text]);

  return { forget: () => keep(name, null), isRead };
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
  const text = keptText(name);
  if (text === null) return null;
  const { keptDraftSchema } = await import("@/lib/charts/builder/stored-draft");
  try {
    return keptDraftSchema.parse(JSON.parse(text));
  } catch {
    return null; // another version of Signet kept it otherwise
  }
}

function keptText(name: string) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null; // switched off
  }
}
