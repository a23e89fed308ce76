import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { siteUrl } from "../../support/demo.ts";
import { cookieOf } from "../../support/session-cookies.ts";

// Input that no browser sends to a server action gets a form state or a refusal of Next.js, without internals and with the id
// under which the cause is logged.

const manifest = JSON.parse(readFileSync(".next/server/server-reference-manifest.json", "utf8"));
const { node } = z.object({ node: z.record(z.string(), z.object({ exportedName: z.string() })) }).parse(manifest);
const [id = ""] = Object.entries(node).find(([, { exportedName }]) => exportedName === "createRole") ?? [];
const cookie = await cookieOf("admin");

const form = (fields: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
};
const reference = JSON.stringify({ id, bound: "$@1" });
type Sent = [body: BodyInit | undefined, type?: string];

const tooLarge = '{"error":"The request is larger than 1 MB. Send less at a time."}';
// Pages show these as “something went wrong”.
const refusals: Record<number, RegExp> = {
  400: /^Invalid Server Action request\.$/,
  404: /Page not found/,
  500: /^Internal Server Error$|^0:\{"a":"\$@1",[^\n]+\n1:E\{"digest":"\d+"\}\n$/,
};
const text = "text/plain;charset=UTF-8";
const calls: Record<string, Sent> = {
  "no body": [undefined, text],
  "an empty body": ["", text],
  "an object": ["{}", text],
  "a text": ['"x"', text],
  null: ["null", text],
  "half a JSON": ["[{}", text],
  "no arguments": ["[]", text],
  nulls: ["[null,null]", text],
  numbers: ["[1,2,3]", text],
  "an object in the place of the form": ['[{"__proto__":{"a":1}},{"team":"riverside"}]', text],
  "a missing form": ['[{},"$K1"]', text],
  "a function": ['[{},"$F1"]', text],
  "a map": ['[{},"$Q1"]', text],
  "a promise": ['[{},"$@1"]', text],
  "1 MB of lists in lists": ["[".repeat(500_000) + "]".repeat(500_000), text],
  "a form in another encoding": ["a=b", "application/x-www-form-urlencoded"],
  "invalid parts": ["garbage", "multipart/form-data; boundary=x"],
  "parts without a boundary": ["garbage", "multipart/form-data"],
  "parts without the arguments": [form({ a: "b" })],
  "parts with half the arguments": [form({ "0": "{" })],
  "texts in the place of both arguments": [form({ "0": '["a","b"]' })],
  "arguments that contain themselves": [form({ "0": '[{"x":"$0"},"$K1"]' })],
};
const plainForms: Record<string, Sent> = {
  "no action": [form({ a: "b" })],
  "invalid parts": ["garbage", "multipart/form-data; boundary=x"],
  "half a reference": [form({ $ACTION_REF_1: "", "$ACTION_1:0": "{" })],
  "no reference": [form({ $ACTION_REF_1: "", "$ACTION_1:0": "null" })],
  "half the arguments": [form({ $ACTION_REF_1: "", "$ACTION_1:0": reference, "$ACTION_1:1": "{", $ACTION_KEY: "k" })],
  "no arguments": [form({ $ACTION_REF_1: "", "$ACTION_1:0": reference, $ACTION_KEY: "k" })],
  "null for the arguments": [form({ $ACTION_REF_1: "", "$ACTION_1:0": reference, "$ACTION_1:1": "null" })],
  "a reference that isn't a number": [form({ $ACTION_REF_x: "", "$ACTION_x:0": reference, "$ACTION_x:1": "{" })],
  "20 000 arguments": [
    form({ $ACTION_REF_1: "", "$ACTION_1:0": reference, "$ACTION_1:1": JSON.stringify(Array(20_000).fill(0)) }),
  ],
};

async function send([body, type]: Sent, headers: Record<string, string>) {
  const response = await fetch(`${siteUrl}/riverside/roles`, {
    method: "POST",
    headers: { cookie, origin: siteUrl, ...headers, ...(type !== undefined && { "content-type": type }) },
    ...(body !== undefined && { body }),
    redirect: "manual",
  });
  expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
  return { status: response.status, text: await response.text() };
}

test.each(Object.entries(calls))("a call with %s", async (_what, sent) => {
  const { status, text } = await send(sent, { "next-action": id });
  if (status === 200) expect(text).toMatch(/"message":null,"error":"Fix the \d fields above\."/);
  else expect(text).toMatch(refusals[status] ?? "no other status");
});

test.each(Object.entries(plainForms))("a form without JavaScript with %s", async (_what, sent) => {
  const { status, text } = await send(sent, {});
  expect(status).not.toBe(200);
  expect(text).toMatch(refusals[status] ?? "no other status");
});

test("a field of 3 MB: 413, with JavaScript and without", async () => {
  const field = "x".repeat(3_000_000);
  const call: Sent = [form({ "0": '[{},"$K1"]', _1_team: field })];
  expect(await send(call, { "next-action": id })).toEqual({ status: 413, text: tooLarge });
  const plain: Sent = [form({ [`$ACTION_ID_${id}`]: "", team: field })];
  expect(await send(plain, {})).toEqual({ status: 413, text: tooLarge });
});

test.each([
  ["another site", "sec-fetch-site", "cross-site"],
  ["another origin", "origin", "https://evil.test"],
  ["an invalid origin", "origin", "evil"],
])("from %s: 403, with JavaScript and without", async (_from, header, value) => {
  const error = "This request came from another site. Open Signet and try again.";
  for (const call of [["next-action", id] as const, ["accept", "*/*"] as const]) {
    const headers = Object.fromEntries([call, [header, value]]);
    const { status, text: body } = await send([form({ "0": "[null,null]" })], headers);
    expect([status, JSON.parse(body)]).toEqual([403, { error }]);
  }
});

test("a complete form without JavaScript is read, and names its missing fields", async () => {
  const fields = { $ACTION_REF_1: "", "$ACTION_1:0": reference, $ACTION_KEY: "k", team: "riverside", setIds: "[]" };
  const { status, text } = await send([form({ ...fields, "$ACTION_1:1": '[{"message":null,"error":null}]' })], {});
  expect(status).toBe(200);
  expect(text).toContain("Fix the 2 fields above.");
});
