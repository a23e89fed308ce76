import { z } from "zod";
import { route } from "@/lib/http/route";
import { readPermissionsFingerprint } from "@/lib/permissions/fingerprint";
import type { fingerprintResponseSchema } from "@/lib/permissions/responses";

// GET /api/permissions/fingerprint?team=…&campaign=…: lets an open page check whether permissions have changed.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: (session) => session, // any user can ask about themselves
  rate: "fingerprint",
  params: z
    .object({ team: z.string().optional(), campaign: z.string().optional(), asking: z.literal("true").optional() })
    .refine(({ team, campaign }) => campaign === undefined || team !== undefined, {
      path: ["campaign"],
      error: "needs team",
    }),
  run: async ({ session, params: { asking, ...place } }): Promise<z.input<typeof fingerprintResponseSchema>> => ({
    fingerprint: await readPermissionsFingerprint(session, place, asking !== undefined),
  }),
});
