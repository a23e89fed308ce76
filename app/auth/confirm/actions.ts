"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { choosePassword, newPasswordSchema } from "@/lib/auth/account";
import { getSignIn } from "@/lib/auth/get-session";
import { confirmLink, emailLinkSchema, passwordLinkSchema } from "@/lib/auth/links";
import { nextPath } from "@/lib/auth/next-path";
import { AppError } from "@/lib/errors";
import { formAction } from "@/lib/forms/form-action";
import { tryRefreshPermissions } from "@/lib/permissions/invalidate";

const next = z.string().default("/");

/** Uses up the link of an e-mail, which signs in, and goes to `next`. */
export const submitLink = formAction({
  guard: "everyone",
  schema: emailLinkSchema.extend({ next }),
  run: async ({ next, ...sent }) => {
    if (await confirmLink(sent)) redirect(nextPath(next));
    return { message: "Confirmed. Now open the e-mail that went to the other address, and confirm it there too." };
  },
});

/** Uses up a link with which a password is chosen, keeps that, ends all other sessions, and goes to `next`. */
export const submitNewPassword = formAction({
  guard: "everyone",
  schema: passwordLinkSchema.extend({ next, password: newPasswordSchema }),
  run: async ({ next, password, ...sent }) => {
    // Without a session of this link's the cookies are of whoever is signed in here.
    if (!(await confirmLink(sent))) throw new AppError("conflict", "This link signs nobody in. Ask for a new one.");
    await choosePassword(password).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, `${error.message} The link is used up: ask for a new one.`, { cause: error });
    });
    const signIn = await getSignIn(); // half of one where a code is still to be shown
    if (signIn) await tryRefreshPermissions(signIn.session.userId);
    redirect(nextPath(next));
  },
});
