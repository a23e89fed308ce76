import type { SentEmail } from "../../scripts/local-stack/mailbox.ts";

/** The link of an email: its path, its site, and the fields of its query. */
export function linkOf(email: SentEmail | undefined) {
  const [, address = ""] = /href="([^"]+)"/.exec(email?.html ?? "") ?? [];
  const { origin, pathname, search, searchParams } = new URL(address.replaceAll("&amp;", "&"));
  return { origin, path: pathname + search, pathname, fields: Object.fromEntries(searchParams) };
}
