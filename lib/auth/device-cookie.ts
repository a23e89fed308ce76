import "server-only";
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { cookies } from "next/headers";
import { supabaseSecretKey } from "@/lib/env";
import { cookieOptions } from "@/lib/supabase/cookie-client";

/** Stands for an e-mail address where the address itself is not to be kept; the same for all ways to write it. */
export function addressKey(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("base64url");
}

// A "device cookie" as OWASP proposes it: a random id of the browser and, for each of its people, a mark that only Signet
// can make. Under 500 bytes together, as a browser drops a cookie of more than 4 096 without a word.
const name = "signet_device";
const maxAge = 365 * 24 * 60 * 60; // seconds
const mostPeople = 10;
const idPattern = /^[\w-]{22}$/;
const markPattern = /^[\w-]{43}$/;

/** The id of this browser if somebody has signed in to the address in it before, else null. It signs nobody in. */
export async function knownDevice(email: string): Promise<string | null> {
  const { id, marks } = await readDevice();
  const mark = Buffer.from(markOf(id, email));
  return marks.some((other) => timingSafeEqual(Buffer.from(other), mark)) ? id : null;
}

/** Keeps in this browser, for a year, that somebody signed in to the address in it; the last ten addresses are kept. */
export async function rememberDevice(email: string): Promise<void> {
  const { id, marks } = await readDevice();
  const mark = markOf(id, email);
  const kept = [mark, ...marks.filter((other) => other !== mark)].slice(0, mostPeople);
  (await cookies()).set(name, [id, ...kept].join("."), { ...cookieOptions(), maxAge });
}

async function readDevice() {
  const [id = "", ...marks] = (await cookies()).get(name)?.value.split(".") ?? [];
  if (!idPattern.test(id)) return { id: randomBytes(16).toString("base64url"), marks: [] };
  return { id, marks: marks.filter((mark) => markPattern.test(mark)).slice(0, mostPeople) };
}

function markOf(id: string, email: string) {
  const key = createHmac("sha256", supabaseSecretKey()).update(name).digest();
  return createHmac("sha256", key)
    .update(`${id} ${addressKey(email)}`)
    .digest("base64url");
}
