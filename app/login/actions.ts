"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { getSignIn } from "@/lib/auth/get-session";
import { nextPath } from "@/lib/auth/next-path";
import { secondFactorCode, showSecondFactor } from "@/lib/auth/second-factor";
import { signIn } from "@/lib/auth/sign-in";
import { signOut } from "@/lib/auth/sign-out";
import { AppError } from "@/lib/errors";
import { formAction } from "@/lib/forms/form-action";
import { tryRefreshPermissions } from "@/lib/permissions/invalidate";

const credentials = z.object({
  email: z.string().trim().pipe(z.email("Write an e-mail address, such as ada@example.org.")),
  password: z.string().min(1, "Write your password."),
  next: z.string().default("/"),
});

/** Signs in and goes to `next`, or says why not. */
export const submitSignIn = formAction({
  guard: "everyone",
  schema: credentials,
  keep: ["email"],
  run: async ({ email, password, next }) => {
    await signIn({ email, password });
    redirect(nextPath(next));
  },
});

/** Signs in where the page stays as it is, and tells who it is now. */
export const submitSignInAgain = formAction({
  guard: "everyone",
  schema: credentials,
  keep: ["email"],
  run: async ({ email, password }) => ({ message: "You are signed in.", data: await signIn({ email, password }) }),
});

/** Shows the second factor that half a sign-in lacks; goes to `next`, or where that is not given tells who it is now. */
export const submitCode = formAction({
  guard: "everyone",
  schema: secondFactorCode.extend({ next: z.string().optional() }),
  run: async ({ code, next }) => {
    const signedIn = await getSignIn();
    if (!signedIn) throw new AppError("unauthenticated", "Your sign-in has ended. Load this page anew.");
    if (signedIn.isHalf) await showSecondFactor(signedIn.session, code);
    if (next !== undefined) redirect(nextPath(next));
    return { message: "You are signed in.", data: { userId: signedIn.session.userId } };
  },
});

/** Signs out and goes to the sign-in page. */
export const submitSignOut = formAction({
  guard: "everyone",
  schema: z.object({}),
  run: async () => {
    const signIn = await getSignIn().catch(() => null); // asked first: the session is nobody's then
    await signOut();
    if (signIn) await tryRefreshPermissions(signIn.session.userId);
    redirect("/login");
  },
});
