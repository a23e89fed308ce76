"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import type { FormState } from "@/lib/forms/form-state";
import { submitForm } from "@/lib/forms/submit-form";
import { teamIdSchema } from "@/lib/ids";
import { invalidatePermissions } from "@/lib/permissions/invalidate-permissions";
import { requirePermission } from "@/lib/permissions/require-place";
import { requireUser } from "@/lib/permissions/require-user";
import { setMemberStatus } from "@/lib/teams/set-member-status";

const change = z.object({ team: teamIdSchema, userId: z.uuid(), status: z.enum(["active", "suspended"]) });

/** Suspends a member of a team, or makes her active again, with `members.manage`. */
export async function changeMemberStatus(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: change,
    run: async ({ team, userId, status }) => {
      const { session } = await requirePermission({ team }, "members.manage");
      await setMemberStatus({ actorId: session.userId, teamId: team, userId, status });
      const inEffect = await invalidatePermissions();
      refresh();
      if (!inEffect) return { message: "Saved; it takes effect when the connection is back." };
      return { message: status === "active" ? "Active again." : "Suspended." };
    },
  });
}
