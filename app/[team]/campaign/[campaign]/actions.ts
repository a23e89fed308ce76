"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import type { FormState } from "@/lib/forms/form-state";
import { submitForm } from "@/lib/forms/submit-form";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";
import { requirePermission } from "@/lib/permissions/require-place";
import { requireUser } from "@/lib/permissions/require-user";
import { type RebuildCounts, rebuildSigners } from "@/lib/signers/rebuild-signers";

const place = z.object({ team: teamIdSchema, campaign: campaignIdSchema });

/** Builds what the duplicate check of a campaign asks anew from its lines, with `signatures.remove`. */
export async function rebuildDuplicateCheck(
  _state: FormState<RebuildCounts>,
  form: FormData,
): Promise<FormState<RebuildCounts>> {
  await requireUser();
  return submitForm(form, {
    schema: place,
    run: async ({ team, campaign }) => {
      await requirePermission({ team, campaign }, "signatures.remove");
      const data = await rebuildSigners(campaign);
      refresh();
      return { message: "Rebuilt.", data };
    },
  });
}
