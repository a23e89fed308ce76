import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "npm:zod@4.6.7";
import { bearerToken } from "../_shared/bearer-token.ts";

const maxTextLength = 100;
const maxBodyBytes = 64 * 1024;
const maxFailedLoginsPerMinute = 60;
const maxTokenSearchesPerMinute = 1_200; // twice what one person may do in Signet, whose minutes begin at other times
const maxSearchesPerMinute = 6_000; // of all tokens
const guaranteedSearchesPerMinute = 60; // of each token, whatever the others use

type Failure = { status?: number | undefined; code?: string | undefined; message: string };
type Result<Data> = { data: Data; error: Failure | null };
type User = { email?: string | undefined; email_confirmed_at?: string | undefined };

// Unknown fields are refused: ignoring a misspelled filter would find every voter.
const strictErrors = {
  error: (issue: { code: string; keys?: unknown }) =>
    issue.code === "unrecognized_keys" && Array.isArray(issue.keys)
      ? `${String(issue.keys[0]).slice(0, maxTextLength)} isn't a known field.`
      : "The body must be a JSON object.",
};

const requiredText = (name: string) => z.string(`${name} must be text.`).min(1, `${name} must be text.`);
const loginSchema = z.strictObject(
  { email: requiredText("email"), password: requiredText("password"), mode: z.literal("json", 'mode must be "json".') },
  strictErrors,
);

const optionalText = (name: string) =>
  z
    .string(`${name} must be text.`)
    .refine((text) => [...text].length <= maxTextLength, `${name} can have at most ${maxTextLength} characters.`)
    .refine((text) => !text.includes("\0") && text.isWellFormed(), `${name} must be text of whole characters.`)
    .optional();
const optionalInteger = (name: string) => z.int32(`${name} must be a whole number.`).optional();
const texts = "firstName lastName houseNumber zip city county street voterId birthYear order".split(" ");
const paramsSchema = z.strictObject(
  {
    ...Object.fromEntries(texts.map((name) => [name, optionalText(name)])),
    similar: z.boolean("similar must be true or false.").optional(),
    queryFrom: optionalInteger("queryFrom"),
    querySize: optionalInteger("querySize"),
  },
  strictErrors,
);

type Params = Omit<z.infer<typeof paramsSchema>, "similar">;

const resultSchema = z.object({
  total: z.number(),
  relation: z.enum(["eq", "gte"]),
  hits: z.array(z.looseObject({ voterId: z.string() })),
});

/** The account that may search, with the SHA-256 of its password in hex, and what the function uses. */
export type Dependencies = {
  serviceEmail: string | undefined;
  servicePasswordDigest: string | undefined;
  /** Returns the user with this password. The session this creates is ended and never returned. */
  checkPassword(credentials: { email: string; password: string }): Promise<Result<{ user: User | null }>>;
  /** A token that only allows searching, and its lifetime in ms. */
  makeToken(email: string): Promise<{ token: string; expires: number }>;
  /** The id of a token that was made for this address; null for any other, and for an expired one. */
  readToken(token: string, email: string): Promise<string | null>;
  /** Counts a request of this name within a minute, of which `remaining` seconds are left. */
  countRequest(name: string): Promise<{ count: number; remaining: number }>;
  searchVoters(params: Params): Promise<Result<unknown>>;
  /** Near matches: voters that searchVoters doesn't find, nearest first. */
  similarVoters(params: Params): Promise<Result<unknown>>;
};

/** A response other than 200, in the form of Directus: `{ errors: [{ message, extensions: { code } }] }`. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;
  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * A search backend for the search routes (contract 4.2). `POST /auth/login` has the form of Directus, `POST
 * /essearch/validation` that of Elasticsearch. Only the service account can log in. Its token only allows searching, because it
 * is stored in a cookie of the person who searches.
 */
export async function handle(request: Request, dependencies: Dependencies): Promise<Response> {
  try {
    return json(200, await run(request, dependencies));
  } catch (cause) {
    if (!(cause instanceof Refusal)) console.error("search-backend failed:", cause);
    const { status, code, message, headers } = cause instanceof Refusal ? cause : failure();
    return json(status, { errors: [{ message, extensions: { code } }] }, headers);
  }
}

function run(request: Request, dependencies: Dependencies): Promise<unknown> {
  const path = new URL(request.url).pathname.replace(/^\/search-backend/, "");
  const action = path === "/auth/login" ? logIn : path === "/essearch/validation" ? search : undefined;
  if (!action) throw new Refusal(404, "ROUTE_NOT_FOUND", "There is no such path.");
  if (request.method !== "POST") throw new Refusal(405, "METHOD_NOT_ALLOWED", "Use POST.", { Allow: "POST" });
  return action(request, dependencies);
}

async function logIn(request: Request, dependencies: Dependencies) {
  const account = serviceAccount(dependencies);
  try {
    await requireAccount(request, account, dependencies);
  } catch (error) {
    // Only failures count, so the right password always works.
    if (error instanceof Refusal) await enforceRateLimit(dependencies, "failed-logins", maxFailedLoginsPerMinute);
    throw error;
  }
  const { token, expires } = await dependencies.makeToken(account.email);
  return { data: { access_token: token, expires } };
}

async function requireAccount(request: Request, account: Account, { checkPassword }: Dependencies) {
  const { email, password } = await readBody(request, loginSchema);

  // Auth would count a wrong password against this function's address, so none may reach it.
  if (email.toLowerCase() !== account.email || !isPassword(password, account)) throw wrongCredentials();
  const { data, error } = await checkPassword({ email, password });
  if (error?.status === 429) return; // the limit of this function's address; the hash has already matched
  if (error && !isRefused(error)) throw error;
  if (error || !data.user) throw wrongCredentials();
  if (!data.user.email_confirmed_at || data.user.email?.toLowerCase() !== account.email) {
    throw new Refusal(403, "FORBIDDEN", "This account can't search the voter file.");
  }
}

function isPassword(password: string, { passwordDigest }: Account) {
  return timingSafeEqual(createHash("sha256").update(password).digest(), passwordDigest);
}

async function search(request: Request, dependencies: Dependencies) {
  const token = bearerToken(request);
  if (!token) throw new Refusal(401, "INVALID_TOKEN", "Send the token of a login as `Authorization: Bearer <token>`.");
  const id = await dependencies.readToken(token, serviceAccountEmail(dependencies));
  if (id === null) throw new Refusal(401, "TOKEN_EXPIRED", "This token is no longer valid. Log in again.");

  // Before reading the body, which takes time. Requests above a token's own limit don't count toward the common one.
  const tokenCount = await enforceRateLimit(dependencies, `token:${id}`, maxTokenSearchesPerMinute);
  const allSearches = await dependencies.countRequest("search-backend:searches");
  if (allSearches.count > maxSearchesPerMinute && tokenCount > guaranteedSearchesPerMinute)
    throw tooMany(allSearches.remaining);

  const { similar, ...params } = await readBody(request, paramsSchema);
  const result = await (similar ? dependencies.similarVoters(params) : dependencies.searchVoters(params));
  if (result.error?.code === "22023") throw invalid(result.error.message);
  if (result.error && /^TimeoutError|57014/.test(`${result.error.message} ${result.error.code}`)) throw tookTooLong();
  if (result.error) throw result.error;
  const { total, relation, hits } = resultSchema.parse(result.data);
  return {
    hits: { total: { value: total, relation }, hits: hits.map((hit) => ({ _id: hit.voterId, _source: hit })) },
  };
}

async function readBody<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.infer<Schema>> {
  const text = await readText(request);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalid("The body must be JSON.");
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw invalid(parsed.error.issues[0]?.message ?? "");
  return parsed.data;
}

async function readText(request: Request) {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) throw new Refusal(413, "CONTENT_TOO_LARGE", "The body can have at most 64 KiB.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

type Account = { email: string; passwordDigest: Uint8Array };

function serviceAccount(dependencies: Dependencies): Account {
  const email = serviceAccountEmail(dependencies);
  const digest = dependencies.servicePasswordDigest ?? "";
  if (!/^[0-9a-f]{64}$/i.test(digest)) throw new Error("SEARCH_BACKEND_PASSWORD_SHA256 isn't set to 64 hex digits.");
  return { email, passwordDigest: Buffer.from(digest, "hex") };
}

function serviceAccountEmail({ serviceEmail }: Dependencies) {
  if (!serviceEmail) throw new Error("SEARCH_BACKEND_EMAIL isn't set.");
  return serviceEmail.toLowerCase();
}

async function enforceRateLimit({ countRequest }: Dependencies, name: string, limit: number) {
  const { count, remaining } = await countRequest(`search-backend:${name}`);
  if (count > limit) throw tooMany(remaining);
  return count;
}

// Other failures aren't about the password.
function isRefused({ status }: Failure) {
  return status !== undefined && status >= 400 && status < 500 && status !== 429;
}

function invalid(message: string) {
  return new Refusal(400, "INVALID_PAYLOAD", message);
}

function wrongCredentials() {
  return new Refusal(401, "INVALID_CREDENTIALS", "Invalid user credentials.");
}

function failure() {
  return new Refusal(500, "INTERNAL_SERVER_ERROR", "Couldn't search the voter file. Try again in a moment.");
}

function tookTooLong() {
  return new Refusal(504, "TIMEOUT", "The search took too long. Try again in a moment.");
}

function tooMany(seconds: number) {
  const message = `Too many requests. Try again in ${seconds} seconds.`;
  return new Refusal(429, "REQUESTS_EXCEEDED", message, { "Retry-After": String(seconds) });
}

// CORS headers aren't needed, as no browser calls this.
function json(status: number, body: unknown, extraHeaders: Record<string, string> = {}) {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...extraHeaders } });
}
