import { randomBytes } from "node:crypto";
import type { Keys } from "../../scripts/local-stack/open-database.ts";

/** The keys of a database that exists only during the benchmark. */
export function randomKeys(): Keys {
  const random = () => randomBytes(24).toString("hex");
  return { publishable: `sb_publishable_${random()}`, secret: `sb_secret_${random()}`, jwtSecret: random() };
}
