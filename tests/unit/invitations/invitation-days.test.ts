import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { invitationDays } from "../../../lib/invitations/invitation-days.ts";

test.each([
  [
    "schemas/030_permissions.sql",
    `function private.invitation_days() returns int\nlanguage sql immutable\nreturn ${invitationDays};`,
  ],
  ["templates/confirmation.html", `expires in ${invitationDays} days`],
  ["templates/magic_link.html", `expires in ${invitationDays} days`],
])("%s says how long invitations are valid", (path, text) => {
  expect(readFileSync(`supabase/${path}`, "utf8")).toContain(text);
});
