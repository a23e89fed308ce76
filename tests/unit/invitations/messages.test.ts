import { expect, test } from "vitest";
import { closedInvitation } from "@/lib/invitations/messages";

test.each([
  ["Ada Moreno", "Ask Ada Moreno for a new one."],
  [null, "Ask an administrator of Riverside for a new one."],
])("an expired invitation from %s says who to ask", (invitedBy, then) => {
  const invitation = { invitedBy, team: "Riverside", role: "Office" };
  expect(closedInvitation("expired", invitation)).toEqual(["The invitation to Riverside has expired", then]);
});

test("an invitation whose sender can no longer make it says to ask an administrator for another one", () => {
  const invitation = { invitedBy: "Ned", team: "Lake Coalition", role: "Office" };
  expect(closedInvitation("stopped", invitation)[1]).toBe(
    "Ned can no longer invite people with the Office role. Ask an administrator of Lake Coalition to invite you again.",
  );
});
