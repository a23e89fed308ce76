import { z } from "zod";
import { onlyPost } from "@/lib/http/answer";
import { answerSearch } from "@/lib/voter-search/answer-search";
import { searchCredentialsSchema, searchParamsSchema } from "@/lib/voter-search/search-request-schema";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const bodySchema = z.object({ params: searchParamsSchema, credentials: searchCredentialsSchema });

// POST /api/essearch: person search with per-request credentials (interface.md 4.2).
export function POST(request: Request) {
  return answerSearch(request, bodySchema, ({ credentials }) => credentials);
}

export {
  onlyPost as DELETE,
  onlyPost as GET,
  onlyPost as HEAD,
  onlyPost as OPTIONS,
  onlyPost as PATCH,
  onlyPost as PUT,
};
