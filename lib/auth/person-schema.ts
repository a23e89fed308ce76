import { z } from "zod";
import { storableText } from "@/lib/storable";

// Line breaks, other control characters, and marks that change the direction of text: a name with them would look like
// something else in a list or log. `private.plain_name` removes the same from sign-ups.
const invisible = /[\p{Cc}\u{2028}\u{2029}\p{Bidi_Control}]/u;

/** The name of a person: one line without invisible characters. */
export const personNameSchema = storableText
  .trim()
  .min(1, "Enter a name")
  .max(120, "must have at most 120 characters")
  .refine((name) => !invisible.test(name), "has a line break or an invisible character. Type it again");

/** The email address of an account. */
export const emailSchema = z
  .string()
  .trim()
  .min(1, "Enter your email")
  .pipe(z.email("Enter an email like ada@example.org").max(254, "is too long"));
