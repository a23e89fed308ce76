import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ActivityList } from "@/components/activity/activity-lists";
import { formatOf } from "@/lib/format/format-of";

it("links the person who made a change and the person it affected, if the reader can open their pages", () => {
  const entry = {
    id: 1,
    at: "2026-11-20T12:00:00Z",
    actorId: "a",
    actor: "Ada Moreno",
    databaseRole: "service_role",
    action: "insert" as const,
    table: "team_users",
    campaignId: null,
    subjectId: "j",
    subject: "Jun Park",
    before: null,
    after: { role_name: "Member" },
  };
  const list = (people: string[]) => (
    <ActivityList
      entries={[entry]}
      known={{ teamId: "river", people: new Set(people), campaigns: new Set() }}
      format={formatOf()}
    />
  );
  const { rerender } = render(list(["a", "j"]));
  expect(screen.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Ada Moreno", "/river/members/a"],
    ["Jun Park", "/river/members/j"],
  ]);
  rerender(list([]));
  expect(screen.queryAllByRole("link")).toEqual([]);
});
