import { expect, test } from "vitest";
import { activityCsv } from "@/lib/activity/csv";
import { changeAccess } from "@/lib/team-access/change-access";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";
import { makeAdministeredTeam } from "../team-access/administered-team.ts";

const database = await setUpTestDatabase();
setUpEnv({ ...(await database.serve()), SITE_URL: "https://signet.example" });
const team = await makeAdministeredTeam(database);

const words = { describe: () => ({ what: "did it", changes: [] }), timeZone: "Asia/Tokyo" };

test("a change is exported with the team's time, the name of its campaign, and an invited address", async () => {
  const { sql } = database;
  await sql("update public.campaigns set signature_goal = 7 where id = 'clean-water'");
  await sql(
    "insert into public.invitations (team_id, email, role_id) select 'riverside', 'new@people.test', id from public.roles where name = 'Member'",
  );
  const { text } = await activityCsv("riverside", {}, words);
  const [, invited, changed] = text.split("\r\n");
  const [logged] = await sql(
    "select to_char(max(at) at time zone 'Asia/Tokyo', 'YYYY-MM-DD HH24:MI:SS') as at from public.audit_log",
  );
  expect(invited).toBe(`"${Object(logged).at.replace(" ", "T")}+09:00","System","did it","","","new@people.test"`);
  expect(changed).toMatch(/,"Clean water",""$/);
});

test("the activity is exported completely, without formulas", async () => {
  const admin = { userId: team.person("admin").id, email: "", sessionId: "", accessToken: "" };
  await database.sql("update public.profiles set name = '=1+1' where user_id = $1", [admin.userId]);
  await changeAccess(admin, { kind: "create-role", team: "riverside", name: "Last", scope: "assigned" });
  const { text, rowCount } = await activityCsv("riverside", {}, words, 3);
  expect(text).toMatch(/^\uFEFF"Time \(Asia\/Tokyo\)","Person",/); // spreadsheets need the mark to read UTF-8
  const lines = text.trimEnd().split("\r\n");
  expect(rowCount).toBe(lines.length - 1);
  expect(await database.sql("select from public.audit_log where team_id = 'riverside'")).toHaveLength(rowCount);
  expect(lines[1]).toMatch(/^"[^"]+","'=1\+1","did it","","",""$/);
});
