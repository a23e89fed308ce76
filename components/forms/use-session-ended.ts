import { useEffect } from "react";
import type { FormState } from "@/lib/forms/form-state";
import { tellIfSessionEnded } from "@/lib/forms/session-ended";

/** Offers to sign in on the spot when a form was answered that the session has ended. Use it for the state of each form. */
export function useSessionEnded(state: FormState<unknown>) {
  useEffect(() => tellIfSessionEnded(state), [state]);
}
