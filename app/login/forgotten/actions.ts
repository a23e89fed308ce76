"use server";

import { z } from "zod";
import { sendRecovery } from "@/lib/auth/links";
import { nextPath } from "@/lib/auth/next-path";
import { emailSchema } from "@/lib/auth/person-schema";
import { formAction } from "@/lib/forms/form-action";

/** Has a link to choose a new password sent to an address that has an account. Says the same for any other. */
export const submitForgotten = formAction({
  guard: "everyone",
  schema: z.object({ email: emailSchema, next: z.string().default("/") }),
  keep: ["email"],
  run: async ({ email, next }) => {
    await sendRecovery({ email, next: nextPath(next) });
    return {
      message: `If ${email} has an account, a link went there by e-mail, which works for an hour. When none comes, look among what was sorted out as spam, and ask again after a minute.`,
    };
  },
});
