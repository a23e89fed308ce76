// A team with a campaign and members for one test file, in the running demo, so that files can run in parallel.
import { randomBytes } from "node:crypto";
import { demoPassword } from "../../scripts/demo-data/demo-data.ts";
import { processPermissionChanges, publishableKey, restAsService, supabaseUrl } from "./demo.ts";

export type Member = { id: string; email: string; name: string };

type MemberOptions = {
  /** A built-in role of the team: "Administrator", "Member", "Field team" or "Office". */
  team: string;
  /** A built-in role in the campaign. */
  campaign?: string;
  status?: "active" | "suspended";
};

/** Makes a team with one campaign, and members by their first names, with the password of the demo. Names and ids are unique. */
export async function createOwnTeam<Name extends string>(
  members: Record<Name, MemberOptions>,
  { goal = 5_000 }: { goal?: number } = {},
) {
  const unique = randomBytes(4).toString("hex");
  const [team, campaign] = [`team-${unique}`, `campaign-${unique}`];
  const [name, campaignName] = [`Team ${unique}`, `Campaign ${unique}`];
  const insert = (table: string, body: unknown) => restAsService(table, { method: "POST", body });
  const roles = await readIds("roles");
  const sets = await readIds("permission_sets");
  const idOf = (ids: Map<string, string>, name: string) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`Nothing built in is named ${name}.`);
    return id;
  };

  await insert("teams", { id: team, name, time_zone: "America/Los_Angeles" });
  await insert("campaigns", { id: campaign, name: campaignName, team_id: team, signature_goal: goal });
  await insert("campaign_team", { team_id: team, campaign_id: campaign });
  await insert(
    "team_p_sets",
    [...sets.values()].map((permission_set_id) => ({ team_id: team, permission_set_id })),
  );
  const people = {} as Record<Name, Member>;
  for (const name of Object.keys(members) as Name[]) {
    const { team: teamRole, campaign: campaignRole, status = "active" } = members[name];
    const person = await signUp(`${name}-${unique}@people.test`, `${name} ${unique}`);
    people[name] = person;
    await insert("team_users", { user_id: person.id, team_id: team, role_id: idOf(roles, teamRole), status });
    if (campaignRole === undefined) continue;
    const role_id = idOf(roles, campaignRole);
    await insert("campaign_user_roles_team", { user_id: person.id, team_id: team, campaign_id: campaign, role_id });
  }
  await processPermissionChanges(); // pending changes would renew their epochs during a test
  return { team, name, campaign, campaignName, people, path: `/${team}/campaign/${campaign}` };
}

async function readIds(table: "roles" | "permission_sets") {
  const rows = (await restAsService(`${table}?team_id=is.null&select=id,name`, { method: "GET" })) as {
    id: string;
    name: string;
  }[];
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Signs up a person over Auth, with the password of the demo and without a team. */
export async function signUp(email: string, name: string): Promise<Member> {
  const response = await fetch(`${supabaseUrl}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password: demoPassword, data: { name } }),
  });
  const { user } = (await response.json()) as { user: { id: string } };
  return { id: user.id, email, name };
}
