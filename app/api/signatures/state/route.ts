import { route } from "@/lib/http/route";
import { placeSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { readEntryState } from "@/lib/signatures/read-entry-state";

// GET /api/signatures/state?team=…&campaign=…: the counts, sheets and last lines of an open entry screen, read again.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: (session, { at }) => requireRoutePermission(session, at, "signatures.view", "signatures.enter"),
  rate: "entryState",
  at: placeSchema,
  run: ({ session, at }) => readEntryState({ ...at, actorId: session.userId }),
});
