import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "npm:zod@4.6.7";

const longestText = 100; // characters
const largestBody = 64 * 1024; // bytes
const mostFailedLogins = 60; // a minute
const mostOfToken = 1_200; // searches a minute: twice what one person may ask of Signet, whose minutes begin at other times
const mostSearches = 6_000; // a minute, of all tokens
const ownShare = 60; // searches a minute that a token has whatever the others ask

type Failure = { status?: number | undefined; code?: string | undefined; message: string };
type Answer<Data> = { data: Data; error: Failure | null };
type User = { email?: string | undefined; email_confirmed_at?: string | undefined };

// Unknown fields are refused: ignoring a misspelled filter would find every voter.
const strictly = {
  error: (issue: { code: string; keys?: unknown }) =>
    issue.code === "unrecognized_keys" && Array.isArray(issue.keys)
      ? `${String(issue.keys[0]).slice(0, longestText)} is not known here.`
      : "The body must be a JSON object.",
};

const filled = (name: string) => z.string(`${name} must be a text.`).min(1, `${name} must be a text.`);
const loginSchema = z.strictObject(
  { email: filled("email"), password: filled("password"), mode: z.literal("json", 'mode must be "json".') },
  strictly,
);

const filter = (name: string) =>
  z
    .string(`${name} must be a text.`)
    .refine((text) => [...text].length <= longestText, `${name} must have ${longestText} characters at most.`)
    .refine((text) => !text.includes("\0") && text.isWellFormed(), `${name} must be a text of whole characters.`)
    .optional();
const number = (name: string) => z.int32(`${name} must be a whole number.`).optional();
const paramsSchema = z.strictObject(
  {
    firstName: filter("firstName"),
    lastName: filter("lastName"),
    houseNumber: filter("houseNumber"),
    zip: filter("zip"),
    city: filter("city"),
    county: filter("county"),
    street: filter("street"),
    voterId: filter("voterId"),
    similar: z.boolean("similar must be true or false.").optional(),
    order: filter("order"),
    queryFrom: number("queryFrom"),
    querySize: number("querySize"),
  },
  strictly,
);

type Params = Omit<z.infer<typeof paramsSchema>, "similar">;

const foundSchema = z.object({
  total: z.number(),
  relation: z.enum(["eq", "gte"]),
  hits: z.array(z.looseObject({ voterId: z.string() })),
});

/** What the function needs, and the one account that may search: its address, and the SHA-256 of its password in hex. */
export type Dependencies = {
  serviceEmail: string | undefined;
  servicePasswordDigest: string | undefined;
  /** Returns the user with this password. The session this creates is ended and never returned. */
  checkPassword(credentials: { email: string; password: string }): Promise<Answer<{ user: User | null }>>;
  /** A token that only allows searching, and its lifetime in ms. */
  makeToken(email: string): Promise<{ token: string; expires: number }>;
  /** The id of a token that was made for this address; null for any other, and for one that has expired. */
  readToken(token: string, email: string): Promise<string | null>;
  /** Counts a request of this name within a minute, of which so many seconds remain. */
  countRequest(name: string): Promise<{ count: number; remaining: number }>;
  searchVoters(params: Params): Promise<Answer<unknown>>;
  /** Near matches: voters that searchVoters doesn't find, nearest first. */
  similarVoters(params: Params): Promise<Answer<unknown>>;
};

/** An answer other than 200, in the words of Directus: `{ errors: [{ message, extensions: { code } }] }`. */
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
 * A search backend as the search routes expect it (contract 4.2): `POST /auth/login` as Directus answers it, and
 * `POST /essearch/validation` as Elasticsearch does. Only the service account can log in. Its token only allows
 * searching, because it is stored in a cookie of the person who searches.
 */
export async function handle(request: Request, dependencies: Dependencies): Promise<Response> {
  try {
    return answer(200, await run(request, dependencies));
  } catch (cause) {
    if (cause instanceof Refusal) {
      const { status, message, code, headers } = cause;
      return answer(status, { errors: [{ message, extensions: { code } }] }, headers);
    }
    console.error("search-backend failed:", cause);
    const message = "The voter file cannot be searched right now. Try again in a moment.";
    return answer(500, { errors: [{ message, extensions: { code: "INTERNAL_SERVER_ERROR" } }] });
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
  const account = accountOf(dependencies);
  try {
    await requireAccount(request, account, dependencies);
  } catch (error) {
    // Counts only failures, so the right password always works, however many wrong ones were tried.
    if (error instanceof Refusal) await requireRate(dependencies, "failed-logins", mostFailedLogins);
    throw error;
  }
  const { token, expires } = await dependencies.makeToken(account.email);
  return { data: { access_token: token, expires } };
}

async function requireAccount(request: Request, account: Account, { checkPassword }: Dependencies) {
  const { email, password } = await readBody(request, loginSchema);

  // Auth limits attempts by address, and sees this function's address here: no wrong password may reach it.
  if (email.toLowerCase() !== account.email || !isPassword(password, account)) throw wrongCredentials();
  const { data, error } = await checkPassword({ email, password });
  if (error?.status === 429) return; // Auth's limit for this function's address; the hash has already matched
  if (error && !isRefused(error)) throw error;
  if (error || !data.user) throw wrongCredentials();
  if (!data.user.email_confirmed_at || data.user.email?.toLowerCase() !== account.email) {
    throw new Refusal(403, "FORBIDDEN", "This account may not search the voter file.");
  }
}

function isPassword(password: string, { passwordDigest }: Account) {
  return timingSafeEqual(createHash("sha256").update(password).digest(), passwordDigest);
}

async function search(request: Request, dependencies: Dependencies) {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!token) throw new Refusal(401, "INVALID_TOKEN", "Send the token of a login as `Authorization: Bearer <token>`.");
  const id = await dependencies.readToken(token, emailOf(dependencies));
  if (id === null) throw new Refusal(401, "TOKEN_EXPIRED", "This token is not valid any more. Log in again.");

  // Before reading the body, which costs time too. Requests above a token's own limit don't count toward the common one.
  const own = await requireRate(dependencies, `token:${id}`, mostOfToken);
  const all = await dependencies.countRequest("search-backend:searches");
  if (all.count > mostSearches && own > ownShare) throw tooMany(all.remaining);

  const { similar, ...params } = await readBody(request, paramsSchema);
  const found = await (similar ? dependencies.similarVoters(params) : dependencies.searchVoters(params));
  if (found.error?.code === "22023") throw invalid(found.error.message); // the search names what it refuses
  if (found.error) throw found.error;
  const { total, relation, hits } = foundSchema.parse(found.data);
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
  const read = schema.safeParse(body);
  if (!read.success) throw invalid(read.error.issues[0]?.message ?? "");
  return read.data;
}

async function readText(request: Request) {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > largestBody) throw new Refusal(413, "CONTENT_TOO_LARGE", "The body must have 64 KiB at most.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

type Account = { email: string; passwordDigest: Uint8Array };

function accountOf(dependencies: Dependencies): Account {
  const email = emailOf(dependencies);
  const digest = dependencies.servicePasswordDigest ?? "";
  if (!/^[0-9a-f]{64}$/i.test(digest)) throw new Error("SEARCH_BACKEND_PASSWORD_SHA256 isn't set to 64 hex digits.");
  return { email, passwordDigest: Buffer.from(digest, "hex") };
}

function emailOf({ serviceEmail }: Dependencies) {
  if (!serviceEmail) throw new Error("SEARCH_BACKEND_EMAIL is not set.");
  return serviceEmail.toLowerCase();
}

async function requireRate({ countRequest }: Dependencies, name: string, most: number) {
  const { count, remaining } = await countRequest(`search-backend:${name}`);
  if (count > most) throw tooMany(remaining);
  return count;
}

// Any other failure is Auth's own.
function isRefused({ status }: Failure) {
  return status !== undefined && status >= 400 && status < 500 && status !== 429;
}

function invalid(message: string) {
  return new Refusal(400, "INVALID_PAYLOAD", message);
}

function wrongCredentials() {
  return new Refusal(401, "INVALID_CREDENTIALS", "Invalid user credentials.");
}

function tooMany(seconds: number) {
  const message = `Too many requests. Try again in ${seconds} seconds.`;
  return new Refusal(429, "REQUESTS_EXCEEDED", message, { "Retry-After": String(seconds) });
}

// No browser calls this: without CORS headers none can read it either.
function answer(status: number, body: unknown, extra: Record<string, string> = {}) {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...extra } });
}
