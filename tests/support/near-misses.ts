import fc from "fast-check";
import type { z } from "zod";

// Where programs stumble: what databases cannot hold, what JSON and forms cannot, and what looks like something else.
const oddTexts = [
  ...["", " ", "\0", "a\0b", "\ud800", "\udc00a", "\u202egnp.exe", "\ufeff", "é", "💥".repeat(60), "x".repeat(5_000)],
  ...["__proto__", "constructor", "toString", "null", "undefined", "true", "NaN", "-0", "1e400", "0x10"],
  ...["'; drop table public.teams; --", '"', "\\", "%", "_", "%00", "{{7*7}}", "../../.env", "//evil.test"],
  ...["<script>alert(1)</script>", "a,b,,c", "|||", "[]", "{}", '{"__proto__":{"a":1}}', "[[[[1]]]]", "$K1"],
  ...["0000-01-01", "9999-12-31", "2026-02-30", "10000-01-01", "2026-01-01T25:00:00Z", "infinity", "today"],
  ...["00000000-0000-0000-0000-000000000000", "9".repeat(40), "a@b", "a@b.test\nBcc: c@d.test"],
];
const oddNumbers = [0, -0, -1, 0.1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, 5e-324];

const nested = (depth: number) => {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value };
  return value;
};

/** Anything that can be sent. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...oddTexts) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...oddNumbers, null, true, false, undefined) },
  { weight: 2, arbitrary: fc.anything() },
  { weight: 1, arbitrary: fc.constantFrom(...[10, 40, 2_000].map(nested)) },
);
/** Any text, and those at which programs stumble. */
export const anyText = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: "binary", maxLength: 30 }));

/** What is there to be named: by the name of the field, and the ids of what is stored. */
export type Known = { fields: Record<string, unknown[]>; ids: string[] };

type Options = Known & {
  /** What a field of JSON holds. */
  jsonOf: (schema: z.core.$ZodType) => z.core.$ZodType | undefined;
  /** One in so many parts is anything. */
  oddOneIn: number;
};

/**
 * What a schema takes, or nearly: here and there a part of it is anything, missing, or too much. Its own refinements are not
 * known. `field` is the name of the field that it stands for.
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

/** JSON of a value, or a text that nearly is. */
export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return String(value);
  }
}
