import { DatabaseSync } from "node:sqlite";

/**
 * Takes a lock that the operating system releases when this process ends, however it ends: no stale lock, no race over
 * one. False when another process keeps it.
 */
export function lockFile(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("pragma locking_mode = exclusive; begin exclusive; create table if not exists lock (held int)");
  } catch (error) {
    database.close();
    if (error instanceof Error && error.message.includes("locked")) return false;
    throw error;
  }
  held.push(database); // a collected database would close, and with it the lock
  return true;
}

const held: DatabaseSync[] = [];
