"use server";

import { z } from "zod";
import type { FormState } from "@/lib/forms/form-state";
import { jsonField } from "@/lib/forms/json-field";
import { submitForm } from "@/lib/forms/submit-form";
import { teamIdSchema } from "@/lib/ids";
import { requireUser } from "@/lib/permissions/require-user";
import { accessNameSchema, setTextsSchema } from "@/lib/teams/access-change";
import { carryOutChange } from "@/lib/teams/carry-out-change";

// Deleting, and what roles and sets bundle, holds no typed text: that is sent to `saveAccess`.

const description = z
  .string()
  .trim()
  .max(300, "may have 300 characters")
  .transform((text) => text || null);
const newRole = z.object({ team: teamIdSchema, name: accessNameSchema, scope: z.enum(["assigned", "inherit_team"]) });
const renamedRole = z.object({
  team: teamIdSchema,
  roleId: z.uuid(),
  before: accessNameSchema,
  name: accessNameSchema,
});
const newSet = z.object({ team: teamIdSchema, name: accessNameSchema, description });
const editedSet = newSet.extend({ setId: z.uuid(), before: jsonField(setTextsSchema) });

/** Creates a role of the team (`team`, `name`, `scope`), with `roles.manage`. */
export async function createRole(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: newRole,
    keep: ["name", "scope"],
    run: (role) => carryOutChange({ kind: "create-role", ...role }),
  });
}

/** Renames a role (`team`, `roleId`, `before` the name that was shown, `name`), with `roles.manage`. */
export async function renameRole(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: renamedRole,
    keep: ["name"],
    run: ({ name, ...role }) => carryOutChange({ kind: "rename-role", ...role, after: name }),
  });
}

/** Creates a permission set of the team (`team`, `name`, `description`), with `roles.manage`. */
export async function createPermissionSet(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: newSet,
    keep: ["name", "description"],
    run: ({ team, ...after }) => carryOutChange({ kind: "create-set", team, after }),
  });
}

/**
 * Changes name and description of a permission set (`team`, `setId`, `before` as JSON of what was shown, `name`,
 * `description`), with `roles.manage`.
 */
export async function editPermissionSet(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: editedSet,
    keep: ["name", "description"],
    run: ({ team, setId, before, ...after }) => carryOutChange({ kind: "edit-set", team, setId, before, after }),
  });
}
