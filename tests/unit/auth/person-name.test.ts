import { expect, test } from "vitest";
import { personNameSchema } from "../../../lib/auth/person-schema.ts";

test.each(["Ada", "  Ada Moreno ", "Łukasz Żółć", "عائشة", "می‌خواهم", "👩‍👩‍👧", "O’Neill-李"])(
  "accepts the name %s",
  (name) => {
    expect(personNameSchema.parse(name)).toBe(name.trim());
  },
);

test.each([
  "\n",
  "\r",
  "\t",
  "\u0001",
  "\u007f",
  "\u0085",
  "\u061c",
  "\u200e",
  "\u200f",
  "\u2028",
  "\u2029",
  "\u202a",
  "\u202b",
  "\u202c",
  "\u202d",
  "\u202e",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
])("rejects a name with %j", (mark) => {
  const { error } = personNameSchema.safeParse(`Ada${mark}Moreno`);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    "has a line break or an invisible character. Type it again",
  ]);
});
