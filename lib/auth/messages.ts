import { type AuthError, isAuthSessionMissingError } from "@supabase/supabase-js";
import { AppError, type ErrorCode } from "@/lib/errors";

type Message = readonly [code: ErrorCode, message: string];
type AuthMessages = Readonly<Record<string, Message>> & { otherwise: Message };

/** The error for an error of Auth: by its code in the table, or `otherwise`. */
export function authError(cause: AuthError, messages: AuthMessages): AppError {
  const authCode = cause.status === 429 ? tooMany : (cause.code ?? "");
  const [code, message] = (Object.hasOwn(messages, authCode) && messages[authCode]) || messages.otherwise;
  return new AppError(code, message, { cause });
}

const tooMany = "over_request_rate_limit";
const waitMinutes: Message = ["too-many-requests", "Too many attempts. Wait a few minutes, then try again."];
const weakPassword: Message = ["invalid", "This password is too easy to guess. Choose a longer one."];

/** Why signing in failed: the same words for a wrong password and for an address without an account. */
export const signInMessages: AuthMessages = {
  [tooMany]: waitMinutes,
  invalid_credentials: ["unauthenticated", "Wrong email or password. Check both and try again."],
  email_not_confirmed: [
    "forbidden",
    "This email isn't confirmed yet. Open the link in the email you got when you created the account, then sign in.",
  ],
  user_banned: ["forbidden", "This account is blocked. Ask the person who runs this server."],
  otherwise: [
    "unavailable",
    "Signing in isn't working right now. Your password wasn't checked: try again in a moment.",
  ],
};

const accountExists: Message = ["conflict", "This email already has an account. Sign in with it."];
const noSignUp: Message = [
  "forbidden",
  "You can't create an account here. Ask a team administrator for an invitation.",
];
export const signUpMessages: AuthMessages = {
  [tooMany]: waitMinutes,
  user_already_exists: accountExists,
  email_exists: accountExists,
  weak_password: weakPassword,
  signup_disabled: noSignUp,
  email_provider_disabled: noSignUp,
  otherwise: ["unavailable", "Couldn't create the account. Try again in a moment."],
};

export const passwordMessages: AuthMessages = {
  same_password: ["invalid", "That's your current password. Choose another one."],
  weak_password: weakPassword,
  reauthentication_needed: [
    "conflict",
    "You signed in too long ago. Sign out, sign in again, then change the password.",
  ],
  otherwise: ["unavailable", "Couldn't change the password. Try again in a moment."],
};

export const emailMessages: AuthMessages = {
  email_address_invalid: ["invalid", "We can't send email to this address. Check it, or use another one."],
  otherwise: ["unavailable", "Couldn't send the email. Try again in a moment."],
};

const wrongCode: Message = ["forbidden", "Wrong or expired code. Enter the one your app shows now."];
const noSecondFactor: Message = ["conflict", "Two-factor sign-in isn't available on this server."];
const secondFactorMessages: AuthMessages = {
  mfa_verification_failed: wrongCode,
  mfa_challenge_expired: wrongCode,
  mfa_totp_enroll_not_enabled: noSecondFactor,
  mfa_totp_verify_not_enabled: noSecondFactor,
  otherwise: ["unavailable", "Two-factor sign-in isn't working right now. Try again in a moment."],
};

export function secondFactorError(cause: AuthError): AppError {
  if (isAuthSessionMissingError(cause)) return new AppError("unauthenticated", authMessages.signInEnded, { cause });
  const { otherwise } = secondFactorMessages;
  return authError(cause, { ...secondFactorMessages, otherwise: cause.status === 404 ? noSecondFactor : otherwise });
}

export const authMessages = {
  wrongPassword: "is wrong. Nothing was changed",
  nameNotSaved: "Couldn't save the name. Try again in a moment.",
  notChecked: "Couldn't confirm that you're signed in. Try again in a moment.",
  signInEnded: "Your sign-in has expired. Sign in again with your password.",
  factorRemoved: "Two-factor sign-in is now off for this account. Sign in again with your password.",
  linkNotChecked: "Couldn't check the link. It still works: try again in a moment.",
  sessionsNotEnded: "Couldn't end your sessions. You're still signed in: try again in a moment.",
  tryAgainIn: (seconds: number) =>
    `Too many attempts. Try again in ${seconds === 1 ? "1 second" : `${seconds} seconds`}.`,
};
