import fc from "fast-check";
import type { z } from "zod";

// Values that often cause bugs: those that databases, JSON or forms can't store, and those that look like others.
const oddTexts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udc00a",
  "\u202egnp.exe",
  "\ufeff",
  "é",
  "💥".repeat(60),
  "x".repeat(5_000),
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "true",
  "NaN",
  "-0",
  "1e400",
  "0x10",
  ...["'; drop table public.teams; --", '"', "\\", "%", "_", "%00", "{{7*7}}", "../../.env", "//evil.test"],
  "<script>alert(1)</script>",
  "a,b,,c",
  "|||",
  "[]",
  "{}",
  '{"__proto__":{"a":1}}',
  "[[[[1]]]]",
  "$K1",
  "0000-01-01",
  "9999-12-31",
  "2026-02-30",
  "10000-01-01",
  "2026-01-01T25:00:00Z",
  "infinity",
  "today",
  "00000000-0000-0000-0000-000000000000",
  "9".repeat(40),
  "a@b",
  "a@b.test\nBcc: c@d.test",
];
const oddNumbers = [0, -0, -1, 0.1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, 5e-324];

const nested = (depth: number) => {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value };
  return value;
};

/** Any value that can be sent. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...oddTexts) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...oddNumbers, null, true, false, undefined) },
  { weight: 2, arbitrary: fc.anything() },
  { weight: 1, arbitrary: fc.constantFrom(...[10, 40, 2_000].map(nested)) },
);
/** Any text, and those that often cause bugs. */
export const anyText = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: "binary", maxLength: 30 }));

/** Existing values, by the name of the field, and ids of what is stored. */
export type Known = { fields: Record<string, unknown[]>; ids: string[] };

type Options = Known & {
  /** The schema within a field of JSON. */
  jsonOf: (schema: z.core.$ZodType) => z.core.$ZodType | undefined;
  /** One in this many parts is any value. */
  oddOneIn: number;
};

/**
 * Input that a schema accepts, or nearly: some parts have any value, are missing, or extra. It ignores custom refinements.
 * `field` is the name of the field of the schema.
 */
export function nearMiss(schema: z.core.$ZodType, options: Options, field = ""): fc.Arbitrary<unknown> {
  const { oddOneIn } = options;
  return fc.oneof(
    { weight: oddOneIn - 1, arbitrary: fitting(schema, options, field) },
    { weight: 1, arbitrary: anyValue },
  );
}

function fitting(schema: z.core.$ZodType, options: Options, field: string): fc.Arbitrary<unknown> {
  const shaped = shapedLike(schema, options, field);
  if (!Object.hasOwn(options.fields, field)) return shaped;
  const named = fc.constantFrom(...(options.fields[field] ?? []));
  return fc.oneof({ weight: 6, arbitrary: named }, { weight: 1, arbitrary: shaped });
}

function shapedLike(schema: z.core.$ZodType, options: Options, field: string): fc.Arbitrary<unknown> {
  const held = options.jsonOf(schema);
  if (held) return nearMiss(held, options, field).map((value) => asJson(value));
  const { oddOneIn } = options;
  const near = (part: z.core.$ZodType, name = field) => nearMiss(part, options, name);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const parts = Object.fromEntries(Object.entries(def.shape).map(([name, part]) => [name, near(part, name)]));
      const needed = Object.keys(parts).filter((name) => def.shape[name]?._zod.optin !== "optional");
      const bare = fc.record(Object.fromEntries(needed.map((name) => [name, parts[name] ?? anyValue])));
      const more = fc.tuple(bare, anyText, anyValue).map(([value, name, odd]) => ({ ...value, [name]: odd }));
      return fc.oneof(
        { weight: oddOneIn, arbitrary: bare },
        { weight: oddOneIn, arbitrary: fc.record(parts) },
        { weight: 1, arbitrary: fc.record(parts, { requiredKeys: [] }) },
        { weight: 1, arbitrary: more },
      );
    }
    case "array":
      return fc.array(near(def.element), { minLength: 1, maxLength: 3 });
    case "tuple":
      return fc.tuple(...def.items.map((item) => near(item)));
    case "record":
      return fc.dictionary(fc.constantFrom("county", "city", "n", "__proto__"), near(def.valueType), { maxKeys: 3 });
    case "union":
      return fc.oneof(...def.options.map((option) => near(option)));
    case "nullable":
      return fc.oneof(near(def.innerType), fc.constant(null));
    case "optional":
    case "default":
    case "prefault":
      return fc.oneof({ weight: 3, arbitrary: near(def.innerType) }, { weight: 1, arbitrary: fc.constant(undefined) });
    case "nonoptional":
    case "readonly":
    case "catch":
      return near(def.innerType);
    case "pipe":
      return near(def.in._zod.def.type === "transform" ? def.out : def.in);
    case "enum":
      return fc.constantFrom(...Object.values(def.entries));
    case "literal":
      return fc.constantFrom(...def.values);
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(...oddNumbers));
    case "string": {
      const id = fc.constantFrom(...options.ids);
      const patterns = (def.checks ?? []).flatMap(({ _zod }) =>
        "pattern" in _zod.def && _zod.def.pattern instanceof RegExp ? [_zod.def.pattern] : [],
      );
      const format = "format" in def ? String(def.format) : "";
      if (["uuid", "guid"].includes(format)) return id;
      if (format === "date") return fc.constantFrom("2026-10-01", "2026-11-20");
      if (format === "datetime") return fc.constantFrom("2026-11-20T10:00:00Z", "2026-11-20T10:00:00.123456789Z");
      if (format === "email") return fc.constantFrom("ann@people.test", "new@people.test");
      const [pattern] = patterns;
      return fc.oneof(pattern ? fc.stringMatching(pattern) : fc.constantFrom("a", "King", "clean-water"), id, anyText);
    }
    default:
      return anyValue;
  }
}

/** JSON of a value, or its text if it has none. */
export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return String(value);
  }
}
