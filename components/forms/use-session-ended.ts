import { useEffect } from "react";
import type { FormState } from "@/lib/forms/form-state";
import { reportIfSessionEnded } from "@/lib/forms/session-ended";

/** Offers to sign in again here when an action found that the session has ended. Use it for each form's state. */
export function useSessionEnded(state: FormState<unknown>) {
  useEffect(() => reportIfSessionEnded(state), [state]);
}
