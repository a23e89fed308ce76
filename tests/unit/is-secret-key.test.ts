import { expect, test } from "vitest";
import { isSecretKey } from "../../supabase/functions/_shared/is-secret-key.ts";

const secrets = ["sb_secret_current", "sb_secret_previous"];

const requestWith = (headers: Record<string, string>) =>
  new Request("http://functions/invalidate-permissions", { method: "POST", headers });

test.each<[what: string, headers: Record<string, string>, expected: boolean]>([
  ["the secret key as apikey", { apikey: "sb_secret_current" }, true],
  ["another of the secret keys", { apikey: "sb_secret_previous" }, true],
  ["the secret key as bearer token", { authorization: "Bearer sb_secret_current" }, true],
  ["the secret key as bearer token, spelled differently", { authorization: "bearer   sb_secret_previous" }, true],
  ["the secret key as both", { apikey: "sb_secret_current", authorization: "Bearer sb_secret_current" }, true],
  ["the secret key and a user's token", { apikey: "sb_secret_current", authorization: "Bearer e.y.J" }, true],
  ["nothing", {}, false],
  ["empty headers", { apikey: "", authorization: "" }, false],
  ["a bearer token without a token", { authorization: "Bearer " }, false],
  ["the publishable key", { apikey: "sb_publishable_current" }, false],
  ["the publishable key as bearer token", { authorization: "Bearer sb_publishable_current" }, false],
  ["a user's token", { authorization: "Bearer e.y.J" }, false],
  ["a wrong key", { apikey: "sb_secret_other" }, false],
  ["the beginning of the key", { apikey: "sb_secret_curren" }, false],
  ["the key and more", { apikey: "sb_secret_current1" }, false],
  ["the key in another case", { apikey: "SB_SECRET_CURRENT" }, false],
  ["both keys in one header", { apikey: "sb_secret_current,sb_secret_previous" }, false],
  ["the key with another scheme", { authorization: "Basic sb_secret_current" }, false],
  ["the key without a scheme", { authorization: "sb_secret_current" }, false],
  ["the key with a word after it", { authorization: "Bearer sb_secret_current x" }, false],
  ["the key in another header", { "x-api-key": "sb_secret_current" }, false],
])("%s", (_, headers, expected) => {
  expect(isSecretKey(requestWith(headers), secrets)).toBe(expected);
});

test("rejects the key in the address", () => {
  const request = new Request("http://functions/invalidate-permissions?apikey=sb_secret_current", { method: "POST" });
  expect(isSecretKey(request, secrets)).toBe(false);
});

test.each<Record<string, string>>([{}, { apikey: "" }, { authorization: "Bearer" }, { apikey: "undefined" }])(
  "refuses %j in a project without keys or with an empty one",
  (headers) => {
    expect(isSecretKey(requestWith(headers), [])).toBe(false);
    expect(isSecretKey(requestWith(headers), [""])).toBe(false);
  },
);
