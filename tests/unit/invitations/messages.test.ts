import { expect, test } from "vitest";
import { closedInvitation } from "@/lib/invitations/messages";

test.each([
  ["Ada Moreno", "The invitation to Riverside has expired. Ask Ada Moreno for a new one."],
  [null, "The invitation to Riverside has expired. Ask an administrator of Riverside for a new one."],
])("an expired invitation from %s says who to ask", (invitedBy, text) => {
  expect(closedInvitation("expired", { invitedBy, team: "Riverside" })).toBe(text);
});
