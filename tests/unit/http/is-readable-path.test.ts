import { expect, test } from "vitest";
import { isReadablePath } from "../../../lib/http/request-guards.ts";

test.each(["/", "/riverside/members", "/%c3%a9", "/100%25", "/%2e%2e/x", "/a%2Fb", "/%f0%9f%98%80"])(
  "accepts %s",
  (path) => expect(isReadablePath(path)).toBe(true),
);

test.each(["/%ff", "/api/charts/%ff", "/riverside/%E0%A4%A", "/%", "/%zz", "/x%2", "/%ed%a0%80", "/%00", "/a/%00b"])(
  "rejects %s",
  (path) => expect(isReadablePath(path)).toBe(false),
);
