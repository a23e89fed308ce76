import { z } from "zod";
import { route } from "@/lib/http/route";
import { requireSearchAnywhere } from "@/lib/permissions/require-route-permission";
import { answerSearch } from "@/lib/voters/answer-search";
import { searchCredentials } from "@/lib/voters/search-credentials";
import { searchParamsSchema } from "@/lib/voters/search-request-schema";

// POST /api/essearch-common: person search with the common credentials (contract 4.3).
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: requireSearchAnywhere,
  rate: "search",
  body: z.object({ params: searchParamsSchema }),
  run: ({ session, body }) => answerSearch(session, { ...body, credentials: searchCredentials(null) }),
});
