import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** A token of the stack in a folder with other claims, signed as its Auth signs. */
export function resigned(token: string, claims: object, folder: string): string {
  const { jwtSecret } = z
    .object({ jwtSecret: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, "keys.json"), "utf8")));
  const [header = "", payload = ""] = token.split(".");
  const known: object = JSON.parse(Buffer.from(payload, "base64url").toString());
  const content = `${header}.${Buffer.from(JSON.stringify({ ...known, ...claims })).toString("base64url")}`;
  return `${content}.${createHmac("sha256", jwtSecret).update(content).digest("base64url")}`;
}
