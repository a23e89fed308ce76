"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { recordSignIn } from "@/lib/activity/sign-ins";
import { choosePassword, newPasswordSchema } from "@/lib/auth/account";
import { getSignIn } from "@/lib/auth/get-session";
import { confirmLink, emailLinkSchema, linkOver, passwordLinkSchema } from "@/lib/auth/links";
import { nextPath } from "@/lib/auth/next-path";
import { AppError } from "@/lib/errors";
import { formAction } from "@/lib/forms/form-action";
import { tryRefreshPermissions } from "@/lib/permissions/invalidate";

const next = z.string().default("/");

/** Signs in with an email link, which then stops working, and goes to `next`. */
export const confirmEmailLink = formAction({
  guard: "everyone",
  schema: emailLinkSchema.extend({ next }),
  run: async ({ next, ...sent }) => {
    if (await confirmLink(sent)) {
      await recordSignIn();
      redirect(nextPath(next));
    }
    return { message: "Confirmed. Now open the email we sent to your other address, and confirm there too." };
  },
});

/** Saves a password with an email link, which then stops working, and ends all other sessions. A new account goes to `next`. */
export const resetPassword = formAction({
  guard: "everyone",
  schema: passwordLinkSchema.extend({ next, password: newPasswordSchema }),
  run: async ({ next, password, ...sent }) => {
    // If the link gave no session, the cookies belong to another person who is signed in here.
    if (!(await confirmLink(sent))) throw linkOver(sent, "This link can't sign you in.");
    await choosePassword(password).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw linkOver(sent, `${error.message} This link can't be used again.`, error);
    });
    const signIn = await getSignIn(); // incomplete while a code is still needed
    if (signIn) await tryRefreshPermissions(signIn.session.userId);
    await recordSignIn();
    if (sent.type === "signup") redirect(nextPath(next));
    return { message: "Password saved. You're signed out everywhere else." };
  },
});
