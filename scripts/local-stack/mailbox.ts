import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { EmailDriver } from "@supabase/lite";
import { z } from "zod";

const root = resolve(import.meta.dirname, "../..");

/** An email that Auth or Signet has sent: its recipient, its time (ISO 8601), and its HTML. */
export type SentEmail = { to: string; subject: string; html: string; sentAt: string };

const maxEmails = 500;

/** Adds an email sent now. */
export function addEmail(emails: SentEmail[], email: Omit<SentEmail, "sentAt">): void {
  emails.unshift({ ...email, sentAt: new Date().toISOString() });
  emails.splice(maxEmails);
}

/**
 * Stores the emails of the local Auth, newest first. Lite omits `RedirectTo` and `Data`; Auth runs within `handle`, so that
 * `driver` can fill them in.
 */
export function createMailbox(siteUrl: string) {
  const emails: SentEmail[] = [];
  const redirects = new AsyncLocalStorage<{ redirectTo: string; data: unknown }>();
  const driver: EmailDriver = {
    send: async ({ to, subject, html = "" }) => {
      const { redirectTo = siteUrl, data } = redirects.getStore() ?? {};
      const next = `next=${encodeURIComponent(redirectTo)}`;
      const filled = fillInvitation(html.replace(`next=${siteUrl}`, next), to, data);
      addEmail(emails, { to, subject: fillInvitation(subject, to, data), html: filled });
    },
  };
  const handle = async <T>(request: Request, run: () => T | Promise<T>): Promise<T> => {
    const { pathname, searchParams } = new URL(request.url);
    const to = searchParams.get("redirect_to");
    // Like Auth, it doesn't redirect to other sites.
    const isOwn = to !== null && URL.canParse(to) && new URL(to).origin === siteUrl;
    const body: unknown = pathname.endsWith("/otp")
      ? await request
          .clone()
          .json()
          .catch(() => null)
      : null;
    return redirects.run({ redirectTo: isOwn ? to : siteUrl, data: Object(body).data }, run);
  };
  return { emails, driver, handle };
}

/** Fills `{{ with .Data.invitation }}…{{ else }}…{{ end }}` as Auth does. */
function fillInvitation(template: string, email: string, data: unknown) {
  const words: unknown = Object(data).invitation;
  const block = /\{\{ with \.Data\.invitation \}\}(.*?)\{\{ else \}\}(.*?)\{\{ end \}\}/s;
  const [, known = "", unknown = ""] = block.exec(template) ?? [];
  const text = words
    ? known.replace(/\{\{ (?:\.(\w+)|\$\.Email) \}\}/g, (_, name?: string) =>
        escaped(name === undefined ? email : String(Object(words)[name] ?? "")),
      )
    : unknown;
  return template.replace(block, () => text);
}

/**
 * The subjects and files of the emails that config.toml names, in lite's format. Lite doesn't read that file. Names of
 * notifications end as in the Management API.
 */
export function readEmailTemplates(kind: "template" | "notification") {
  const config = readFileSync(resolve(root, "supabase/config.toml"), "utf8");
  const matches = config.matchAll(
    /\[auth\.email\.(\w+)\.(\w+)\]\n(?:enabled = true\n)?subject = "(.+)"\ncontent_path = "(.+)"/g,
  );
  return Object.fromEntries(
    [...matches]
      .filter(([, section]) => section === kind)
      .map(([, , name = "", subject = "", path = ""]) => [
        kind === "template" ? name : `${name}_notification`,
        { subject, content_path: resolve(root, path) },
      ]),
  );
}

const sentSchema = z.object({ to: z.string(), subject: z.string(), html: z.string() });

/** Serves `/mail`: the emails as a page, or as JSON if requested. Signet's own emails arrive by POST. */
export async function serveMailbox(request: Request, emails: SentEmail[]): Promise<Response> {
  // A page of another site can't send JSON here.
  if (request.method === "POST" && request.headers.get("content-type") === "application/json") {
    addEmail(emails, sentSchema.parse(await request.json()));
    return new Response(null, { status: 204 });
  }
  if (request.headers.get("accept") === "application/json") return Response.json(emails);
  const list = emails.map(
    ({ to, subject, html, sentAt }) => `<article>
<h2>${escaped(subject)}</h2>
<p>to ${escaped(to)} · <time datetime="${sentAt}">${sentAt.slice(0, 19).replace("T", " ")} UTC</time></p>
<iframe title="${escaped(subject)}" sandbox="allow-top-navigation-by-user-activation" srcdoc="${escaped(`<base target="_top">${html}`)}"></iframe>
</article>`,
  );
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Emails</title>
<style>
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 16px/24px system-ui, sans-serif }
article { margin-top: 2rem; border-top: 1px solid #999 } h2 { margin: 1rem 0 0; font-size: 1rem } p { margin: 0 }
iframe { width: 100%; height: 17rem; border: 0 }
</style>
<h1>Emails</h1>
<p>What would have been sent, newest first. Reload to see new ones.</p>
${list.join("\n") || "<p>No emails yet.</p>"}
</html>`;
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}

/** Text as HTML. */
export const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
