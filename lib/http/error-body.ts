import * as z from "zod/mini";

/** The body of a route's response when it refuses or fails. */
export const errorBody = z.object({
  /** A sentence that a person can act on. */
  error: z.string(),
  /** The status of a foreign backend (contract 2.4). */
  errorCode: z.optional(z.number()),
  /** The part of the request that it is about. */
  part: z.optional(z.string()),
});
export type ErrorBody = z.infer<typeof errorBody>;
