"use server";

import { z } from "zod";
import { jsonField } from "@/lib/forms/json-field";
import { teamIdSchema } from "@/lib/ids";
import { permissionKeySchema } from "@/lib/permissions/snapshot";
import { storableText } from "@/lib/storable";
import { accessAction } from "@/lib/team-access/access-action";
import { accessNameSchema, setDetailsSchema } from "@/lib/team-access/access-change";

// Changes without typed text, such as deleting, use `saveAccess`.

const description = storableText
  .trim()
  .max(300, "must have at most 300 characters")
  .transform((text) => text || null);
const newRole = z.object({
  team: teamIdSchema,
  name: accessNameSchema,
  scope: z.enum(["assigned", "inherit_team"]),
  setIds: jsonField(z.array(z.uuid()).max(200)),
});
const renamedRole = z.object({
  team: teamIdSchema,
  roleId: z.uuid(),
  before: accessNameSchema,
  name: accessNameSchema,
});
const setDetails = z.object({ team: teamIdSchema, name: accessNameSchema, description });
const newSet = setDetails.extend({ keys: jsonField(z.array(permissionKeySchema).max(200)) });
const editedSet = setDetails.extend({ setId: z.uuid(), before: jsonField(setDetailsSchema) });

/** Creates a role of the team, with `roles.manage`. Fields: `team`, `name`, `scope`, `setIds` (a JSON list). */
export const createRole = accessAction({
  schema: newRole,
  keepOnError: ["name", "scope"],
  change: (role) => ({ kind: "create-role", ...role }),
});

/** Renames a role, with `roles.manage`. Fields: `team`, `roleId`, `before` (the name that was shown), `name`. */
export const renameRole = accessAction({
  schema: renamedRole,
  keepOnError: ["name"],
  change: ({ name, ...role }) => ({ kind: "rename-role", ...role, after: name }),
});

/** Creates a permission set of the team, with `roles.manage`. Fields: `team`, `name`, `description`, `keys` (a JSON list). */
export const createPermissionSet = accessAction({
  schema: newSet,
  keepOnError: ["name", "description"],
  change: ({ team, keys, ...after }) => ({ kind: "create-set", team, after, keys }),
});

/**
 * Changes name and description of a permission set, with `roles.manage`. Fields: `team`, `setId`, `before` (JSON of what was
 * shown), `name`, `description`.
 */
export const editPermissionSet = accessAction({
  schema: editedSet,
  keepOnError: ["name", "description"],
  change: ({ team, setId, before, ...after }) => ({ kind: "edit-set", team, setId, before, after }),
});
