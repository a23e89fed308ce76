import { z } from "zod";
import { recordSearch } from "@/lib/activity/reads";
import { route } from "@/lib/http/route";
import { requireSearchAnywhere } from "@/lib/permissions/require-route-permission";
import { searchCredentials } from "@/lib/voters/search-profile";
import { searchParamsSchema } from "@/lib/voters/search-request";
import { searchVoters } from "@/lib/voters/search-voters";

// POST /api/essearch-common: person search with the common credentials (contract 4.3).
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: requireSearchAnywhere,
  rate: "search",
  body: z.object({ params: searchParamsSchema }),
  run: async ({ session, body }) => {
    const result = await searchVoters(session, { ...body, credentials: searchCredentials(null) });
    recordSearch(session, body.params, result);
    return result;
  },
});
