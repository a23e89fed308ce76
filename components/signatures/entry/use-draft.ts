import { useEffect, useEffectEvent, useState } from "react";
import { useThrow } from "@/components/forms/use-throw";
import { readFragment } from "@/components/voters/saved-search";
import { putBackText } from "@/lib/signatures/entry/entered-line";
import { type EntryForm, emptyForm, hasNames } from "@/lib/signatures/entry/entry-form";
import type { LastPlace } from "@/lib/signatures/outbox/read-saved";
import { saveDraft } from "@/lib/signatures/outbox/store";

/**
 * Restores the draft of this tab once and saves the form from then on. `restored` is null until it is read; it has where the
 * clerk was last on this device.
 */
export function useDraft(name: string, form: EntryForm, onRestored: (form: EntryForm) => void) {
  const [restored, setRestored] = useState<{ last: LastPlace | null } | null>(null);
  const fail = useThrow();
  const reportRestored = useEffectEvent(onRestored);
  useEffect(() => {
    let isUnmounted = false;
    const restore = async () => {
      const { readDraft } = await import("@/lib/signatures/outbox/read-saved");
      if (isUnmounted) return;
      const { draft, last } = readDraft(name);
      const message = draft?.resumeAt ? { text: putBackText(draft) } : null;
      reportRestored(withPassedVoter({ ...emptyForm, ...draft, message }));
      setRestored({ last });
    };
    restore().catch(fail); // without the draft there is no form that could overwrite it
    return () => {
      isUnmounted = true;
    };
  }, [name, fail]);
  useEffect(() => {
    if (restored) saveDraft(name, { ...form, fields: { ...form.fields, ...form.leftOut } });
  }, [name, restored, form]);
  return { restored, forgetLast: () => setRestored({ last: null }) };
}

/** Fills in the voter whose panel led here, unless a line is in the form. */
function withPassedVoter(form: EntryForm): EntryForm {
  const passed = readFragment(location.hash);
  if (!passed) return form;
  history.replaceState(null, "", location.pathname);
  if (!hasNames(form)) return { ...form, fields: passed.fields };
  return { ...form, message: { text: "Enter this line first, or clear it.", wrong: true } };
}
