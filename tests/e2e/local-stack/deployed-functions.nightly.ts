// `npx supabase functions deploy` against a stand-in for Supabase's Management API: each uploaded function is started in an
// otherwise empty folder.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ownPort } from "../../../harness/own-port.ts";
import { listenNear } from "../../../scripts/local-stack/ports.ts";
import { env, setting, signInOverApi } from "../../support/demo.ts";
import { passwordDigest } from "../../support/search-token.ts";
import { functionSettings } from "../../support/start-functions.ts";

const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "signet-deployed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const metadataSchema = z.object({ entrypoint_path: z.string(), verify_jwt: z.boolean() });
type Uploaded = z.output<typeof metadataSchema> & { files: { name: string; text: string }[] };
const uploaded = new Map<string, Uploaded>();

const api = createServer(async (incoming, outgoing) => {
  const url = new URL(incoming.url ?? "/", "http://api.test");
  const slug = url.searchParams.get("slug");
  const body = Buffer.concat(await incoming.toArray());
  outgoing.setHeader("content-type", "application/json");
  if (slug === null) return outgoing.end("[]");
  const type = incoming.headers["content-type"] ?? "";
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const files = form.getAll("file").filter((file) => file instanceof File);
  uploaded.set(slug, {
    ...metadataSchema.parse(JSON.parse(String(form.get("metadata")))),
    files: await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() }))),
  });
  outgoing.writeHead(201).end(JSON.stringify({ id: slug, slug, name: slug, status: "ACTIVE", version: 1 }));
});

const started: ChildProcess[] = [];
const urls = new Map<string, string>();
beforeAll(async () => {
  const apiUrl = `http://127.0.0.1:${await listenNear(api)}`;
  const profile = join(folder, "profile.yaml");
  const others = ["dashboard_url", "docs_url"].map((name) => `${name}: ${apiUrl}\n`).join("");
  writeFileSync(
    profile,
    `name: stand-in\napi_url: ${apiUrl}\n${others}project_host: api.test\npooler_host: api.test\n`,
  );
  const cli = spawn(
    process.execPath,
    [
      join(root, "node_modules/supabase/dist/supabase.js"),
      "functions",
      "deploy",
      "--use-api",
      "--yes",
      "--project-ref",
      "a".repeat(20),
      "--profile",
      profile,
    ],
    {
      cwd: root,
      env: {
        NODE_ENV: "production",
        PATH: "",
        HOME: folder,
        DO_NOT_TRACK: "1",
        SUPABASE_TELEMETRY_DISABLED: "1",
        SUPABASE_ACCESS_TOKEN: `sbp_${"0".repeat(40)}`,
      },
      stdio: "ignore",
    },
  );
  const [code] = await once(cli, "exit");
  expect(code).toBe(0);

  for (const [slug, { entrypoint_path, files }] of uploaded) {
    const home = join(folder, slug);
    for (const { name, text } of files) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    }
    // The packages that the platform fetches for an `npm:` import.
    symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
    cpSync(join(root, "package.json"), join(home, "package.json"));
    const port = await ownPort(24_360 + urls.size * 10);
    const args = ["serve", "--allow-all", "--no-config", "--node-modules-dir=manual", "--host=127.0.0.1"];
    started.push(
      spawn(join(root, "node_modules/.bin/deno"), [...args, `--port=${port}`, join(home, entrypoint_path)], {
        cwd: home,
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          NODE_ENV: "production",
          ...functionSettings(env),
          REDIS_URL: setting("REDIS_URL"),
          SEARCH_BACKEND_EMAIL: setting("SEARCHSVC_API_EMAIL_SEARCH"),
          SEARCH_BACKEND_PASSWORD_SHA256: passwordDigest(setting("SEARCHSVC_API_PASSWORD_SEARCH")),
          SITE_URL: setting("SITE_URL"),
        },
        stdio: "ignore",
      }),
    );
    urls.set(slug, `http://127.0.0.1:${port}/${slug}`);
  }
}, 120_000);
afterAll(async () => {
  for (const child of started) child.kill();
  api.close();
});

const functions = readdirSync(join(root, "supabase/functions")).filter((name) => !name.startsWith("_"));

test("deploying uploads each function without verify_jwt", () => {
  expect([...uploaded.keys()].sort()).toEqual(functions);
  for (const [slug, { verify_jwt }] of uploaded) expect(verify_jwt, slug).toBe(false);
});

const callFunction = async (slug: string, path = "", init: RequestInit = {}) => {
  const response = await fetch(`${urls.get(slug)}${path}`, init);
  return { status: response.status, body: z.unknown().parse(await response.json()) };
};
const asOperator = { method: "POST", headers: { apikey: setting("SUPABASE_SECRET_KEY") } };

test.each(functions)("%s starts and refuses strangers", async (slug) => {
  const method = slug === "get-permissions-snapshot" ? "GET" : "POST";
  const path = slug === "search-backend" ? "/auth/login" : "";
  await expect
    .poll(() => callFunction(slug, path, { method, ...(method === "POST" && { body: "{}" }) }).catch(() => null), {
      timeout: 30_000,
    })
    .toMatchObject({ status: expect.toSatisfy((status: number) => status === 400 || status === 401) });
});

test("the deployed functions work", async () => {
  const { token } = await signInOverApi("clerk@demo.test");
  const place = "?team_id=riverside&campaign_id=clean-water";
  const snapshot = await callFunction("get-permissions-snapshot", place, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(snapshot).toMatchObject({ status: 200, body: { campaignAccess: true } });
  for (const slug of ["invalidate-permissions", "send-emails", "send-invitations", "sync-signers"]) {
    expect(await callFunction(slug, "", asOperator), slug).toMatchObject({ status: 200 });
  }
  const credentials = {
    email: setting("SEARCHSVC_API_EMAIL_SEARCH"),
    password: setting("SEARCHSVC_API_PASSWORD_SEARCH"),
    mode: "json",
  };
  const login = { method: "POST", body: JSON.stringify(credentials), headers: { "content-type": "application/json" } };
  expect(await callFunction("search-backend", "/auth/login", login)).toMatchObject({ status: 200 });
});
