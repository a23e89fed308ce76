"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { changeEmail, changeName, changePassword, newPasswordSchema, requirePassword } from "@/lib/auth/account";
import { emailSchema, personNameSchema } from "@/lib/auth/person-schema";
import { requireUser } from "@/lib/auth/require-user";
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor, secondFactorCode } from "@/lib/auth/second-factor";
import { signOut } from "@/lib/auth/sign-out";
import { keepTheme, themeSchema } from "@/lib/auth/theme";
import { formAction } from "@/lib/forms/form-action";
import { tryRefreshPermissions } from "@/lib/permissions/invalidate";

const current = z.string().min(1, "is needed").max(200, "is too long");

/** Gives the signed-in person another name. */
export const submitName = formAction({
  guard: requireUser,
  schema: z.object({ name: personNameSchema }),
  keep: ["name"],
  run: async ({ name }, person) => {
    await changeName(person, name);
    return { message: "Saved." };
  },
});

/** Has the links sent that give the signed-in person another e-mail address. */
export const submitEmail = formAction({
  guard: requireUser,
  schema: z.object({ email: emailSchema, current }),
  keep: ["email"],
  run: async ({ email, current }, person) => {
    await requirePassword(person, current);
    await changeEmail(person, email);
    return {
      message: `If nobody else has ${email}, a link went there by e-mail. Until you have confirmed it, ${person.email} holds. Where ${person.email} got a link too, confirm both.`,
    };
  },
});

/** Gives the signed-in person another password, and ends her sessions in other browsers. */
export const submitPassword = formAction({
  guard: requireUser,
  schema: z.object({ current, password: newPasswordSchema }),
  run: async ({ current, password }, person) => {
    await changePassword(person, { current, password });
    const atOnce = await tryRefreshPermissions(person.userId);
    return { message: `Changed. Other browsers are signed out${atOnce ? "" : " within 15 minutes"}.` };
  },
});

/** Begins a second factor for the signed-in person, and gives what her app needs. */
export const submitBeginSecondFactor = formAction({
  guard: requireUser,
  schema: z.object({ current }),
  run: async ({ current }, person) => {
    await requirePassword(person, current);
    return { message: "Begun.", data: await beginSecondFactor() };
  },
});

/** Turns the begun second factor on, with the first code that the app shows, and ends her sessions in other browsers. */
export const submitConfirmSecondFactor = formAction({
  guard: requireUser,
  schema: secondFactorCode.extend({ factorId: z.uuid() }),
  run: async ({ factorId, code }, { userId }) => {
    try {
      await confirmSecondFactor(factorId, code);
    } finally {
      await tryRefreshPermissions(userId); // also when what follows the change has failed
    }
    return { message: "Turned on." };
  },
});

/** Takes the second factor off the signed-in person's account. */
export const submitRemoveSecondFactor = formAction({
  guard: requireUser,
  schema: z.object({ current }),
  run: async ({ current }, person) => {
    await requirePassword(person, current);
    try {
      await removeSecondFactor();
    } finally {
      await tryRefreshPermissions(person.userId);
    }
    return { message: "Turned off." };
  },
});

/** Keeps how screens look in this browser. */
export const submitTheme = formAction({
  guard: "everyone",
  schema: z.object({ theme: themeSchema }),
  run: async ({ theme }) => {
    await keepTheme(theme);
    return { message: "Saved." };
  },
});

/** Ends all sessions of the signed-in person, and goes to the sign-in page. */
export const submitSignOutEverywhere = formAction({
  guard: requireUser,
  schema: z.object({}),
  run: async (_input, { userId }) => {
    await signOut({ everywhere: true });
    await tryRefreshPermissions(userId);
    redirect("/login");
  },
});
