import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRedisServer } from "../../../scripts/local-stack/redis-server.ts";

function folderWith(...programs: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "signet-path-"));
  for (const name of programs) {
    writeFileSync(join(folder, name), "#!/bin/sh\nexit 1\n");
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test("uses an installed Redis or Valkey", () => {
  const folder = folderWith("valkey-server", "apt-get");
  expect(findRedisServer([folder], false)).toBe(join(folder, "valkey-server"));
});

test("shows the exact command without Redis and without root", () => {
  expect(() => findRedisServer([folderWith("apt-get")], false)).toThrow(
    "Signet needs Redis. Run: sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends redis-server'",
  );
});

test("says what to install without Redis and without a known package manager", () => {
  expect(() => findRedisServer([folderWith()], true)).toThrow("install redis-server, or set REDIS_URL");
});
