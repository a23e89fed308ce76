import { z } from "npm:zod@4.6.7";

const teamFields = { team: z.string(), teamId: z.string() };
const requestFields = { ...teamFields, permission: z.string(), place: z.string(), reason: z.string().nullable() };
const askedFields = { name: z.string().nullable(), permission: z.string(), place: z.string() };
const queuedFields = { id: z.string(), email: z.string() };

/** An email as `claim_email` returns it. */
export const queuedEmailSchema = z.discriminatedUnion("kind", [
  z.object({
    ...queuedFields,
    kind: z.literal("request"),
    content: z.object({ ...requestFields, ...askedFields, others: z.array(z.object(askedFields)) }),
  }),
  z.object({
    ...queuedFields,
    kind: z.literal("answer"),
    content: z.object({
      ...requestFields,
      granted: z.boolean(),
      /** What granted it: `the Viewer role`. */
      grants: z.string().nullable(),
      answer: z.string().nullable(),
      page: z.string().nullable(),
    }),
  }),
  z.object({
    ...queuedFields,
    kind: z.literal("invitation"),
    content: z.object({ ...teamFields, person: z.string(), email: z.string(), accepted: z.boolean() }),
  }),
  z.object({
    ...queuedFields,
    kind: z.literal("membership"),
    content: z.object({
      ...teamFields,
      by: z.string().nullable(),
      role: z.string().nullable(),
      change: z.enum(["suspended", "removed", "restored", "role"]),
    }),
  }),
  z.object({
    ...queuedFields,
    kind: z.literal("erasure"),
    content: z.object({
      ...teamFields,
      campaign: z.string(),
      register: z.string(),
      day: z.string(),
    }),
  }),
  z.object({
    ...queuedFields,
    kind: z.literal("digest"),
    content: z.object({
      ...teamFields,
      locale: z.string(),
      campaigns: z.array(
        z.object({ id: z.string(), name: z.string(), lines: z.int(), valid: z.int(), duplicates: z.int() }),
      ),
    }),
  }),
]);
export type QueuedEmail = z.infer<typeof queuedEmailSchema>;

/** What a digest says of campaigns besides yesterday's counts, by their ids. */
export const outlooksSchema = z.record(z.string(), z.array(z.string()));
type Outlooks = z.infer<typeof outlooksSchema>;

/** An email to send. */
export type Email = { to: string; subject: string; text: string; html: string };

type Parts = {
  subject: string;
  /** What happened, a paragraph each, or a heading of those that follow. */
  paragraphs: (string | { heading: string })[];
  /** The button's label, and the path where it leads. */
  button: [label: string, path: string];
  reason: string;
  /** The path of the page where these emails are turned off; its link follows the reason. */
  settingsPath?: string;
};

/** The subject, text and HTML of an email. Its links lead to the site. */
export function writeEmail(queued: QueuedEmail, siteUrl: string, outlooks: Outlooks = {}): Email {
  const { subject, paragraphs, button, reason, settingsPath = "/account" } = writeParts(queued, outlooks);
  const [label, path] = [button[0], new URL(button[1], siteUrl)];
  const link = path.origin === new URL(siteUrl).origin ? path.href : new URL(siteUrl).href;
  const account = new URL(settingsPath, siteUrl).href;
  const title = oneLine(subject);
  const plainParagraphs = paragraphs.map((part) => oneLine(typeof part === "string" ? part : part.heading));
  const html = paragraphs.map((part, index) => {
    const text = escapeHtml(plainParagraphs[index] ?? "");
    return typeof part === "string" ? `<p>${text}</p>` : `<h2 style="margin: 24px 0 0; font-size: 16px">${text}</h2>`;
  });
  return {
    to: queued.email,
    subject: title,
    text: `${[...plainParagraphs, `${label}: ${link}`, `${oneLine(reason)} ${account}`].join("\n\n")}\n`,
    html: `<!doctype html>
<html lang="en">
  <body style="margin: 0; padding: 24px; font: 16px/24px ui-sans-serif, system-ui, sans-serif">
    <h1 style="font-size: 20px; line-height: 28px">${escapeHtml(title)}</h1>
${html.map((part) => `    ${part}\n`).join("")}    <p>
      <a href="${escapeHtml(link)}" style="display: inline-block; border-radius: 6px; background: #2f4fc0; color: #ffffff; padding: 8px 16px; text-decoration: none">${escapeHtml(label)}</a>
    </p>
    <p style="font-size: 14px; line-height: 20px; color: #57606a">${escapeHtml(oneLine(reason))} <a href="${escapeHtml(account)}">${escapeHtml(account)}</a></p>
  </body>
</html>
`,
  };
}

function writeParts(queued: QueuedEmail, outlooks: Outlooks): Parts {
  const { team, teamId } = queued.content;
  const stopHint = "To stop these emails, open your account:";
  switch (queued.kind) {
    case "request": {
      const { name, place, reason, others } = queued.content;
      const asked = (request: Pick<typeof queued.content, "name" | "permission" | "place">) =>
        `${request.name ?? "A member"} ${request.permission === "See the campaign overview" ? "asked for access to" : `requested the permission “${request.permission}” in`} ${request.place}.`;
      return {
        subject: `${name ?? "A member"} requested access to ${place}${place === team ? "" : ` (${team})`}`,
        paragraphs: [
          asked(queued.content),
          ...(reason ? [`Reason: “${reason}”`] : []),
          ...(others.length > 0 ? [{ heading: "Also waiting" }, ...others.map(asked)] : []),
        ],
        button: ["Review request", `/${teamId}/activity`],
        reason: `You get these emails because you manage members of ${team} (no more than one every 15 minutes). ${stopHint}`,
      };
    }
    case "answer": {
      const { permission, place, reason, granted, grants, answer, page } = queued.content;
      return {
        subject: `Your request in ${team} was ${granted ? "granted" : "declined"}`,
        paragraphs: [
          granted
            ? `You can now ${permission.charAt(0).toLowerCase()}${permission.slice(1)} in ${place}${grants ? ` through ${grants}` : ""}.`
            : `Your request for “${permission}” in ${place} was declined.`,
          ...(answer ? [`Answer: “${answer}”`] : []),
          ...(reason ? [`Your reason: “${reason}”`] : []),
        ],
        button: granted ? [`Open ${place}`, page ?? `/${teamId}`] : [`Open ${team}`, `/${teamId}`],
        reason: `You're getting this email because you requested access. ${stopHint}`,
      };
    }
    case "invitation": {
      const { person, email, accepted } = queued.content;
      const outcome = `${person} ${accepted ? "accepted" : "declined"} your invitation`;
      return {
        subject: `${outcome} to ${team}`,
        paragraphs: person === email ? [] : [`The invitation was sent to ${email}.`],
        button: ["View members", `/${teamId}/members`],
        reason: `You're getting this email because you sent the invitation. ${stopHint}`,
      };
    }
    case "membership": {
      const { change, role, by } = queued.content;
      const texts: Record<typeof change, [subject: string, paragraph: string]> = {
        suspended: [
          `Your access to ${team} was suspended`,
          "Your role and campaigns are kept. An administrator of the team can restore your access.",
        ],
        removed: [
          `You were removed from ${team}`,
          "Signatures you entered are kept. To return, ask an administrator of the team for a new invitation.",
        ],
        restored: [`You were reactivated in ${team}`, `Your role is ${role}.`],
        role: [`Your role in ${team} is now ${role}`, ""],
      };
      const [subject, paragraph] = texts[change];
      return {
        subject,
        paragraphs: [by ? `${by} made this change.` : "", paragraph].filter((text) => text !== ""),
        button: change === "suspended" || change === "removed" ? ["Open Signet", "/"] : [`Open ${team}`, `/${teamId}`],
        reason: `You're getting this email because your membership in ${team} changed. Manage your account:`,
      };
    }
    case "erasure": {
      const { campaign, register, day } = queued.content;
      return {
        subject: `The personal data of ${campaign} will be erased on ${day}`,
        paragraphs: [
          `On ${day}, names, addresses, notes, and voter IDs of all lines of the archived campaign ${campaign} will be erased. Counts are kept. This can't be undone.`,
          "If you need the signatures, download them first. To keep the data in Signet, restore the campaign.",
        ],
        button: ["Open signatures", register],
        reason: `You're getting this email once because you administer ${team}. The team that runs the campaign sets the period in its settings:`,
        settingsPath: `/${teamId}/settings`,
      };
    }
    case "digest": {
      const { locale, campaigns } = queued.content;
      const number = (value: number) => value.toLocaleString(locale);
      const lines = (count: number) => (count === 1 ? "1 line" : `${number(count)} lines`);
      const duplicates = (count: number) =>
        count === 0 ? "no duplicates" : count === 1 ? "1 duplicate" : `${number(count)} duplicates`;
      return {
        subject: `${team} yesterday: ${lines(campaigns.reduce((sum, campaign) => sum + campaign.lines, 0))} entered`,
        paragraphs: campaigns.flatMap((campaign) => [
          { heading: campaign.name },
          `${lines(campaign.lines)} entered${campaign.lines === 0 ? "" : `: ${number(campaign.valid)} valid, ${duplicates(campaign.duplicates)}`}.`,
          ...(outlooks[campaign.id] ?? []),
        ]),
        button: [`Open ${team}`, `/${teamId}`],
        reason: `You're getting this email every morning because you turned it on in your account. ${stopHint}`,
      };
    }
  }
}

// Names could otherwise add headers, or hide what follows them.
const oneLine = (text: string) =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, " ").trim();

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
