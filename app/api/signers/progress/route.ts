import { route } from "@/lib/http/route";
import { placeSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { readSignerSet } from "@/lib/signers/signers";

// GET /api/signers/progress?team=…&campaign=…: the progress of a campaign's rebuild.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: (session, { at }) => requireRoutePermission(session, at, "signatures.remove"),
  rate: "signerProgress",
  at: placeSchema,
  run: ({ at }) => readSignerSet(at.campaign),
});
