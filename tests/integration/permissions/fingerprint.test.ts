// What a page of a manager compares to know that it is outdated, on a real database.
import { expect, test, vi } from "vitest";
import { readPermissionsFingerprint } from "@/lib/permissions/fingerprint";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";
import { makeAdministeredTeam } from "../team-access/administered-team.ts";

const places = vi.hoisted(() => ({ listPlaces: vi.fn() }));
vi.mock("@/lib/permissions/list-places", () => places);
vi.mock("@/lib/permissions/route-permissions", () => ({ routePermissions: async () => null }));

const database = await setUpTestDatabase();
const team = await makeAdministeredTeam(database);
setUpEnv(await database.serve());

test("it changes when an invitation is accepted, for those who manage members only", async () => {
  const session = { userId: team.person("admin").id, email: "", accessToken: "", sessionId: "" };
  const fingerprint = (permissionKeys: string[]) => {
    places.listPlaces.mockResolvedValue([{ id: "riverside", permissionKeys }]);
    return readPermissionsFingerprint(session, { team: "riverside" });
  };
  const both = () => Promise.all([fingerprint(["members.manage"]), fingerprint(["members.view"])]);
  await database.sql(
    "insert into public.invitations (team_id, email, role_id) values ('riverside', 'new@people.test', $1)",
    [team.roles.Member],
  );
  const [managerBefore, viewerBefore] = await both();
  expect(await both()).toEqual([managerBefore, viewerBefore]);
  await database.sql("update public.invitations set accepted_at = now()");
  const [managerAfter, viewerAfter] = await both();
  expect(managerAfter).not.toBe(managerBefore);
  expect(viewerAfter).toBe(viewerBefore);
});
