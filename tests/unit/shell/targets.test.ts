import { describe, expect, test } from "vitest";
import { campaignPages, pagePlace, samePage, teamEntries, workPage } from "@/components/shell/navigation/entries";
import { nearTargets, targetsOf } from "@/components/shell/navigation/targets";

const campaign = (id: string, name: string, permissionKeys: string[], archivedAt: string | null = null) => ({
  ...{ id, name, archivedAt, permissionKeys },
});
const team = (id: string, name: string, permissionKeys: string[], campaigns: ReturnType<typeof campaign>[]) => ({
  ...{ id, name, permissionKeys, campaigns, timeZone: "UTC", locale: "en-US" },
});
const all = ["campaign.view", "charts.view", "signatures.view", "voters.search"];
const campaigns = [
  campaign("clean-water", "Clean water", all),
  campaign("voters", "Voters first", ["campaign.view"], "2026-01-01"),
  campaign("parks", "Open parks", ["voters.search"]),
];
const riverside = team("riverside", "Riverside", ["members.view"], campaigns);
const hill = team("hill", "Hill", ["roles.manage"], []);

test.each([
  ["/", "", undefined, ""],
  ["/riverside", "riverside", undefined, ""],
  ["/riverside/members/u1", "riverside", undefined, "/members/u1"],
  ["/riverside/campaign", "riverside", undefined, "/campaign"],
  ["/riverside/campaign/clean-water", "riverside", "clean-water", ""],
  ["/riverside/campaign/clean-water/signatures/register", "riverside", "clean-water", "/signatures/register"],
])("%s lies in team %j, campaign %j, page %j", (path, team, campaign, page) => {
  expect(pagePlace(path)).toEqual({ team, campaign, page });
});

describe("whoever switches keeps the page, as far as the keys there open it", () => {
  test.each([
    ["", all, ""],
    ["/voters", all, "/voters"],
    ["/signatures/register", all, "/signatures/register"],
    ["/dashboard/charts/c1", all, "/dashboard"],
    ["/members", all, ""],
    ["/votersx", all, ""],
    ["/voters", ["campaign.view"], ""],
    ["/signatures/register", ["campaign.view", "voters.search"], ""],
  ])("of a campaign: %j with %j", (page, keys, kept) => {
    expect(samePage(page, campaignPages, keys)).toBe(kept);
  });

  test.each([
    ["/members", ["members.view"], "/members"],
    ["/members/u1", ["members.view"], "/members"],
    ["/members", ["roles.manage"], ""],
    ["/settings", [], "/settings"],
  ])("of a team: %j with %j", (page, keys, kept) => {
    expect(samePage(page, teamEntries, keys)).toBe(kept);
  });
});

test.each([
  [["campaign.view", "voters.search"], "/voters"],
  [["voters.search"], "/voters"],
  [["campaign.view"], ""],
  [["campaign.view", "voters.search", "charts.view"], ""],
  [all, ""],
])("who holds %j works at %j", (keys, page) => {
  expect(workPage(keys)).toBe(page);
});

test("the targets are what the keys open, and nothing else", () => {
  expect(targetsOf([riverside, hill]).map(({ href, label, note }) => [href, label, note])).toEqual([
    ["/riverside", "Riverside", "Team"],
    ["/riverside/members", "Members", "Riverside"],
    ["/riverside/settings", "Settings", "Riverside"],
    ["/riverside/campaign/clean-water", "Clean water", "Campaign"],
    ["/riverside/campaign/clean-water/voters", "Voters", "Clean water"],
    ["/riverside/campaign/clean-water/signatures", "Signatures", "Clean water"],
    ["/riverside/campaign/clean-water/dashboard", "Dashboard", "Clean water"],
    ["/riverside/campaign/clean-water/signatures/register", "Register", "Clean water"],
    ["/riverside/campaign/voters", "Voters first", "Archived campaign"],
    ["/riverside/campaign/parks/voters", "Voters", "Open parks"],
    ["/hill", "Hill", "Team"],
    ["/hill/roles", "Roles", "Hill"],
    ["/hill/settings", "Settings", "Hill"],
  ]);
});

const water = "/riverside/campaign/clean-water";
test.each([
  ["a slip", "/riverside/memebrs", ["/riverside/members", "/riverside"]],
  ["the page of a team under a campaign", `${water}/members`, ["/riverside/members", water, "/riverside"]],
  ["a campaign by its name", "/riverside/clean-water", [water, "/riverside"]],
  ["what the first page is called", `${water}/overview`, [water, "/riverside"]],
  ["what many campaigns have: of the one at hand", `${water}/voter`, [`${water}/voters`, water, "/riverside"]],
  [
    "what many campaigns have: of all",
    "/riverside/voter",
    [`${water}/voters`, "/riverside/campaign/voters", "/riverside/campaign/parks/voters", "/riverside"],
  ],
  ["a chart that is gone", `${water}/dashboard/charts/c1`, [`${water}/dashboard`, water, "/riverside"]],
  ["nothing alike", "/riverside/there/is/nothing", ["/riverside"]],
  ["a page of another team", "/riverside/roles", ["/riverside"]],
])("what may be meant by an address that is no page: %s, %s", (_what, path, expected) => {
  expect(nearTargets(targetsOf([riverside, hill]), path).map(({ href }) => href)).toEqual(expected);
});
