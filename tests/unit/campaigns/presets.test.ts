import { expect, test } from "vitest";
import { z } from "zod";
import { presets } from "@/components/campaigns/check-fields";
import { typedNumber } from "@/lib/forms/typed-number";
import { officialCheckFields, sampleHasSize, thresholdsInOrder } from "@/lib/team-access/official-check-fields";

const { checkMethod, samplePercent, sampleMinimum, passPercent, failPercent } = officialCheckFields;
const others = { requiredSignatures: null, safetyMargin: null, officialRejection: null, countyTargets: [] };
const rule = z
  .strictObject({
    checkMethod,
    samplePercent: typedNumber(samplePercent),
    sampleMinimum: typedNumber(sampleMinimum),
    passPercent: typedNumber(passPercent),
    failPercent: typedNumber(failPercent),
  })
  .transform((fields) => ({ ...fields, ...others }))
  .refine(...sampleHasSize)
  .refine(...thresholdsInOrder);

test("the presets of states have the numbers of their law", () => {
  const [washington, california] = presets.map(({ rule: { samplePercent, sampleMinimum, passPercent, failPercent } }) =>
    [samplePercent, sampleMinimum, passPercent, failPercent].map(Number),
  );
  expect(washington).toEqual([3, 0, 0, 0]); // WAC 434-379-010 tests by a formula
  expect(california).toEqual([3, 500, 110, 95]); // Elections Code 9030–9031
});

test.each(presets)("the preset $name sets the method and all four numbers, within the rules", (preset) => {
  expect(rule.safeParse(preset.rule).error).toBeUndefined();
});
