import { z } from "zod";
import { storableText } from "@/lib/storable";

/** The name by which others know somebody. */
export const personNameSchema = storableText.trim().min(1, "is needed").max(120, "must have at most 120 characters");

/** The e-mail address of an account. */
export const emailSchema = z
  .string()
  .trim()
  .pipe(z.email("must be one, such as ada@example.org").max(254, "is too long"));
