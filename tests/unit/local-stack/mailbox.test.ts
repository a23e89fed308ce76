import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMailbox, readEmailTemplates } from "../../../scripts/local-stack/mailbox.ts";

const site = "http://signet.test";
const { subject = "", content_path: path = "" } = readEmailTemplates("template").magic_link ?? {};

test.each([
  [
    { invitation: { invites: "Ada Moreno invited you", team: "A & B", subject: "A and B", access: "Office" } },
    "You're invited to A and B",
    "Ada Moreno invited you to join A &amp; B on Signet as Office. The invitation is for mia@people.test.",
  ],
  [undefined, "You're invited to Signet", "A team has invited"],
])("an invitation's email says what Auth would say: %j", async (data, says, text) => {
  const { emails, driver, handle } = createMailbox(site);
  const body = JSON.stringify({ data });
  await handle(new Request(`${site}/auth/v1/otp`, { method: "POST", body }), () =>
    driver.send({ to: "mia@people.test", subject, html: readFileSync(path, "utf8") }),
  );
  expect(emails).toMatchObject([{ subject: says }]);
  expect(emails[0]?.html).toContain(text);
});
