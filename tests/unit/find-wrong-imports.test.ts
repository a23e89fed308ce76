import { expect, test } from "vitest";
import { findWrongImports } from "../../scripts/find-wrong-imports.ts";

test.each([
  ["lib/permissions/a.ts", 'import { b } from "@/lib/charts/b";'],
  ["lib/charts/a.ts", 'import type { B } from "@/lib/voters/b";'],
  ["lib/auth/a.ts", 'export { b } from "@/lib/permissions/b";'],
  ["lib/env.ts", 'import { b } from "@/lib/http/b";'],
  ["lib/charts/a.ts", 'import { b } from "@/components/charts/b";'],
  ["lib/charts/a.ts", 'const { b } = await import("@/lib/voters/b");'],
  ["lib/charts/a.ts", 'import { b } from "../voters/b";'],
  ["components/voters/a.tsx", 'import { B } from "@/components/signatures/b";'],
  ["components/voters/a.tsx", 'import { b } from "@/app/voters/b";'],
  ["components/new/a.tsx", 'import { B } from "@/components/ui/b";'],
])("refuses in %s: %s", (path, text) => {
  expect(findWrongImports(path, text)).toHaveLength(1);
});

test.each([
  ["lib/charts/a.ts", 'import { b } from "@/lib/charts/b";\nimport { AppError } from "@/lib/errors";'],
  ["lib/signatures/a.ts", 'import { b } from "@/lib/signers/b";'],
  ["components/signatures/a.tsx", 'import { B } from "@/components/voters/b";\nimport { c } from "@/lib/voters/c";'],
  ["app/[team]/page.tsx", 'import { B } from "@/components/voters/b";\nimport { c } from "./c";'],
  ["middleware.ts", 'import { b } from "@/lib/http/b";'],
])("allows in %s: %s", (path, text) => {
  expect(findWrongImports(path, text)).toEqual([]);
});
