import type { ErrorBody } from "@/lib/http/error-body";

// Any other path under /api/, with any method. Returns a JSON 404 instead of the HTML page.
const notFound = () => {
  const body: ErrorBody = { error: "No API endpoint at this URL. Check the path." };
  return Response.json(body, { status: 404, headers: { "Cache-Control": "no-store" } });
};

export {
  notFound as DELETE,
  notFound as GET,
  notFound as HEAD,
  notFound as OPTIONS,
  notFound as PATCH,
  notFound as POST,
  notFound as PUT,
};
