// The edge function send-emails in Deno, with a mail server that records what it gets.
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listenNear } from "../../../scripts/local-stack/ports.ts";
import { functionSettings, startFunctions } from "../../support/start-functions.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";
import { makeAdministeredTeam } from "../team-access/administered-team.ts";

const database = await setUpTestDatabase();
const team = await makeAdministeredTeam(database);
const received: { commands: string[]; lines: string[] }[] = [];
let refusal = "";

const server = createServer((socket) => {
  const mail = { commands: [] as string[], lines: [] as string[] };
  let inBody = false;
  const reply = (text: string) => socket.write(`${text}\r\n`);
  reply("220 mail.test");
  createInterface(socket).on("line", (line) => {
    if (inBody && line !== ".") return void mail.lines.push(line);
    if (inBody) {
      received.push(mail);
      inBody = false;
      return void reply("250 queued");
    }
    mail.commands.push(line);
    inBody = line === "DATA";
    reply(inBody ? "354 go on" : line.startsWith("RCPT") && refusal ? refusal : line === "QUIT" ? "221 bye" : "250 ok");
  });
  socket.on("error", () => undefined);
});

let functions: Awaited<ReturnType<typeof startFunctions>>;
let key: string;
beforeAll(async () => {
  const env = await database.serve();
  key = env.SUPABASE_SECRET_KEY;
  functions = await startFunctions({
    ...functionSettings(env),
    SMTP_URL: `smtp://127.0.0.1:${await listenNear(server)}`,
    EMAIL_FROM: "Signet <signet@signet.test>",
    SITE_URL: "https://signet.test",
  });
});
afterAll(() => {
  functions.stop();
  server.close();
});
const send = async () => {
  const response = await fetch(`${functions.url}/send-emails`, { method: "POST", headers: { apikey: key } });
  return response.json();
};
const states = async () =>
  (await database.sql<{ state: string }>("select state from private.emails")).map(({ state }) => state);
beforeEach(async () => {
  await send(); // from here on it is known that there is a mail server
  await database.sql("delete from private.emails; delete from public.access_requests");
  await database.sql("update public.profiles set name = $1 where user_id = $2", [
    'Zoë <b>"One"',
    team.person("clerk").id,
  ]);
  await database.rest("rpc/ask_for_access", {
    as: "service",
    body: { p_actor_id: team.person("clerk").id, p_team_id: "riverside", p_campaign_id: null, p_key: "roles.manage" },
  });
  received.length = 0;
  refusal = "";
});

test("sends an email once, to its recipient only, in text and HTML", async () => {
  expect(await send()).toEqual({ sent: 1, failed: 0 });
  expect(await send()).toEqual({ sent: 0, failed: 0 });
  expect([await states(), received.length]).toEqual([["sent"], 1]);
  const { commands = [], lines = [] } = received[0] ?? {};
  expect(commands.filter((line) => line.startsWith("RCPT"))).toEqual(["RCPT TO:<admin@people.test>"]);
  expect(commands.find((line) => line.startsWith("MAIL"))).toContain("<signet@signet.test>");
  const headers = lines.slice(0, lines.indexOf(""));
  for (const header of [
    "From: Signet <signet@signet.test>",
    "To: admin@people.test",
    "Auto-Submitted: auto-generated",
  ]) {
    expect(headers).toContain(header);
  }
  expect(headers.join("\n")).toMatch(/^Message-ID: <email-[0-9a-f-]{36}@signet\.test>$/m);
  expect(lines.filter((line) => /^Content-Type: text\/(plain|html)/.test(line))).toHaveLength(2);
});

test.each([
  ["550 no such user", "failed", { sent: 0, failed: 1 }],
  ["451 try again later", "waiting", { sent: 0, failed: 0 }],
])("an email that is refused with %s is %s", async (reply, state, counts) => {
  refusal = reply;
  expect(await send()).toEqual(counts);
  expect([await states(), received.length]).toEqual([[state], 0]);
});
