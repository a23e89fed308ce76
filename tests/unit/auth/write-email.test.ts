import { expect, test } from "vitest";
import { type QueuedEmail, writeEmail } from "../../../supabase/functions/send-emails/write-email.ts";

const site = "https://signet.test";
const shared = { team: "Riverside", teamId: "riverside", permission: "See charts", place: "Clean water", reason: null };
const request = (content: object): QueuedEmail => ({
  id: "7",
  email: "ada@people.test",
  kind: "request",
  content: { ...shared, name: "Mia One", others: [], ...content },
});
const answer = (content: object): QueuedEmail => ({
  id: "8",
  email: "mia@people.test",
  kind: "answer",
  content: { ...shared, granted: true, grants: null, answer: null, page: "/riverside/dashboard", ...content },
});

test("says what happened in text and HTML, with one button, why it was sent and how to stop it", () => {
  const others = [
    { name: "Jun Park", permission: "See charts", place: "Riverside" },
    { name: null, permission: "See the campaign overview", place: "Open parks" },
  ];
  expect(writeEmail(request({ others }), site).text).toBe(`Mia One requested the permission “See charts” in Clean water.

Also waiting

Jun Park requested the permission “See charts” in Riverside.

A member asked for access to Open parks.

Review request: https://signet.test/riverside/activity

You get these emails because you manage members of Riverside (no more than one every 15 minutes). To stop these emails, open your account: https://signet.test/account
`);
  const { to, subject, html } = writeEmail(request({}), site);
  expect([to, subject]).toEqual(["ada@people.test", "Mia One requested access to Clean water (Riverside)"]);
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)).toEqual([
    "https://signet.test/riverside/activity",
    "https://signet.test/account",
  ]);
  for (const part of [
    "requested the permission “See charts” in Clean water.",
    ">Review request</a>",
    "because you manage members of Riverside",
  ]) {
    expect(html).toContain(part);
  }
});

test("an answer says which role or permission set granted it, if the person got one", () => {
  expect(writeEmail(answer({}), site).text).toContain("You can now see charts in Clean water.\n");
  expect(writeEmail(answer({ grants: "the Viewer role" }), site).text).toContain(
    "You can now see charts in Clean water through the Viewer role.\n",
  );
});

test("an answer leads back to the page where they asked, and never to another site", () => {
  expect(writeEmail(answer({}), site)).toMatchObject({
    subject: "Your request in Riverside was granted",
    text: expect.stringContaining("Open Clean water: https://signet.test/riverside/dashboard"),
  });
  expect(writeEmail(answer({ granted: false }), site).text).toContain(
    "was declined.\n\nOpen Riverside: https://signet.test/r",
  );
  for (const page of ["//evil.test/x", "/\\evil.test", "https://evil.test", "javascript:alert(1)"]) {
    expect(writeEmail(answer({ page }), site).text).toContain("Open Clean water: https://signet.test/\n");
  }
});

test("a request and its answer have the reason that was given", () => {
  const reason = "I check the charts on Mondays.";
  expect(writeEmail(request({ reason }), site).text).toContain("\n\nReason: “I check the charts on Mondays.”\n\n");
  expect(writeEmail(answer({ reason }), site).html).toContain("<p>Your reason: “I check the charts on Mondays.”</p>");
  const declined = answer({ granted: false, answer: "Ask Ada for the figures." });
  expect(writeEmail(declined, site).text).toContain("\n\nAnswer: “Ask Ada for the figures.”\n\n");
});

test.each([
  [true, "Mia One accepted your invitation to Riverside"],
  [false, "Mia One declined your invitation to Riverside"],
])("the answer to an invitation says whose it is (accepted: %s)", (accepted, said) => {
  const content = { team: "Riverside", teamId: "riverside", person: "Mia One", email: "mia@people.test", accepted };
  const { subject, text } = writeEmail({ id: "9", email: "ada@people.test", kind: "invitation", content }, site);
  expect(subject).toBe(said);
  expect(text).toContain(
    `The invitation was sent to mia@people.test.\n\nView members: https://signet.test/riverside/members\n`,
  );
});

test.each([
  [
    "suspended",
    "Your access to Riverside was suspended",
    "Ada Moreno made this change.",
    "Open Signet: https://signet.test/\n",
  ],
  ["removed", "You were removed from Riverside", "Ada Moreno made this change.", "Open Signet: https://signet.test/\n"],
  ["restored", "You were reactivated in Riverside", "Ada Moreno made this change.", "Your role is Office."],
  [
    "role",
    "Your role in Riverside is now Office",
    "Ada Moreno made this change.",
    "Open Riverside: https://signet.test/riverside\n",
  ],
] as const)(
  "a member learns how their membership changed, and the name of who did it: %s",
  (change, said, ...parts) => {
    const content = { team: "Riverside", teamId: "riverside", by: "Ada Moreno", role: "Office", change };
    const { subject, text } = writeEmail({ id: "9", email: "mia@people.test", kind: "membership", content }, site);
    expect(subject).toBe(said);
    for (const part of parts) expect(text).toContain(part);
  },
);

test("a warning leads to the export and to the setting that stops it", () => {
  const content = {
    team: "Riverside",
    teamId: "riverside",
    campaign: "Lakes",
    register: "/riverside/x",
    day: "May 1, 2027",
  };
  const { subject, text } = writeEmail({ id: "9", email: "ada@people.test", kind: "erasure", content }, site);
  expect(subject).toBe("The personal data of Lakes will be erased on May 1, 2027");
  expect(text).toContain("Open signatures: https://signet.test/riverside/x\n");
  expect(text.trim()).toMatch(/https:\/\/signet\.test\/riverside\/settings$/);
});

test("a digest has yesterday's counts of each campaign, and its outlook if the application could be asked", () => {
  const campaigns = [
    { id: "lakes", name: "Lakes", lines: 1234, valid: 1100, duplicates: 20 },
    { id: "parks", name: "Parks", lines: 10, valid: 10, duplicates: 0 },
  ];
  const content = { team: "Riverside", teamId: "riverside", locale: "en-US", campaigns };
  const digest: QueuedEmail = { id: "9", email: "ada@people.test", kind: "digest", content };
  const { subject, text, html } = writeEmail(digest, site, { lakes: ["On track: 97% likely to qualify."] });
  expect(subject).toBe("Riverside yesterday: 1,244 lines entered");
  expect(text).toContain(`Lakes

1,234 lines entered: 1,100 valid, 20 duplicates.

On track: 97% likely to qualify.

Parks

10 lines entered: 10 valid, no duplicates.

Open Riverside: https://signet.test/riverside
`);
  expect([...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, name]) => name)).toEqual(["Lakes", "Parks"]);
  expect(writeEmail(digest, site).text).not.toContain("On track");
});

test("names add no headers, lines or tags", () => {
  const name = 'Eve\r\nBcc: all@people.test\u2028\u202Etxt <img src=x onerror="alert(1)"> & Co';
  const { subject, text, html } = writeEmail(request({ name, team: name, place: name }), site);
  for (const part of [subject, ...text.split("\n\n")]) expect(part.trim()).not.toMatch(/[\p{Cc}\u2028\u202E]/u);
  expect(subject).toContain("Eve Bcc: all@people.test txt <img");
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; Co");
});
