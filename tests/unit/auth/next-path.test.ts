import { describe, expect, it } from "vitest";
import { nextPath, nextPathOn } from "@/lib/auth/next-path";

describe("nextPath", () => {
  it.each(["/", "/riverside/campaign/clean-water?tab=a&b=%2F#top", "/a//b", "/@someone"])(
    "keeps a path of this site: %s",
    (path) => {
      expect(nextPath(path)).toBe(path);
    },
  );

  it("escapes other letters for a header", () => {
    expect(nextPath("/ä/日本")).toBe("/%C3%A4/%E6%97%A5%E6%9C%AC");
  });

  it.each([
    ["another site", "https://evil.test/"],
    ["another site without a scheme", "//evil.test"],
    ["a backslash that browsers read as a slash", "/\\evil.test"],
    ["a backslash at the start", "\\/evil.test"],
    ["a path that becomes another site when its dots are resolved", "/.//evil.test"],
    ["a tab that browsers drop", "/\t/evil.test"],
    ["a line end that browsers drop", "/\n/evil.test"],
    ["a header that would be split", "/a\r\nSet-Cookie: a=b"],
    ["a null character", "/a\u0000"],
    ["a control character of the upper half", "/a\u0085"],
    ["a script", "javascript:alert(1)"],
    ["a path without its slash", "riverside"],
    ["a space before the slash", " /riverside"],
    ["an empty text", ""],
    ["no parameter", undefined],
    ["null", null],
    ["a repeated parameter", ["/a", "/b"]],
    ["an uploaded file", new File([], "/a")],
  ])("goes home instead of to %s", (_case, value) => {
    expect(nextPath(value)).toBe("/");
  });

  it("returns nothing that a browser takes to another site", () => {
    for (const value of ["/.//evil.test", "/a/..//evil.test", "/%2f%2fevil.test", "/%5cevil.test"]) {
      expect(new URL(nextPath(value), "https://signet.test").origin).toBe("https://signet.test");
    }
  });
});

describe("nextPathOn", () => {
  it.each([
    ["https://signet.test/riverside?page=2", "/riverside?page=2"],
    ["/riverside", "/riverside"],
    ["https://signet.test", "/"],
    ["https://signet.test//evil.test", "/"],
    ["https://signet.test.evil.test/x", "/"],
    ["https://evil.test/x", "/"],
    [undefined, "/"],
  ])("leads from the link %s to %s", (value, path) => {
    expect(nextPathOn("https://signet.test", value)).toBe(path);
  });
});
