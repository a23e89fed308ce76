import { readFileSync } from "node:fs";
import { z } from "zod";
import { addEmail, escaped, readEmailTemplates, type SentEmail } from "./mailbox.ts";
import type { Database } from "./open-database.ts";

const passwordSchema = z.object({ password: z.string() });
const linkSchema = z.object({ type: z.literal("email_change"), token_hash: z.string() });
const userSchema = z.object({ email: z.string() });

/** Sends a request to Auth by `run`. If that changed a password or email, emails the person as Auth does; lite doesn't. */
export async function notifyOfChanges(
  request: Request,
  { sql, emails, run }: { sql: Database["sql"]; emails: SentEmail[]; run: () => Promise<Response> },
): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (request.method === "GET" || !/^\/auth\/v1\/(user|verify)$/.test(pathname)) return run();
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  const link = linkSchema.safeParse(body);
  const [before] = link.success
    ? await sql("select email from auth.users where email_change_token_new = $1", [link.data.token_hash])
    : [];
  const response = await run();
  if (!response.ok) return response;
  const result: unknown = await response.clone().json();
  if (before) {
    const OldEmail = userSchema.parse(before).email;
    notify(emails, "email_changed", OldEmail, { OldEmail, Email: userSchema.parse(Object(result).user).email });
  } else if (pathname.endsWith("user") && passwordSchema.safeParse(body).success) {
    const Email = userSchema.parse(result).email;
    notify(emails, "password_changed", Email, { Email });
  }
  return response;
}

function notify(emails: SentEmail[], name: string, to: string, words: Record<string, string>) {
  const template = readEmailTemplates("notification")[`${name}_notification`];
  if (!template) throw new Error(`supabase/config.toml has no notification ${name}.`);
  const html = readFileSync(template.content_path, "utf8").replace(/\{\{ \.(\w+) \}\}/g, (_, key: string) =>
    escaped(words[key] ?? ""),
  );
  addEmail(emails, { to, subject: template.subject, html });
}
