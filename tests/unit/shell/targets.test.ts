import { describe, expect, test } from "vitest";
import { campaignPages, pagePlace, samePage, teamEntries, workPage } from "@/components/shell/navigation/entries";
import { listTargets, nearTargets } from "@/components/shell/navigation/targets";

const campaign = (id: string, name: string, permissionKeys: string[], archivedAt: string | null = null) => ({
  id,
  name,
  archivedAt,
  permissionKeys,
  canEdit: false,
});
const team = (id: string, name: string, permissionKeys: string[], campaigns: ReturnType<typeof campaign>[]) => ({
  id,
  name,
  permissionKeys,
  campaigns,
  timeZone: "UTC",
  locale: "en-US",
  secondFactorFrom: null,
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
])("finds in %s the team %j, campaign %j and page %j", (path, team, campaign, page) => {
  expect(pagePlace(path)).toEqual({ team, campaign, page });
});

describe("switching keeps the page that the permissions there allow", () => {
  test.each([
    ["", all, ""],
    ["/voters", all, "/voters"],
    ["/signatures/register", all, "/signatures/register"],
    ["/dashboard/charts/c1", all, "/dashboard"],
    ["/members", all, ""],
    ["/votersx", all, ""],
    ["/voters", ["campaign.view"], ""],
    ["/signatures/register", ["campaign.view", "voters.search"], ""],
  ])("of a campaign: %j with %j", (page, keys, target) => {
    expect(samePage(page, campaignPages, keys)).toBe(target);
  });

  test.each([
    ["/members", ["members.view"], "/members"],
    ["/members/u1", ["members.view"], "/members"],
    ["/members", ["roles.manage"], ""],
    ["/settings", [], "/settings"],
  ])("of a team: %j with %j", (page, keys, target) => {
    expect(samePage(page, teamEntries, keys)).toBe(target);
  });
});

test.each([
  [["campaign.view", "voters.search"], "/voters"],
  [["voters.search"], "/voters"],
  [["campaign.view"], ""],
  [["campaign.view", "voters.search", "charts.view"], ""],
  [all, ""],
])("opens for permissions %j the page %j", (keys, page) => {
  expect(workPage(keys)).toBe(page);
});

test("lists only targets that the permissions allow", () => {
  expect(listTargets([riverside, hill]).map(({ href, label, note }) => [href, label, note])).toEqual([
    ["/riverside", "Riverside", "Team"],
    ["/riverside/members", "Members", "Riverside"],
    ["/riverside/settings", "Settings", "Riverside"],
    ["/riverside/campaign/clean-water", "Clean water", "Campaign"],
    ["/riverside/campaign/clean-water/voters", "Voters", "Clean water"],
    ["/riverside/campaign/clean-water/signatures", "Signatures", "Clean water"],
    ["/riverside/campaign/clean-water/dashboard", "Dashboard", "Clean water"],
    ["/riverside/campaign/clean-water/report", "Report", "Clean water"],
    ["/riverside/campaign/clean-water/signatures/register", "All lines", "Clean water"],
    ["/riverside/campaign/clean-water/signatures/sheets", "Sheets", "Clean water"],
    ["/riverside/campaign/clean-water/signatures/quality", "Quality check", "Clean water"],
    ["/riverside/campaign/voters", "Voters first", "Archived campaign"],
    ["/riverside/campaign/voters/report", "Report", "Voters first"],
    ["/riverside/campaign/parks/voters", "Voters", "Open parks"],
    ["/hill", "Hill", "Team"],
    ["/hill/roles", "Roles", "Hill"],
    ["/hill/settings", "Settings", "Hill"],
  ]);
});

const water = "/riverside/campaign/clean-water";
test.each([
  ["a typo", "/riverside/memebrs", ["/riverside/members", "/riverside"]],
  ["the page of a team under a campaign", `${water}/members`, ["/riverside/members", water, "/riverside"]],
  ["a campaign by its name", "/riverside/clean-water", [water, "/riverside"]],
  ["the name of the first page", `${water}/overview`, [water, "/riverside"]],
  ["a page of many campaigns: of the current one", `${water}/voter`, [`${water}/voters`, water, "/riverside"]],
  [
    "a page of many campaigns: of all",
    "/riverside/voter",
    [`${water}/voters`, "/riverside/campaign/voters", "/riverside/campaign/parks/voters", "/riverside"],
  ],
  ["a deleted chart", `${water}/dashboard/charts/c1`, [`${water}/dashboard`, water, "/riverside"]],
  ["nothing similar", "/riverside/there/is/nothing", ["/riverside"]],
  ["a page of another team", "/riverside/roles", ["/riverside"]],
])("suggests pages for an unknown address: %s, %s", (_what, path, expected) => {
  expect(nearTargets(listTargets([riverside, hill]), path).map(({ href }) => href)).toEqual(expected);
});
