import "server-only";

/**
 * Answers what is read, with its version as ETag; 304 when null is, because the version that the browser knows
 * (If-None-Match) still holds.
 */
export async function answerIfChanged(
  request: Request,
  read: (known: string | null) => Promise<{ version: string } | null>,
): Promise<Response> {
  // A proxy that packs an answer makes its ETag a weak one.
  const known = /^(?:W\/)?"([^"]+)"$/.exec(request.headers.get("if-none-match") ?? "")?.[1] ?? null;
  const answer = await read(known);
  if (!answer) return new Response(null, { status: 304, headers: { etag: `"${known}"` } });
  const headers = { "content-type": "application/json", etag: `"${answer.version}"` };
  return new Response(JSON.stringify(answer), { headers });
}
