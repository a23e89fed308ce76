import { Flag } from "lucide-react";
import { describe, expect, test } from "vitest";
import { commandTargets, rankTargets } from "@/components/palette/find-targets";
import { listTargets } from "@/components/shell/navigation/targets";

const target = (href: string, label: string, note: string, also?: string) => ({
  href,
  label,
  note,
  icon: Flag,
  ...(also !== undefined && { also }),
});
const water = "/riverside/campaign/clean-water";
const targets = [
  target("/riverside", "Riverside", "Team", "Campaigns"),
  target("/riverside/members", "Members", "Riverside"),
  target("/riverside/campaign/parks", "Open parks", "Campaign", "Overview"),
  target("/riverside/campaign/parks/voters", "Voters", "Open parks"),
  target(water, "Clean water", "Campaign", "Overview"),
  target(`${water}/voters`, "Voters", "Clean water"),
  target("/riverside/members/u1", "Waltér Clean", "Member of Riverside", "walter@demo.test"),
];
const rank = (text: string, { pathname = water, recent = [] as string[] } = {}) =>
  rankTargets(targets, text, { pathname, recent }).map(({ href }) => href);

describe("with a text", () => {
  test.each([
    ["a beginning before a word before a word elsewhere", "clean", [water, "/riverside/members/u1", `${water}/voters`]],
    ["the nearest of equal names first", "vot", [`${water}/voters`, "/riverside/campaign/parks/voters"]],
    ["page and place", "voters parks", ["/riverside/campaign/parks/voters"]],
    ["without accents", "walter", ["/riverside/members/u1"]],
    ["a member's email", "WALTER@demo", ["/riverside/members/u1"]],
    ["another name of the page", "overview", [water, "/riverside/campaign/parks"]],
    ["nothing", "zzz", []],
  ])("%s: %s", (_what, text, expected) => {
    expect(rank(text)).toEqual(expected);
  });

  test("ranks acts without a page after pages found as well", () => {
    const acts = [
      target("#sign-out", "Sign out", "End this session"),
      target(`${water}/signatures`, "Signatures", "Water"),
    ];
    const [first] = rankTargets(acts, "sign", { pathname: water, recent: [water] });
    expect(first?.label).toBe("Signatures");
  });

  test("ranks the last opened one first among equal names, even before a nearer one", () => {
    expect(rank("voters", { recent: ["/riverside/campaign/parks/voters"] })).toEqual([
      "/riverside/campaign/parks/voters",
      `${water}/voters`,
    ]);
  });
});

test("ranks without a text what was opened last, then what is near, without the current page", () => {
  const recent = ["/gone", water, "/riverside/members", "/riverside/campaign/parks"];
  const ranked = rank("", { recent });
  expect(ranked.slice(0, 3)).toEqual(["/riverside/members", "/riverside/campaign/parks", `${water}/voters`]);
  expect(ranked).not.toContain(water);
  expect(ranked).toHaveLength(targets.length - 1);
});

test("offers commands in the nearest place whose permissions allow them, and nothing twice", () => {
  const place = (id: string, permissionKeys: string[]) => ({
    id,
    name: id,
    archivedAt: null,
    permissionKeys,
    canEdit: false,
  });
  const team = (id: string, permissionKeys: string[], campaigns: ReturnType<typeof place>[]) => ({
    id,
    name: id,
    timeZone: "UTC",
    locale: "en-US",
    secondFactorFrom: null,
    permissionKeys,
    campaigns,
  });
  const charts = ["charts.view", "charts.edit"];
  const teams = [
    team("hill", ["members.manage", "roles.manage"], [place("lakes", [...charts, "signatures.view"])]),
    team("riverside", [], [place("water", ["charts.view", "signatures.view"]), place("parks", charts)]),
  ];
  const commands = (pathname: string, text: string, list = teams) =>
    commandTargets({ teams: list, canCreateTeam: list === teams }, pathname, text).map(({ label, href }) => [
      label,
      href,
    ]);
  const notes = commandTargets(
    { teams: [team("lake", ["members.manage"], [place("lakes", ["members.manage"])])], canCreateTeam: false },
    "/lake/campaign/lakes",
    "",
  );
  expect(notes.find(({ label }) => label.startsWith("Sign-ins"))?.note).toBe("lake");
  const listed = [...listTargets(teams), ...commandTargets({ teams, canCreateTeam: true }, "/hill", "sheet 12")];
  expect(new Set(listed.map(({ label, note }) => `${label}, ${note}`)).size).toBe(listed.length);
  expect(new Set(listed.map(({ href }) => href)).size).toBe(listed.length);
  expect(commands("/riverside/campaign/water", "sheet 12")).toEqual([
    ["Invite people", "/hill/members?invite=yes"],
    ["New campaign", "/hill?create=yes"],
    ["New role", "/hill/roles?create=yes"],
    ["Who can do what", "/hill/roles?show=who"],
    ["Sign-ins, exports, and searches", "/hill/activity/reads"],
    ["New chart", "/riverside/campaign/parks/dashboard/charts/new"],
    ["Open sheet 12", "/riverside/campaign/water/signatures/register?sheet=12"],
    ["Your teams", "/?all"],
    ["New team", "/?all&new"],
    ["Account", "/account"],
  ]);
  expect(commands("/hill", "new").at(5)).toEqual(["New chart", "/hill/campaign/lakes/dashboard/charts/new"]);
  expect(commands("/", "sheet 12", [team("hill", [], [])])).toEqual([
    ["Your teams", "/?all"],
    ["Account", "/account"],
  ]);
});
