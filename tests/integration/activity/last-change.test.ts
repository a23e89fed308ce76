import { expect, test } from "vitest";
import { describeLastChange } from "@/lib/activity/last-change";
import { changeAccess } from "@/lib/team-access/change-access";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";
import { makeAdministeredTeam } from "../team-access/administered-team.ts";

const database = await setUpTestDatabase();
setUpEnv({ ...(await database.serve()), SITE_URL: "https://signet.example" });
const team = await makeAdministeredTeam(database);

test("a person reads what was last removed or changed of their own access, not what they were given", async () => {
  const admin = { userId: team.person("admin").id, email: "", sessionId: "", accessToken: "" };
  const userId = team.person("clerk").id;
  const [field = "", office = ""] = [team.roles["Field team"], team.roles.Office];
  const last = async () => (await describeLastChange(userId, "riverside"))?.replace(/ on .*/, "");
  const change = (before: object, after: object | null) =>
    changeAccess(admin, { kind: "members", team: "riverside", members: [{ userId, before, after }] } as never);
  expect(await last()).toBeUndefined();
  await change({ roleId: field, status: "active" }, { roleId: office, status: "active" });
  expect(await last()).toBe("admin changed your role in the team from Field team to Office");
  await change({ roleId: office, status: "active" }, { roleId: office, status: "suspended" });
  expect(await last()).toBe("admin suspended you");
  await change({ roleId: office, status: "suspended" }, { roleId: office, status: "active" });
  expect(await last()).toBeUndefined();
  await database.sql("update public.campaign_user_roles_team set role_id = $2 where user_id = $1", [
    userId,
    team.roles.Canvasser ?? "",
  ]);
  const inCleanWater = "changed your role in Clean water";
  expect(await describeLastChange(userId, "riverside", "clean-water")).toContain(inCleanWater);
  for (const elsewhere of ["safe-streets", null]) {
    expect(await describeLastChange(userId, "riverside", elsewhere)).toBeNull();
  }
  await database.sql("delete from public.campaign_team where team_id = 'riverside' and campaign_id = 'safe-streets'");
  expect(await describeLastChange(userId, "riverside")).toContain(inCleanWater); // they had no role there
  const where = "where team_id = 'riverside' and campaign_id = 'clean-water'";
  await database.sql(
    `with r as (delete from public.campaign_user_roles_team ${where}) delete from public.campaign_team ${where}`,
  );
  expect(await last()).toBe("Signet removed Clean water from your team");
  await change({ roleId: office, status: "active" }, null);
  expect(await last()).toBe("admin removed you from Riverside"); // not from the campaigns that went with it
  await database.sql("update public.teams set time_zone = 'Pacific/Kiritimati' where id = 'riverside'");
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "Pacific/Kiritimati" });
  expect(await describeLastChange(userId, "riverside")).toContain(` on ${day.format(new Date())}.`);
  expect(await describeLastChange(userId, "hillside")).toBeNull();
});
