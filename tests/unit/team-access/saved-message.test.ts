import { expect, test } from "vitest";
import { effectMessage, savedMessage } from "@/lib/team-access/messages";
import { plainCampaign } from "../../support/no-official-check.ts";

const settings = (archived: boolean) => ({ ...plainCampaign, archived });

test.each([
  [false, true, "Lakes archived."],
  [true, false, "Lakes restored."],
  [false, false, "Lakes saved."],
])("says what became of a campaign, archived %s and then %s", (before, after, text) => {
  const place = { team: "north", campaign: "lakes" };
  expect(savedMessage({ kind: "edit-campaign", ...place, before: settings(before), after: settings(after) })).toBe(
    text,
  );
});

test("says that an end date changes no one's access until then", () => {
  const [userId, roleId] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
  const endingOn = (endsOn: string | null) => ({ roleId, setIds: [], endsOn });
  const message = (before: string | null, after: string | null) => {
    const place = { userId, campaign: "lakes", before: endingOn(before), after: endingOn(after) };
    return effectMessage(0, { kind: "campaigns", team: "north", places: [place] });
  };
  expect(message(null, "2026-12-24")).toBe("No one's access changes until then.");
  expect(message("2026-12-24", null)).toBe("No one's access changes.");
});

test("doesn't say that a removal changes no one's access, whose note says what they lose", () => {
  const before = { roleId: "00000000-0000-4000-8000-000000000002", status: "suspended" as const };
  const members = [{ userId: "00000000-0000-4000-8000-000000000001", before, after: null }];
  expect(effectMessage(0, { kind: "members", team: "north", members })).toBe("");
});
