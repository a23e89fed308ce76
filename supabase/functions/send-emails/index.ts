import nodemailer from "npm:nodemailer@10.6.1";
import { z } from "npm:zod@4.6.7";
import { adminClient, requireData, secretKeys } from "../_shared/clients.ts";
import { handleEmails } from "../_shared/send-emails.ts";
import { type Email, outlooksSchema, type QueuedEmail, queuedEmailSchema, writeEmail } from "./write-email.ts";

/** POST /functions/v1/send-emails: sends the queued emails of Signet itself, by the mail server of SMTP_URL. */
export default {
  fetch: (request: Request) => {
    const [server = "", from = "", site = ""] = ["SMTP_URL", "EMAIL_FROM", "SITE_URL"].map((name) =>
      Deno.env.get(name),
    );
    if (server && !(from && site)) console.error("Emails need the secrets EMAIL_FROM and SITE_URL too.");
    const isConfigured = Boolean(server && from && site);
    return handleEmails(request, {
      name: "send-emails",
      secretKeys: secretKeys(),
      steps: {
        claim: async () =>
          queuedEmailSchema
            .nullable()
            .parse(requireData(await adminClient().rpc("claim_email", { p_has_server: isConfigured }))),
        send: async (queued) =>
          deliver({ server, from, id: queued.id, site }, writeEmail(queued, site, await readOutlooks(queued, site))),
        finish: async (id, state) =>
          void requireData(await adminClient().rpc("finish_email", { p_id: id, p_state: state })),
      },
    });
  },
};

// The application makes the forecasts. If it can't be reached, the digest is sent without them.
async function readOutlooks({ kind, id }: QueuedEmail, site: string) {
  if (kind !== "digest") return {};
  try {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify({ id }), signal: AbortSignal.timeout(20_000) };
    const response = await fetch(new URL("/api/digest", site), request);
    return outlooksSchema.parse(await response.json());
  } catch (error) {
    console.error("The application didn't forecast for a digest:", error);
    return {};
  }
}

const refusalSchema = z.object({ code: z.enum(["EENVELOPE", "EMESSAGE"]), responseCode: z.number().default(0) });

type Delivery = { server: string; from: string; site: string; id: string };

async function deliver({ server, from, site, id }: Delivery, email: Email) {
  const { protocol, hostname } = new URL(server);
  // The local stack shows emails on a page.
  if (protocol === "http:") {
    const headers = { "content-type": "application/json" };
    const response = await fetch(server, { method: "POST", headers, body: JSON.stringify(email) });
    return response.ok ? "sent" : "stop";
  }
  const transport = nodemailer.createTransport({
    url: server,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    requireTLS: protocol === "smtp:" && hostname !== "127.0.0.1", // otherwise passwords could be read on the way
  });
  try {
    await transport.sendMail({
      ...email,
      from,
      to: { name: "", address: email.to }, // not parsed as a list
      messageId: `<email-${id}@${new URL(site).hostname}>`, // the same if it is sent twice
      headers: { "Auto-Submitted": "auto-generated" },
    });
    return "sent";
  } catch (error) {
    const refusal = refusalSchema.safeParse(error);
    if (!refusal.success) throw error; // not about this email
    console.error("The mail server refused an email:", error);
    return refusal.data.responseCode >= 500 ? "failed" : "again";
  } finally {
    transport.close();
  }
}
