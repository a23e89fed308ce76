import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { readEmailTemplates } from "../local-stack/mailbox.ts";
import { refusals } from "./check-supabase.ts";
import { type Finding, failureReason, notChecked, ok, requireOrigin, supabaseUrl, wrong } from "./finding.ts";

const settingsSchema = z.looseObject({
  site_url: z.string().nullish(),
  uri_allow_list: z.string().nullish(),
  jwt_exp: z.number().nullish(),
  security_update_password_require_reauthentication: z.boolean().nullish(),
  mailer_autoconfirm: z.boolean().nullish(),
  mailer_secure_email_change_enabled: z.boolean().nullish(),
  mailer_otp_length: z.number().nullish(),
  mfa_totp_enroll_enabled: z.boolean().nullish(),
  mfa_totp_verify_enabled: z.boolean().nullish(),
  smtp_host: z.string().nullish(),
});
const secretsSchema = z.array(z.object({ name: z.string() }));
const neededSecrets = { REDIS_URL: "rediss://…", SITE_URL: "<SITE_URL>" }; // of the edge functions
const functionsSchema = z.array(z.object({ slug: z.string(), verify_jwt: z.boolean().nullish() }));

/** Checks with the Management API that Auth and the edge functions are configured as docs/operate.md says. */
export async function checkProjectSettings(signal: AbortSignal): Promise<Finding[]> {
  const token = process.env.SUPABASE_ACCESS_TOKEN;
  if (!token) return [notChecked("SUPABASE_ACCESS_TOKEN is not set (https://supabase.com/dashboard/account/tokens)")];
  const ref = projectRef();
  if (!ref) return [notChecked("the project is not known: npx supabase link --project-ref <ref>")];
  const siteUrl = requireOrigin("SITE_URL");
  let isTokenRefused = false;
  const read = async (path: string) => {
    const address = `https://api.supabase.com/v1/projects/${ref}/${path}`;
    const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` }, signal });
    isTokenRefused ||= response.status === 401 || response.status === 403;
    if (!response.ok) throw new Error(`it answers ${response.status} for ${path}`);
    return response.json();
  };
  try {
    const [settings, functions, secrets] = await Promise.all(["config/auth", "functions", "secrets"].map(read));
    const names = secretsSchema.parse(secrets).map(({ name }) => name);
    const problems = [
      ...judgeAuthSettings(settingsSchema.parse(settings), { siteUrl, ref }),
      ...functionsSchema.parse(functions).flatMap(({ slug, verify_jwt }) => {
        const problem = `${slug}: Supabase checks tokens first (verify_jwt is on).`;
        return slug in refusals && verify_jwt !== false
          ? [wrong(problem, `npx supabase functions deploy ${slug}`)]
          : [];
      }),
      ...Object.entries({
        ...neededSecrets,
        ...(names.includes("SMTP_URL") && { EMAIL_FROM: "'Signet <signet@…>'" }),
      }).flatMap(([name, value]) => {
        const problem = `The edge functions need the secret ${name}.`;
        return names.includes(name) ? [] : [wrong(problem, `npx supabase secrets set ${name}=${value}`)];
      }),
    ];
    return problems.length > 0 ? problems : [ok("as they should be")];
  } catch (error) {
    const fix = isTokenRefused
      ? "Use a token that may read this project: https://supabase.com/dashboard/account/tokens"
      : "Run this again in a few minutes. If it fails again, look at https://status.supabase.com";
    return [wrong(`Couldn't read the settings from Supabase's Management API: ${failureReason(error)}.`, fix)];
  }
}

// From the project's URL, otherwise from the file that `supabase link` writes.
function projectRef() {
  const ref = /^https:\/\/([a-z0-9]+)\.supabase\.co$/.exec(supabaseUrl())?.[1];
  const linkFile = resolve(import.meta.dirname, "../../supabase/.temp/project-ref");
  return ref ?? (existsSync(linkFile) ? readFileSync(linkFile, "utf8").trim() : undefined);
}

/** The findings about Auth's settings, which have the Management API's names. */
function judgeAuthSettings(
  settings: z.infer<typeof settingsSchema>,
  { siteUrl, ref }: { siteUrl: string; ref: string },
): Finding[] {
  const authPage = `https://supabase.com/dashboard/project/${ref}/auth`;
  const redirectUrls = (settings.uri_allow_list ?? "").split(",").map((url) => url.trim());
  const notifications = readEmailTemplates("notification");
  const requirements: [isMet: boolean, problem: string, fix: string][] = [
    [
      settings.site_url?.replace(/\/+$/, "") === siteUrl,
      `Auth's site URL is ${settings.site_url}: links in emails lead there.`,
      `Set it to ${siteUrl}: ${authPage}/url-configuration`,
    ],
    [
      redirectUrls.includes(`${siteUrl}/**`),
      `The redirect URLs lack ${siteUrl}/**: links of invitations lead nowhere.`,
      `Add it: ${authPage}/url-configuration`,
    ],
    [
      settings.mailer_autoconfirm === false,
      "Addresses are not confirmed: anyone can sign up with someone else's address.",
      `Turn “Confirm email” on: ${authPage}/providers`,
    ],
    [
      settings.mailer_secure_email_change_enabled === true,
      "An address can be changed without asking the old one.",
      `Turn “Secure email change” on: ${authPage}/providers`,
    ],
    [
      settings.mailer_otp_length === 10,
      `Email OTPs have ${settings.mailer_otp_length} digits: links made of them can be guessed.`,
      `Set their length to 10: ${authPage}/providers`,
    ],
    [
      typeof settings.jwt_exp === "number" && settings.jwt_exp <= 900,
      `Access tokens live for ${settings.jwt_exp ?? 3600} s: a session ended elsewhere can read for that long.`,
      `Set “Access token expiry time” to 900: https://supabase.com/dashboard/project/${ref}/settings/jwt`,
    ],
    [
      settings.security_update_password_require_reauthentication === true,
      "A session of any age can change the password.",
      `Turn “Secure password change” on: ${authPage}/providers`,
    ],
    [
      Boolean(settings.smtp_host),
      "No SMTP server is set: Supabase's own sends two emails an hour, and only to the project's members.",
      `Set one: ${authPage}/smtp`,
    ],
    [
      settings.mfa_totp_enroll_enabled !== false && settings.mfa_totp_verify_enabled !== false,
      "Two-factor sign-in is off: a team that requires it can't be opened.",
      `Turn “TOTP (App Authenticator)” on: ${authPage}/mfa`,
    ],
    ...Object.keys(notifications).map((name): [boolean, string, string] => [
      settings[`mailer_notifications_${name.replace("_notification", "_enabled")}`] === true,
      `No email says that an account changed (${name}).`,
      `Turn it on: ${authPage}/templates`,
    ]),
    ...Object.entries({ ...readEmailTemplates("template"), ...notifications }).flatMap(
      ([name, { subject, content_path }]) => {
        const withoutExtraSpace = (value: unknown) =>
          String(value ?? "")
            .replace(/\s+/g, " ")
            .trim();
        const parts: [string, unknown, string | undefined][] = [
          ["text", settings[`mailer_templates_${name}_content`], readFileSync(content_path, "utf8")],
          ["subject", settings[`mailer_subjects_${name}`], subject],
        ];
        return parts.map(([part, actual, expected]): [boolean, string, string] => [
          withoutExtraSpace(actual) === withoutExtraSpace(expected),
          `The ${part} of the email ${name} is not Signet's.`,
          `Use ${part === "text" ? `supabase/templates/${name}.html` : `“${subject}”`}: ${authPage}/templates`,
        ]);
      },
    ),
  ];
  return requirements.flatMap(([isMet, problem, fix]) => (isMet ? [] : [wrong(problem, fix)]));
}
