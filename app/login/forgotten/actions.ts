"use server";

import { z } from "zod";
import { sendRecovery } from "@/lib/auth/links";
import { nextPath } from "@/lib/auth/next-path";
import { emailSchema } from "@/lib/auth/person-schema";
import { formAction } from "@/lib/forms/form-action";

/** Sends a reset link if the email has an account. The response is the same if it doesn't. */
export const requestPasswordReset = formAction({
  guard: "everyone",
  schema: z.object({ email: emailSchema, next: z.string().default("/") }),
  keepOnError: ["email"],
  run: async ({ email, next }) => {
    await sendRecovery({ email, next: nextPath(next) });
    return {
      message: `If ${email} has an account, we've sent a link that works for one hour. No email after a minute? Check your spam folder, then send it again.`,
    };
  },
});
