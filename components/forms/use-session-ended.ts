import { useLayoutEffect, useState } from "react";
import { type FormState, initialFormState } from "@/lib/forms/form-state";
import { onSessionRenewed, reportIfSessionEnded, sessionEnded } from "@/lib/forms/session-ended";

/**
 * Offers to sign in again here when an action found that the session has ended. Use it for each form's state, and show what it
 * returns: once signed in again, that error is gone.
 */
export function useSessionEnded<Result>(state: FormState<Result>): FormState<Result> {
  const [renewed, setRenewed] = useState<FormState<Result> | null>(null);
  // Before anyone can see the error, so that no renewal is missed.
  useLayoutEffect(() => {
    reportIfSessionEnded(state);
    return onSessionRenewed(() => setRenewed(state));
  }, [state]);
  return renewed === state && state.error === sessionEnded ? initialFormState : state;
}
