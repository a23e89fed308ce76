import { z } from "zod";
import { recordSearch } from "@/lib/activity/record-read";
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
  run: async ({ session, body }) => {
    const answer = await answerSearch(session, { ...body, credentials: searchCredentials(null) });
    recordSearch(session, body.params, answer);
    return answer;
  },
});
