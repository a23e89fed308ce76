import { z } from "zod";
import { route } from "@/lib/http/route";
import { requireSearchAnywhere } from "@/lib/permissions/require-route-permission";
import { answerSearch } from "@/lib/voters/answer-search";
import { searchCredentialsSchema, searchParamsSchema } from "@/lib/voters/search-request-schema";

// POST /api/essearch: person search with per-request credentials (contract 4.2).
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: requireSearchAnywhere,
  rate: "search",
  body: z.object({ params: searchParamsSchema, credentials: searchCredentialsSchema }),
  run: ({ session, body }) => answerSearch(session, body),
});
