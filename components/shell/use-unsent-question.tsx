import { type FormEvent, lazy, type ReactNode, Suspense, useRef, useState } from "react";
import type { UnsentLines } from "@/lib/signatures/outbox/store";

// On every page, so both come when somebody signs out.
const UnsentDialog = lazy(async () => ({ default: (await import("@/components/shell/unsent-dialog")).UnsentDialog }));
const loadStore = () => import("@/lib/signatures/outbox/store");

/**
 * Asks before a form signs out while lines of this person haven't been sent from this device. Call `holdBack` as the form is
 * submitted: true while it looks and asks; it submits the form again when nothing is unsent or the person confirms.
 */
export function useUnsentQuestion(userId: string): {
  holdBack: (event: FormEvent<HTMLFormElement>) => boolean;
  question: ReactNode;
} {
  const isAnswered = useRef(false);
  const [asked, setAsked] = useState<{ lines: UnsentLines; form: HTMLFormElement } | null>(null);

  const submit = (form: HTMLFormElement) => {
    isAnswered.current = true;
    form.requestSubmit();
    isAnswered.current = false;
  };
  const look = async (form: HTMLFormElement) => {
    // Without the code that stores lines, none are open on this page: what is saved stays in the browser.
    const lines = await loadStore().then(
      ({ countUnsentLines }) => countUnsentLines(userId),
      () => null,
    );
    if (lines && lines.saved + lines.unsaved > 0) setAsked({ lines, form });
    else submit(form);
  };
  const holdBack = (event: FormEvent<HTMLFormElement>) => {
    if (isAnswered.current) return false;
    event.preventDefault();
    void look(event.currentTarget);
    return true;
  };
  const question = asked && (
    <Suspense>
      <UnsentDialog lines={asked.lines} onSignOut={() => submit(asked.form)} onClose={() => setAsked(null)} />
    </Suspense>
  );
  return { holdBack, question };
}
