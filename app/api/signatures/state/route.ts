import { z } from "zod";
import { route } from "@/lib/http/route";
import { placeSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { sheetOrLineNumberSchema } from "@/lib/signatures/changes";
import { listOthersHere, readEntryState } from "@/lib/signatures/entry-state";
import type { EntryStateResponse } from "@/lib/signatures/responses";

const number = z.string().transform(Number).pipe(sheetOrLineNumberSchema).optional();

// GET /api/signatures/state?team=…&campaign=…&sheet=…&line=…: the counts, sheets and last lines of an open entry screen, read
// again. With sheet and line, the clerk is at that line, and the response says who else has the sheet open.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: (session, { params }) => requireRoutePermission(session, params, "signatures.view", "signatures.enter"),
  rate: "entryState",
  params: placeSchema.extend({ sheet: number, line: number }),
  run: async ({ session, params: { line, ...place } }): Promise<EntryStateResponse> => {
    const who = { ...place, actorId: session.userId };
    const others = who.sheet && line ? listOthersHere({ ...who, sheet: who.sheet, line }) : [];
    const [state, here] = await Promise.all([readEntryState(who), others]);
    return { ...state, here };
  },
});
