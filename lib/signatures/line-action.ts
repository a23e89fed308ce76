import "server-only";
import type { z } from "zod";
import type { ErrorCode } from "@/lib/errors";
import { type FormAction, formAction } from "@/lib/forms/form-action";

const final: ReadonlySet<ErrorCode> = new Set(["invalid", "forbidden", "not-found", "conflict"]);

/**
 * A server action of the entry screen. After an error `data.outcome` says to the queue whether the same form can succeed
 * later: `refused`, never to be sent again, or `later`.
 */
export function lineAction<Schema extends z.ZodObject, Access, Result>(action: FormAction<Schema, Access, Result>) {
  return formAction({ ...action, onError: (code) => ({ outcome: final.has(code) ? "refused" : "later" }) });
}
