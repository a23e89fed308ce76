import { z } from "zod";
import { recordSearch } from "@/lib/activity/reads";
import { route } from "@/lib/http/route";
import { requireSearchAnywhere } from "@/lib/permissions/require-route-permission";
import { searchCredentialsSchema, searchParamsSchema } from "@/lib/voters/search-request";
import { searchVoters } from "@/lib/voters/search-voters";

// POST /api/essearch: person search with per-request credentials (contract 4.2).
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: requireSearchAnywhere,
  rate: "search",
  body: z.object({ params: searchParamsSchema, credentials: searchCredentialsSchema }),
  run: async ({ session, body }) => {
    const result = await searchVoters(session, body);
    recordSearch(session, body.params, result);
    return result;
  },
});
