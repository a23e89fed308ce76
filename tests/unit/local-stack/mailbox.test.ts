import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMailbox, readMailTemplates } from "../../../scripts/local-stack/mailbox.ts";

const site = "http://signet.test";
const { subject = "", content_path: path = "" } = readMailTemplates("template").magic_link ?? {};

test.each([
  [
    { invitation: { invites: "Ada Moreno invited you", team: "A & B", subject: "A and B", access: "Office" } },
    "You're invited to A and B",
    "Ada Moreno invited you to join A &amp; B on Signet as Office. The invitation is for mia@people.test.",
  ],
  [undefined, "You're invited to Signet", "A team has invited"],
])("an invitation's email says what Auth would say: %j", async (data, says, text) => {
  const { mails, driver, handle } = createMailbox(site);
  const body = JSON.stringify({ data });
  await handle(new Request(`${site}/auth/v1/otp`, { method: "POST", body }), () =>
    driver.send({ to: "mia@people.test", subject, html: readFileSync(path, "utf8") }),
  );
  expect(mails).toMatchObject([{ subject: says }]);
  expect(mails[0]?.html).toContain(text);
});
