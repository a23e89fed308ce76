import type { Mail } from "../../scripts/local-stack/mailbox.ts";

/** The link of an e-mail: its path, the site that it leads to, and the fields of its query. */
export function linkOf(mail: Mail | undefined) {
  const [, address = ""] = /href="([^"]+)"/.exec(mail?.html ?? "") ?? [];
  const { origin, pathname, search, searchParams } = new URL(address.replaceAll("&amp;", "&"));
  return { origin, path: pathname + search, pathname, fields: Object.fromEntries(searchParams) };
}
