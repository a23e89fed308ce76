const commonHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "authorization, apikey, content-type, x-client-info",
  "Access-Control-Allow-Methods": "GET, OPTIONS",
  "Cache-Control": "no-store",
};

/** A JSON response that isn't cached and that browsers of any origin may read. */
export function respond(status: number, body: unknown, extraHeaders: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...commonHeaders, ...extraHeaders } });
}

/** The response to a browser's CORS preflight. */
export function respondToPreflight(): Response {
  return new Response(null, { status: 204, headers: commonHeaders });
}
