import { z } from "zod";
import { onlyPost } from "@/lib/http/answer";
import { answerSearch } from "@/lib/voter-search/answer-search";
import { searchCredentials } from "@/lib/voter-search/search-credentials";
import { searchParamsSchema } from "@/lib/voter-search/search-request-schema";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const bodySchema = z.object({ params: searchParamsSchema });

// POST /api/essearch-common: person search with the common credentials (interface.md 4.3).
export function POST(request: Request) {
  return answerSearch(request, bodySchema, () => searchCredentials(null));
}

export {
  onlyPost as DELETE,
  onlyPost as GET,
  onlyPost as HEAD,
  onlyPost as OPTIONS,
  onlyPost as PATCH,
  onlyPost as PUT,
};
