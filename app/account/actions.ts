"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { changeEmail, changeName, changePassword, newPasswordSchema, requirePassword } from "@/lib/auth/account";
import { saveEmailChoices } from "@/lib/auth/emails";
import { emailSchema, personNameSchema } from "@/lib/auth/person-schema";
import { requireUser } from "@/lib/auth/require-user";
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor, secondFactorCode } from "@/lib/auth/second-factor";
import { endOtherUserSessions, endUserSession } from "@/lib/auth/sessions";
import { signOut } from "@/lib/auth/sign-out";
import { storeTheme, themeSchema } from "@/lib/auth/theme";
import { AppError } from "@/lib/errors";
import { formAction } from "@/lib/forms/form-action";
import { tryRefreshPermissions } from "@/lib/permissions/invalidate";

const currentPassword = z.string().min(1, "Enter your current password").max(200, "is too long");

/** Changes the name of the signed-in person. */
export const saveName = formAction({
  guard: requireUser,
  schema: z.object({ name: personNameSchema }),
  keepOnError: ["name"],
  run: async ({ name }, person) => {
    await changeName(person, name);
    refresh(); // the page shows the name elsewhere too
    return { message: "Name saved." };
  },
});

/** Sends the links that confirm another email for the signed-in person. */
export const requestEmailChange = formAction({
  guard: requireUser,
  schema: z.object({ email: emailSchema, current: currentPassword }),
  keepOnError: ["email"],
  run: async ({ email, current }, person) => {
    if (email.toLowerCase() === person.email.toLowerCase())
      throw new AppError("invalid", "is already the one you sign in with", { field: "email" });
    await requirePassword(person, current);
    await changeEmail(person, email);
    return {
      message: `If no other account uses ${email}, we've sent a link there. Until you confirm, you still sign in as ${person.email}. If ${person.email} receives a link too, open both.`,
    };
  },
});

// What is cached for ended sessions may be served for up to 15 minutes.
const signedOutElsewhere = async (userId: string) =>
  `You're signed out everywhere else${(await tryRefreshPermissions(userId)) ? "" : " within 15 minutes"}.`;

/** Changes the password of the signed-in person, and ends their other sessions. */
export const savePassword = formAction({
  guard: requireUser,
  schema: z.object({ current: currentPassword, password: newPasswordSchema }),
  run: async ({ current, password }, person) => {
    await changePassword(person, { current, password });
    return { message: `Password changed. ${await signedOutElsewhere(person.userId)}` };
  },
});

/** Starts setting up a second factor for the signed-in person, and returns the QR code and key for their app. */
export const startSecondFactor = formAction({
  guard: requireUser,
  schema: z.object({ current: currentPassword }),
  run: async ({ current }, person) => {
    await requirePassword(person, current);
    return { message: "Scan the code with your app.", data: await beginSecondFactor() };
  },
});

/** Turns the second factor on with its first code, and ends the person's other sessions. */
export const enableSecondFactor = formAction({
  guard: requireUser,
  schema: secondFactorCode.extend({ factorId: z.uuid() }),
  run: async ({ factorId, code }, { userId }) => {
    try {
      await confirmSecondFactor(factorId, code);
    } finally {
      await tryRefreshPermissions(userId); // also when something after the change failed
    }
    return { message: "Two-factor sign-in is on." };
  },
});

/** Turns the second factor of the signed-in person off. */
export const disableSecondFactor = formAction({
  guard: requireUser,
  schema: z.object({ current: currentPassword }),
  run: async ({ current }, person) => {
    await requirePassword(person, current);
    try {
      await removeSecondFactor();
    } finally {
      await tryRefreshPermissions(person.userId);
    }
    return { message: "Two-factor sign-in is off." };
  },
});

const checkboxSchema = z
  .literal("on")
  .optional()
  .transform((value) => value === "on");

/** Saves which emails the signed-in person gets. */
export const saveEmails = formAction({
  guard: requireUser,
  schema: z.object({ requests: checkboxSchema, digest: checkboxSchema }),
  run: async (choices, person) => {
    await saveEmailChoices(person, choices);
    refresh(); // so that the page knows what is saved
    return { message: "Notifications saved." };
  },
});

/** Saves the theme of this browser. */
export const saveTheme = formAction({
  guard: "everyone",
  schema: z.object({ theme: themeSchema }),
  run: async ({ theme }) => {
    await storeTheme(theme);
    return { message: "Theme saved." };
  },
});

/** Ends one of the person's sessions, `id`. Its next request is refused. */
export const endOneSession = formAction({
  guard: requireUser,
  schema: z.object({ id: z.uuid() }),
  run: async ({ id }, person) => {
    await endUserSession(person, id);
    await tryRefreshPermissions(person.userId);
    refresh();
    return { message: "Device signed out." };
  },
});

/** Ends all sessions of the signed-in person except this one. Their next requests are refused. */
export const endOtherSessions = formAction({
  guard: requireUser,
  schema: z.object({}),
  run: async (_input, person) => {
    await endOtherUserSessions(person);
    const message = await signedOutElsewhere(person.userId);
    refresh();
    return { message };
  },
});

/** Ends all sessions of the signed-in person, and goes to the sign-in page. */
export const endAllSessions = formAction({
  guard: requireUser,
  schema: z.object({}),
  run: async (_input, { userId }) => {
    await signOut({ everywhere: true });
    await tryRefreshPermissions(userId);
    redirect("/login");
  },
});
