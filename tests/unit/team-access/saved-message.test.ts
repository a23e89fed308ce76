import { expect, test } from "vitest";
import { savedMessage } from "@/lib/team-access/messages";
import { noOfficialCheck } from "../../support/no-official-check.ts";

const settings = (archived: boolean) => ({
  name: "Lakes",
  signatureGoal: null,
  startsOn: null,
  endsOn: null,
  linesPerSheet: 20,
  searchProfile: null,
  districts: null,
  archived,
  ...noOfficialCheck,
});

test.each([
  [false, true, "Campaign archived."],
  [true, false, "Campaign restored."],
  [false, false, "Campaign saved."],
])("says what became of a campaign, archived %s and then %s", (before, after, text) => {
  const place = { team: "north", campaign: "lakes" };
  expect(savedMessage({ kind: "edit-campaign", ...place, before: settings(before), after: settings(after) })).toBe(
    text,
  );
});
