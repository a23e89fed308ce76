import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The value of a session's cookie. */
export const encodeSession = (session: object) =>
  `base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`;

/** The session in a cookie. */
export function decodeSession(value: string) {
  const text = Buffer.from(value.replace("base64-", ""), "base64url").toString();
  return z.looseObject({ access_token: z.string() }).parse(JSON.parse(text));
}

/** The secret with which the Auth of the stack in a folder signs tokens. */
export const jwtSecretOf = (folder: string) =>
  z.object({ jwtSecret: z.string() }).parse(JSON.parse(readFileSync(join(folder, "keys.json"), "utf8"))).jwtSecret;

/** A token with changed claims, signed like those of the Auth of the stack in a folder. */
export function resigned(token: string, claims: object, folder: string): string {
  const [header = "", payload = ""] = token.split(".");
  const claimsBefore: object = JSON.parse(Buffer.from(payload, "base64url").toString());
  const content = `${header}.${Buffer.from(JSON.stringify({ ...claimsBefore, ...claims })).toString("base64url")}`;
  return `${content}.${createHmac("sha256", jwtSecretOf(folder)).update(content).digest("base64url")}`;
}
