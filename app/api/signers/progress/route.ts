import { route } from "@/lib/http/route";
import { placeSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { signerSet } from "@/lib/signers/signer-set";

// GET /api/signers/progress?team=…&campaign=…: how far the rebuild of a campaign's set is.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: (session, { at }) => requireRoutePermission(session, at, "signatures.remove"),
  rate: "signerProgress",
  at: placeSchema,
  run: ({ at }) => signerSet(at.campaign),
});
