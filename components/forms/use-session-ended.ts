import { useEffect } from "react";
import type { FormState } from "@/lib/forms/form-state";
import { reportIfSessionEnded } from "@/lib/forms/session-ended";

/** Offers to sign in on the spot when an action answered that the session has ended. Use it for each form's state. */
export function useSessionEnded(state: FormState<unknown>) {
  useEffect(() => reportIfSessionEnded(state), [state]);
}
