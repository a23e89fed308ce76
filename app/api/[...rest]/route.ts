import type { ErrorBody } from "@/lib/http/error-body";

// Any other address under /api/, with any method: 404 for a program, and not the page for people.
const missing = () => {
  const body: ErrorBody = { error: "No API endpoint at this URL. Check the path." };
  return Response.json(body, { status: 404, headers: { "Cache-Control": "no-store" } });
};

export {
  missing as DELETE,
  missing as GET,
  missing as HEAD,
  missing as OPTIONS,
  missing as PATCH,
  missing as POST,
  missing as PUT,
};
