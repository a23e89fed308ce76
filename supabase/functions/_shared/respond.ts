const headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "authorization, apikey, content-type, x-client-info",
  "Access-Control-Allow-Methods": "GET, OPTIONS",
  "Cache-Control": "no-store",
};

/** Answers with JSON that no cache keeps and that browsers of any origin may read. */
export function respond(status: number, body: unknown, extra: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...headers, ...extra } });
}

/** Answers a browser's question whether it may call. */
export function respondToPreflight(): Response {
  return new Response(null, { status: 204, headers });
}
