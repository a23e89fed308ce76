import { z } from "zod";
import { storableText } from "@/lib/storable";

// Line breaks and other control characters, and the marks that turn the direction of what follows: a name with them would
// look as something else in a list or a log. `private.plain_name` takes the same out of what came with a sign-up.
const unseen = /[\p{Cc}\u{2028}\u{2029}\p{Bidi_Control}]/u;

/** The name by which others know somebody: one line, which reads as it is written. */
export const personNameSchema = storableText
  .trim()
  .min(1, "is needed")
  .max(120, "must have at most 120 characters")
  .refine((name) => !unseen.test(name), "has a line break, or a mark that cannot be seen. Type it again.");

/** The e-mail address of an account. */
export const emailSchema = z
  .string()
  .trim()
  .pipe(z.email("must be one, such as ada@example.org").max(254, "is too long"));
