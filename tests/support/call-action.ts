import { readFileSync } from "node:fs";
import { z } from "zod";
import { siteUrl } from "./demo.ts";

/** A call of a server action: the name of its function, a page with it, and the fields of its form. */
export type ActionCall = { action: string; path: string; fields: Record<string, string> };

const manifestSchema = z.object({ node: z.record(z.string(), z.object({ exportedName: z.string() })) });
const { node } = manifestSchema.parse(JSON.parse(readFileSync(".next/server/server-reference-manifest.json", "utf8")));
const ids = new Map(Object.entries(node).map(([id, { exportedName }]) => [exportedName, id]));

const stateSchema = z.object({ message: z.string().nullable(), error: z.string().nullable() });

/**
 * Calls a server action as a browser with JavaScript does, even if its page doesn't show it. Returns the message and the error
 * of its form state, or the path of its redirect.
 */
export async function callAction(
  { action, path, fields }: ActionCall,
  cookie: string,
  { site = siteUrl, headers = {} }: { site?: string; headers?: Record<string, string> } = {},
) {
  const id = ids.get(action);
  if (!id) throw new Error(`The build has no action ${action}.`);
  // React sends the arguments (state, form) this way: the fields of the form first, then the list that names them.
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(`_1_${name}`, value);
  body.append("0", JSON.stringify([{ message: null, error: null }, "$K1"]));
  const response = await fetch(`${site}${path}`, {
    method: "POST",
    headers: { ...headers, cookie, origin: site, "next-action": id },
    body,
    redirect: "manual",
  });
  const text = await response.text();
  const [leadsTo] = response.headers.get("x-action-redirect")?.split(";") ?? [];
  if (leadsTo !== undefined) return { leadsTo };
  const row = /^\d+:\{"a":"\$@(\w+)"/m.exec(text)?.[1];
  const result = text.split("\n").find((line) => line.startsWith(`${row}:`));
  if (!result) throw new Error(`${action} answered ${response.status}: ${text.slice(0, 500)}`);
  return stateSchema.parse(JSON.parse(result.slice(result.indexOf(":") + 1)));
}
