import "server-only";
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { cookies } from "next/headers";
import { supabaseSecretKey } from "@/lib/env";
import { cookieOptions } from "@/lib/supabase/cookie-client";

/** A hash to use for an email where the email itself must not be stored; ignores case and surrounding spaces. */
export function addressKey(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("base64url");
}

// A "device cookie" as proposed by OWASP: a random id of the browser, and for each of its people an HMAC that only Signet can
// compute. It stays under 500 bytes: browsers drop cookies over 4,096.
const name = "signet_device";
const maxAgeSeconds = 365 * 24 * 60 * 60;
const maxPeople = 10;
const idPattern = /^[\w-]{22}$/;
const markPattern = /^[\w-]{43}$/;

/** The id of this browser if someone has signed in with the email in it before, or null. It doesn't sign anyone in. */
export async function knownDevice(email: string): Promise<string | null> {
  const { id, marks } = await readDevice();
  const mark = Buffer.from(deviceMark(id, email));
  return marks.some((other) => timingSafeEqual(Buffer.from(other), mark)) ? id : null;
}

/** Remembers in this browser, for a year, that someone signed in with the email; up to the last ten emails. */
export async function rememberDevice(email: string): Promise<void> {
  const { id, marks } = await readDevice();
  const mark = deviceMark(id, email);
  const newMarks = [mark, ...marks.filter((other) => other !== mark)].slice(0, maxPeople);
  (await cookies()).set(name, [id, ...newMarks].join("."), { ...cookieOptions(), maxAge: maxAgeSeconds });
}

async function readDevice() {
  const [id = "", ...marks] = (await cookies()).get(name)?.value.split(".") ?? [];
  if (!idPattern.test(id)) return { id: randomBytes(16).toString("base64url"), marks: [] };
  return { id, marks: marks.filter((mark) => markPattern.test(mark)).slice(0, maxPeople) };
}

function deviceMark(id: string, email: string) {
  const key = createHmac("sha256", supabaseSecretKey()).update(name).digest();
  return createHmac("sha256", key)
    .update(`${id} ${addressKey(email)}`)
    .digest("base64url");
}
