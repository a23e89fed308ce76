"use server";

import { redirect } from "next/navigation";
import { requireUser } from "@/lib/auth/require-user";
import { formAction } from "@/lib/forms/form-action";
import { invalidatePermissions } from "@/lib/permissions/invalidate";
import { createTeam, newTeamSchema, requireNewTeamsAllowed } from "@/lib/team-access/create-team";

/** Creates a team for the signed-in user and opens it, if the operator allows it. */
export const startTeam = formAction({
  guard: async () => {
    requireNewTeamsAllowed();
    return requireUser();
  },
  rate: "invitation",
  schema: newTeamSchema,
  keepOnError: ["name", "timeZone"],
  run: async (input, user) => {
    const id = await createTeam(user, input);
    await invalidatePermissions();
    redirect(`/${id}`);
  },
});
