import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import type { UnsentLines } from "@/lib/signatures/outbox/store";

// Loaded when someone signs out: this component is on every page.
const loadStore = () => import("@/lib/signatures/outbox/store");

/**
 * Asks before a form signs out while lines of this person haven't been sent from this device. Call `interceptSubmit` as the
 * form is submitted: true while it looks and asks; it submits the form again when nothing is unsent or the person confirms.
 */
export function useUnsentQuestion(userId: string): {
  interceptSubmit: (event: FormEvent<HTMLFormElement>) => boolean;
  question: ReactNode;
} {
  const isAnswered = useRef(false);
  const [pending, setPending] = useState<{ lines: UnsentLines; form: HTMLFormElement } | null>(null);

  const submit = (form: HTMLFormElement) => {
    isAnswered.current = true;
    form.requestSubmit();
    isAnswered.current = false;
  };
  const checkUnsentLines = async (form: HTMLFormElement) => {
    // If the store's code doesn't load, this page has no open lines, and saved ones stay in the browser.
    const lines = await loadStore().then(
      ({ countUnsentLines }) => countUnsentLines(userId),
      () => null,
    );
    if (lines && lines.saved + lines.unsaved > 0) setPending({ lines, form });
    else submit(form);
  };
  const interceptSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (isAnswered.current) return false;
    event.preventDefault();
    void checkUnsentLines(event.currentTarget);
    return true;
  };
  const question = pending && (
    <UnsentDialog lines={pending.lines} onSignOut={() => submit(pending.form)} onClose={() => setPending(null)} />
  );
  return { interceptSubmit, question };
}

type Props = { lines: UnsentLines; onSignOut: () => void; onClose: () => void };

function UnsentDialog({ lines: { saved, unsaved }, onSignOut, onClose }: Props) {
  const { count } = useFormat();
  return (
    <Dialog title="Sign out with unsent lines?" onClose={onClose}>
      <DialogBody>
        {saved > 0 && (
          <p>
            {count(saved, "line hasn't been sent. It stays", "lines haven't been sent. They stay")} in this browser
            until you sign in here again and open data entry.
          </p>
        )}
        {unsaved > 0 && <p>{count(unsaved, "line", "lines")} couldn't be saved in this browser and will be lost.</p>}
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" onClick={onClose} data-first>
          Stay signed in
        </Button>
        <Button
          variant={unsaved > 0 ? "danger" : "default"}
          onClick={() => {
            onClose();
            onSignOut();
          }}
        >
          {unsaved > 0 ? `Sign out and lose ${count(unsaved, "line", "lines")}` : "Sign out"}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
