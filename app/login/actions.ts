"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { pageAfterSignIn } from "@/app/only-team";
import { recordSignIn } from "@/lib/activity/sign-ins";
import { getSignIn } from "@/lib/auth/get-session";
import { nextPath } from "@/lib/auth/next-path";
import { emailSchema } from "@/lib/auth/person-schema";
import { secondFactorCode, verifySecondFactor } from "@/lib/auth/second-factor";
import { signIn } from "@/lib/auth/sign-in";
import { signOut } from "@/lib/auth/sign-out";
import { AppError } from "@/lib/errors";
import { formAction } from "@/lib/forms/form-action";
import { tryRefreshPermissions } from "@/lib/permissions/invalidate";

const credentials = z.object({
  email: emailSchema,
  password: z.string().min(1, "Enter your password"),
  next: z.string().default("/"),
});

/** Signs in and goes to `next`. */
export const startSession = formAction({
  guard: "everyone",
  schema: credentials,
  keepOnError: ["email"],
  run: async ({ email, password, next }) => {
    await signIn({ email, password });
    await recordSignIn();
    redirect(await pageAfterSignIn(next));
  },
});

/** Signs in without leaving the page, and returns who signed in. */
export const renewSession = formAction({
  guard: "everyone",
  schema: credentials,
  keepOnError: ["email"],
  run: async ({ email, password }) => {
    const { userId, state } = await signIn({ email, password });
    await recordSignIn();
    return { message: "You're signed in.", data: { userId, needsCode: state === "needs-code" } };
  },
});

/** Completes a sign-in with the second factor; goes to `next`, or returns who is signed in. */
export const verifyCode = formAction({
  guard: "everyone",
  schema: secondFactorCode.extend({ next: z.string().optional() }),
  run: async ({ code, next }) => {
    const signedIn = await getSignIn();
    if (!signedIn) throw new AppError("unauthenticated", "Your sign-in has expired. Reload this page.");
    if (signedIn.needsCode) await verifySecondFactor(signedIn.session, code);
    await recordSignIn(signedIn.session);
    if (next !== undefined) redirect(await pageAfterSignIn(next));
    return { message: "You're signed in.", data: { userId: signedIn.session.userId } };
  },
});

/** Signs out and goes to `next`. */
export const endSession = formAction({
  guard: "everyone",
  schema: z.object({ next: z.string().default("/login") }),
  run: async ({ next }) => {
    const signIn = await getSignIn().catch(() => null); // before the session is gone
    await signOut();
    if (signIn) await tryRefreshPermissions(signIn.session.userId);
    redirect(nextPath(next));
  },
});
