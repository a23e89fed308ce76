import { route } from "@/lib/http/route";
import { placeSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { readSignerSet } from "@/lib/signers/signers";

// GET /api/signers/progress?team=…&campaign=…: the progress of a campaign's rebuild.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: (session, { params }) => requireRoutePermission(session, params, "signatures.remove"),
  rate: "signerProgress",
  params: placeSchema,
  run: ({ params }) => readSignerSet(params.campaign),
});
