import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { serve } from "@hono/node-server";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeEach, inject, vi } from "vitest";
import { z } from "zod";
import type { SentEmail } from "../../scripts/local-stack/mailbox.ts";
import { openDatabase } from "../../scripts/local-stack/open-database.ts";
import { createDatabase, dropDatabase } from "../../scripts/local-stack/postgres-server.ts";
import type { Database } from "../../supabase/functions/_shared/database.ts";

/** A person who signed up, with the access token of that sign-up. */
export type Person = { id: string; token: string };

type RestRequest = {
  /** The publishable key, the secret key, or the publishable key with a person's token. */
  as?: "stranger" | "service" | Person;
  /** By default POST with a body and GET without. */
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

type RestAnswer = { status: number; body: unknown };

export type TestDatabase = {
  /** Its URL for the superuser. */
  url: string;
  /** Runs SQL as the owner of the database. */
  sql<Row = Record<string, unknown>>(query: string, parameters?: unknown[]): Promise<Row[]>;
  /** Signs up through Auth. `name` is the user's name and the first part of their address, so each works once. */
  signUp(name: string): Promise<Person>;
  /** A client of supabase-js as a person, or with the secret key. */
  client(as: "service" | Person): SupabaseClient<Database>;
  /** Sends a request to a path below `/rest/v1/`. */
  rest(path: string, request?: RestRequest): Promise<RestAnswer>;
  /** Serves the database over HTTP; returns the environment variables for the application. */
  serve(): Promise<
    Record<"NEXT_PUBLIC_SUPABASE_URL" | "NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY" | "SUPABASE_SECRET_KEY", string>
  >;
  /** The emails of Auth, newest first. */
  emails: SentEmail[];
  close(): Promise<void>;
};

const signUpAnswer = z.object({ access_token: z.string(), user: z.object({ id: z.uuid() }) });

/** Creates a database on the server of this run, as a copy of the migrated one or another template. Returns its address. */
export async function copyDatabase(template = "migrated"): Promise<string> {
  return createDatabase(inject("postgres"), `test_${randomBytes(8).toString("hex")}`, template);
}

/** Opens the database of a test file, which is deleted after its tests. */
export async function setUpTestDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase();
  afterAll(() => database.close());
  return database;
}

/** Sets environment variables for each test of a file, and restores the environment after it. */
export function setUpEnv(settings: Record<string, string>): void {
  beforeEach(() => {
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
}

/** Opens a new migrated database with new keys, which is deleted on close. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const keys = {
    publishable: `sb_publishable_${randomBytes(16).toString("hex")}`,
    secret: `sb_secret_${randomBytes(16).toString("hex")}`,
    jwtSecret: randomBytes(32).toString("hex"),
  };
  const url = await copyDatabase();
  const database = await openDatabase({ url, keys });
  let server: ReturnType<typeof serve> | undefined;

  const send = async (path: string, method: string, headers: Record<string, string>, body: unknown) => {
    const response = await database.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const result: unknown = text === "" ? null : JSON.parse(text);
    return { status: response.status, body: result };
  };

  return {
    url,
    sql: database.sql,
    emails: database.emails,
    serve: async () => {
      const bind = { port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false };
      server = serve({ fetch: database.fetch, ...bind });
      await once(server, "listening");
      const address = z.object({ port: z.int() }).parse(server.address());
      return {
        NEXT_PUBLIC_SUPABASE_URL: `http://127.0.0.1:${address.port}`,
        NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: keys.publishable,
        SUPABASE_SECRET_KEY: keys.secret,
      };
    },
    close: async () => {
      server?.close();
      await database.close();
      await dropDatabase(inject("postgres"), new URL(url).pathname.slice(1));
    },
    signUp: async (name) => {
      const { body } = await send(
        "/auth/v1/signup",
        "POST",
        { apikey: keys.publishable },
        { email: `${name}@people.test`, password: randomBytes(12).toString("hex"), data: { name } },
      );
      const { access_token: token, user } = signUpAnswer.parse(body);
      return { id: user.id, token };
    },
    client: (as) =>
      createClient<Database>("http://127.0.0.1", as === "service" ? keys.secret : keys.publishable, {
        auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
        global: {
          headers: as === "service" ? {} : { authorization: `Bearer ${as.token}` },
          fetch: (input, init) => database.fetch(new Request(input, init)),
        },
      }),
    rest: (path, { as = "stranger", body, method = body === undefined ? "GET" : "POST", headers } = {}) => {
      const credentials: Record<string, string> =
        as === "service"
          ? { apikey: keys.secret }
          : { apikey: keys.publishable, ...(as === "stranger" ? {} : { authorization: `Bearer ${as.token}` }) };
      return send(`/rest/v1/${path}`, method, { ...credentials, ...headers }, body);
    },
  };
}
