import type { Mail } from "../../scripts/local-stack/mailbox.ts";

/** The link of an email: its path, its site, and the fields of its query. */
export function linkOf(mail: Mail | undefined) {
  const [, address = ""] = /href="([^"]+)"/.exec(mail?.html ?? "") ?? [];
  const { origin, pathname, search, searchParams } = new URL(address.replaceAll("&amp;", "&"));
  return { origin, path: pathname + search, pathname, fields: Object.fromEntries(searchParams) };
}
