import { randomBytes } from "node:crypto";
import type { Keys } from "../../scripts/local-stack/open-database.ts";

/** Keys of a database that lives as long as the bench. */
export function randomKeys(): Keys {
  const random = () => randomBytes(24).toString("hex");
  return { publishable: `sb_publishable_${random()}`, secret: `sb_secret_${random()}`, jwtSecret: random() };
}
