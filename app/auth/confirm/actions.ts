"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { changePassword, newPasswordSchema } from "@/lib/auth/change-password";
import { confirmLink, emailLinkSchema } from "@/lib/auth/confirm-link";
import { getSession } from "@/lib/auth/get-session";
import { nextPath } from "@/lib/auth/next-path";
import { AppError } from "@/lib/errors";
import { formAction } from "@/lib/forms/form-action";
import { refreshPermissions } from "@/lib/permissions/refresh-permissions";

const link = emailLinkSchema.extend({ next: z.string().default("/") });

/** Uses up the link of an e-mail, which signs in, and goes to `next`. */
export const submitLink = formAction({
  guard: "everyone",
  schema: link,
  run: async ({ next, ...sent }) => {
    if (await confirmLink(sent)) redirect(nextPath(next));
    return { message: "Confirmed. Now open the e-mail that went to the other address, and confirm it there too." };
  },
});

/** Uses up a link for a new password, keeps that, ends all other sessions, and goes to `next`. */
export const submitNewPassword = formAction({
  guard: "everyone",
  schema: link.extend({ password: newPasswordSchema }),
  run: async ({ next, password, ...sent }) => {
    await confirmLink(sent);
    await changePassword(password).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, `${error.message} The link is used up: ask for a new one.`, { cause: error });
    });
    const session = await getSession();
    if (session) await refreshPermissions(session.userId);
    redirect(nextPath(next));
  },
});
