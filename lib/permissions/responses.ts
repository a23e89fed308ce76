// zod/mini, because every open page loads it.
import * as z from "zod/mini";

/** A text that changes exactly when what the user may do at a place changes. */
export const fingerprintResponseSchema = z.object({ fingerprint: z.string() });
