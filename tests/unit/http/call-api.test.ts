import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { callApi } from "@/lib/http/call-api";

const fetchMock = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
const countAnswer = z.object({ count: z.number() });
const schema = async () => countAnswer;
const unreached = "Couldn't reach Signet. Check your connection and try again.";
const failed = { error: unreached, status: null, part: null, retryAfterSeconds: null };

beforeEach(() => vi.stubGlobal("fetch", fetchMock));
afterEach(() => {
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

test("posts a body as JSON, and returns what the schema reads from the answer", async () => {
  fetchMock.mockResolvedValue(Response.json({ count: 3, more: true }));
  expect(await callApi("/api/a", { body: { b: 1 }, schema })).toEqual({ body: { count: 3 } });
  expect(fetchMock.mock.calls).toEqual([
    [
      "/api/a",
      {
        method: "POST",
        cache: "no-store",
        signal: expect.any(AbortSignal),
        headers: { "Content-Type": "application/json" },
        body: '{"b":1}',
      },
    ],
  ]);
});

test("posts nothing without a body", async () => {
  fetchMock.mockResolvedValue(Response.json({ count: 3 }));
  await callApi("/api/a", { schema });
  expect(fetchMock.mock.calls[0]?.[1]).toEqual({ method: "POST", cache: "no-store", signal: expect.any(AbortSignal) });
});

test.each([{ team: "north", campaign: "a&b" }, "team=north&campaign=a%26b"])(
  "gets with the query %j",
  async (query) => {
    fetchMock.mockResolvedValue(Response.json({ count: 3 }));
    await callApi("/api/a", { query, schema });
    expect(fetchMock.mock.calls[0]).toEqual([
      "/api/a?team=north&campaign=a%26b",
      { method: "GET", cache: "no-store", signal: expect.any(AbortSignal) },
    ]);
  },
);

test("sends the known version, and reports when it is still current", async () => {
  fetchMock.mockResolvedValue(new Response(null, { status: 304 }));
  expect(await callApi("/api/a", { query: "b=1", knownVersion: "v1", schema })).toMatchObject({ status: 304 });
  expect(fetchMock.mock.calls[0]?.[1].headers).toEqual({ "If-None-Match": '"v1"' });
});

test("returns a file, even an empty one, without a schema", async () => {
  fetchMock.mockResolvedValueOnce(new Response("all"));
  const file = await callApi("/file");
  expect("body" in file && (await file.body.text())).toBe("all");
  fetchMock.mockResolvedValueOnce(new Response(null, { status: 204 }));
  expect(await callApi("/file")).toEqual({ body: expect.any(Blob) });
});

test.each([
  [
    401,
    { error: "Your session has ended." },
    {},
    { error: "Your session has ended.", part: null, retryAfterSeconds: null },
  ],
  [422, { error: "No.", part: "source" }, {}, { error: "No.", part: "source", retryAfterSeconds: null }],
  [429, { error: "Wait." }, { "Retry-After": "42" }, { error: "Wait.", part: null, retryAfterSeconds: 42 }],
  [
    503,
    { error: "Unreachable." },
    { "Retry-After": "soon" },
    { error: "Unreachable.", part: null, retryAfterSeconds: null },
  ],
  [500, { error: 7 }, {}, { error: unreached, part: null, retryAfterSeconds: null }],
])("returns from %i %j the message, the status, the part and when to retry", async (status, body, headers, failure) => {
  fetchMock.mockImplementation(async () => Response.json(body, { status, headers }));
  expect(await callApi("/api/a", { schema })).toEqual({ ...failure, status });
  expect(await callApi("/api/a")).toEqual({ ...failure, status });
});

test("treats an unreadable answer as a failure with its status", async () => {
  const error = "The search could not be reached.";
  fetchMock.mockImplementation(async () => new Response("<h1>Bad gateway</h1>", { status: 502 }));
  expect(await callApi("/api/a", { schema, unreachableMessage: error })).toEqual({ ...failed, error, status: 502 });
  fetchMock.mockImplementation(async () => Response.json({ count: "three" }));
  expect(await callApi("/api/a", { schema })).toEqual({ ...failed, status: 200 });
});

test("reports an ended session even when the schema can't be loaded", async () => {
  fetchMock.mockImplementation(async () => {
    await new Promise((later) => setTimeout(later, 20)); // the schema has failed before
    return Response.json({ error: "Your session has ended." }, { status: 401 });
  });
  const gone = () => Promise.reject(new Error("ChunkLoadError"));
  expect(await callApi("/api/a", { schema: gone })).toMatchObject({ status: 401 });
});

test("has no status when the connection ends in the middle of an answer", async () => {
  const cut = new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
  fetchMock.mockImplementation(async () => new Response(cut, { status: 200 }));
  expect(await callApi("/api/a", { schema })).toEqual(failed);
});

test("has no status without a connection or after an abort", async () => {
  fetchMock.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  expect(await callApi("/api/a", { schema })).toEqual(failed);
  fetchMock.mockImplementation(async (_path, { signal }) => {
    signal?.throwIfAborted();
    return Response.json({ count: 3 });
  });
  expect(await callApi("/api/a", { schema, signal: AbortSignal.abort() })).toEqual(failed);
});

test.each([
  [30_000, {}],
  [5_000, { timeoutMs: 5_000 }],
  [600_000, { timeoutMs: 600_000 }],
])("returns 504, as a gateway would, without an answer within %i ms", async (timeoutMs, options) => {
  const late = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(late.signal);
  fetchMock.mockImplementation(async (_path, { signal }) => {
    late.abort(new DOMException("", "TimeoutError"));
    signal?.throwIfAborted();
    return Response.json({ count: 3 });
  });
  const { signal } = new AbortController();
  expect(await callApi("/api/a", { schema, signal, ...options })).toEqual({ ...failed, status: 504 });
  expect(timeout.mock.calls).toEqual([[timeoutMs]]);
});

test("makes the page check its permissions when a request is refused", async () => {
  const dispatchEvent = vi.fn();
  vi.stubGlobal("window", { dispatchEvent });
  for (const status of [404, 403]) {
    fetchMock.mockResolvedValueOnce(Response.json({ error: "You need a permission." }, { status }));
    expect(await callApi("/api/a", { schema })).toMatchObject({ error: "You need a permission.", status });
  }
  expect(dispatchEvent).toHaveBeenCalledTimes(1);
});
