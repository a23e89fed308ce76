import { createHash } from "node:crypto";

export type Mutation = { id: string; file: string; operator: string; line: string; mutated: string };

type Operator = { name: string; from: RegExp; to: string | ((match: string) => string) };

const swapped = (name: string, left: string, right: string): Operator => ({
  name,
  from: new RegExp(`(?<= )(${left}|${right})(?= )`),
  to: (match) => (match === left.replaceAll("\\", "") ? right.replaceAll("\\", "") : left.replaceAll("\\", "")),
});

const typescriptOperators: Operator[] = [
  swapped("equal", "===", "!=="),
  swapped("and/or", "&&", "\\|\\|"),
  swapped("boundary below", "<", "<="),
  swapped("boundary above", ">", ">="),
  swapped("branches", "true", "false"),
  { name: "check dropped", from: /\bif \(.+\)(?= (\{|return|throw|continue))/, to: "if (false)" },
  { name: "not dropped", from: /(?<=[(\s])!(?=[a-z(])/, to: "" },
  { name: "await removed", from: /(?<!return )\bawait (?=\w)/, to: "" },
  {
    name: "status",
    from: /(?<=[sS]tatus.*|: )(20[0-4]|30[2-8]|4\d\d|50[0-4])\b(?!_)/,
    to: (status) => (status === "503" ? "500" : "503"),
  },
  { name: "off by one", from: /(?<=[\w)\]] )[+-](?= 1\b)/, to: (sign) => (sign === "+" ? "-" : "+") },
  { name: "limit", from: /(?<=\.(max|min|slice|limit|gt|lte)\()\d+(?=\))/, to: (limit) => String(Number(limit) + 1) },
  { name: "filter widened", from: /(?<=\.filter\((\w+|\(.*?\)) => )(?!\{)/, to: "true || " },
  { name: "condition of a query dropped", from: /\.(eq|is|in|gt|lt)\([^()]*\)/, to: "" },
  { name: "some/every", from: /\.(some|every)\(/, to: (call) => (call === ".some(" ? ".every(" : ".some(") },
  { name: "min/max", from: /Math\.(min|max)\(/, to: (call) => (call === "Math.min(" ? "Math.max(" : "Math.min(") },
  { name: "default dropped", from: /(?<=\w) \?\? (""|\[\]|null|0|\w+)(?=[;,)])/, to: "" },
  { name: "argument dropped", from: /(?<=\w\([\w.]+), [\w.]+(?=\);)/, to: "" },
  { name: "text cleaned", from: /\??\.(trim|toLowerCase|toSorted|toReversed)\(\)/, to: "" },
];

const sqlOperators: Operator[] = [
  { name: "and/or", from: /(?<!between .*)\band\b(?! \()/, to: "or" },
  { name: "or/and", from: /(?<!create )\bor\b/, to: "and" },
  { name: "equal", from: /(?<=\b(where|and|or|on|if|when|not) .*) = /, to: " <> " },
  { name: "unequal", from: / <> /, to: " = " },
  swapped("boundary below", "<", "<="),
  swapped("boundary above", ">", ">="),
  { name: "filter widened", from: /(?<=^ *(where|and) )(?=[^()]*[^(),;]$)/, to: "true or " },
  { name: "check dropped", from: /\bif .+(?= then\b)/, to: "if false" },
  { name: "exists", from: /(?<!\bif )\bnot exists\b/, to: "exists" },
  { name: "null", from: /\bis null\b/, to: "is not null" },
  { name: "not null", from: /\bis not null\b/, to: "is null" },
  { name: "not null dropped", from: /(?<=^ .*)(?<!\bis) not null(?=[, ]|$)/, to: "" },
  { name: "constraint dropped", from: / (unique|check \([^()]*(\([^()]*\))?[^()]*\))(?=,?$)/, to: "" },
  { name: "lock dropped", from: / for (no key )?update( of \w+)?/, to: "" },
  { name: "revoke dropped", from: /^revoke .*;$/, to: "" },
  { name: "branches", from: /\b(true|false)\b/, to: (value) => (value === "true" ? "false" : "true") },
  { name: "off by one", from: /(?<=[\w)] )[+-](?= 1\b)/, to: (sign) => (sign === "+" ? "-" : "+") },
  { name: "limit", from: /(?<=\blimit |interval ')\d+/, to: (limit) => String(Number(limit) + 1) },
  { name: "join", from: /\bleft join\b/, to: "join" },
  { name: "order", from: /(?<=order by .*) desc\b/, to: "" },
  { name: "call dropped", from: /^ *perform .*;$/, to: "" },
  {
    name: "coalesce dropped",
    from: /\bcoalesce\((\w+\.?\w*), [^()]+\)/,
    to: (call) => call.slice(9, call.indexOf(",")),
  },
];

// Lines that aren't executed: comments, and in TypeScript types and imports.
const notExecutedPattern = (file: string) =>
  file.endsWith(".sql") ? /^\s*--|^comment on|^ *'/ : /^\s*(\/\/|\/?\*|import|type |export type)/;

/** All mutations of a file. Each changes a line that occurs only once. */
export function findMutations(file: string, text: string): Mutation[] {
  const lines = text.split("\n");
  const counts = Map.groupBy(lines, (line) => line);
  const mutable = lines.filter((line) => counts.get(line)?.length === 1 && !notExecutedPattern(file).test(line));
  return mutable.flatMap((line) =>
    (file.endsWith(".sql") ? sqlOperators : typescriptOperators).flatMap(({ name, from, to }) => {
      const mutated = line.replace(from, typeof to === "string" ? () => to : to);
      if (mutated === line) return [];
      const id = createHash("sha256").update([file, line, name].join("\n")).digest("hex").slice(0, 12);
      return { id, file, operator: name, line, mutated };
    }),
  );
}

/**
 * Chooses `count` mutations, equally many of each operator. The choice depends on the seed and the mutations, not on the
 * order of files.
 */
export function chooseMutations(all: Mutation[], count: number, seed: string): Mutation[] {
  const randomOrder = (id: string) =>
    createHash("sha256")
      .update(seed + id)
      .digest("hex");
  const rows = [...Map.groupBy(all, ({ operator }) => operator).values()].flatMap((mutations) =>
    mutations
      .map((mutation) => ({ mutation, order: randomOrder(mutation.id) }))
      .sort((a, b) => a.order.localeCompare(b.order))
      .map((row, round) => ({ ...row, round })),
  );
  rows.sort((a, b) => a.round - b.round || a.order.localeCompare(b.order));
  return rows.slice(0, count).map(({ mutation }) => mutation);
}
