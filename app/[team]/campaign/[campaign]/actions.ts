"use server";

import { refresh } from "next/cache";
import { formAction } from "@/lib/forms/form-action";
import { placeSchema } from "@/lib/ids";
import { requirePermission } from "@/lib/permissions/require-place";
import { requestRebuild } from "@/lib/signers/signers";

/** Rebuilds a campaign's duplicate check from its lines, with `signatures.remove`. */
export const rebuildDuplicateCheck = formAction({
  guard: (place) => requirePermission(place, "signatures.remove"),
  schema: placeSchema,
  run: async ({ campaign }) => {
    const data = await requestRebuild(campaign);
    refresh();
    return { message: "Duplicate check rebuilt.", data };
  },
});
