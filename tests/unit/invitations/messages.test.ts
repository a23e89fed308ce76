import { expect, test } from "vitest";
import { closedInvitation } from "@/lib/invitations/messages";

test.each([
  ["Ada Moreno", "Ask Ada Moreno for a new one."],
  [null, "Ask an administrator of Riverside for a new one."],
])("an expired invitation from %s says who to ask", (invitedBy, then) => {
  const invitation = { invitedBy, team: "Riverside", role: "Office" };
  expect(closedInvitation("expired", invitation)).toEqual(["The invitation to Riverside has expired", then]);
});
