import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { countUnsentLines } from "@/lib/signatures/queue/entry-store";

/**
 * Asks before a form signs out while lines of this person haven't been sent from this device. Call `holdBack` as the form is
 * submitted: true when `question` was asked instead, which submits the form again once it is answered.
 */
export function useUnsentQuestion(userId: string): {
  holdBack: (event: FormEvent<HTMLFormElement>) => boolean;
  question: ReactNode;
} {
  const { count } = useFormat();
  const isAnswered = useRef(false);
  const [asked, setAsked] = useState<(ReturnType<typeof countUnsentLines> & { form: HTMLFormElement }) | null>(null);

  const holdBack = (event: FormEvent<HTMLFormElement>) => {
    const { saved, unsaved } = countUnsentLines(userId);
    if (isAnswered.current || saved + unsaved === 0) return false;
    event.preventDefault();
    setAsked({ saved, unsaved, form: event.currentTarget });
    return true;
  };
  // Outside of menus and of the phone's sidebar, which close as it opens.
  const question =
    asked &&
    createPortal(
      <Dialog title="Sign out with unsent lines?" onClose={() => setAsked(null)}>
        {(close) => (
          <>
            <DialogBody>
              {asked.saved > 0 && (
                <p>
                  {count(asked.saved, "line hasn't been sent. It stays", "lines haven't been sent. They stay")} in this
                  browser until you sign in here again and open data entry.
                </p>
              )}
              {asked.unsaved > 0 && (
                <p>{count(asked.unsaved, "line", "lines")} couldn't be saved in this browser and will be lost.</p>
              )}
            </DialogBody>
            <DialogFooter>
              <Button variant="outline" onClick={close} data-first>
                Stay signed in
              </Button>
              <Button
                variant={asked.unsaved > 0 ? "danger" : "default"}
                onClick={() => {
                  close();
                  isAnswered.current = true;
                  asked.form.requestSubmit();
                  isAnswered.current = false;
                }}
              >
                {asked.unsaved > 0 ? `Sign out and lose ${count(asked.unsaved, "line", "lines")}` : "Sign out"}
              </Button>
            </DialogFooter>
          </>
        )}
      </Dialog>,
      document.body,
    );
  return { holdBack, question };
}
