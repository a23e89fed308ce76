import { z } from "zod";
import { storableText } from "@/lib/storable";

const countProblem = "Enter a whole number from 1 to 100,000,000";
/** A number of signatures. */
export const signatureCountSchema = z.int(countProblem).min(1, countProblem).max(100_000_000, countProblem);

/** A percentage, rounded to the two decimals that the database stores. */
function percent(min: number, max: number) {
  const problem = `Enter a percentage from ${min} to ${max}`;
  const stored = z.number(problem).transform((value) => Math.round(value * 100) / 100);
  return stored.pipe(z.number().min(min, problem).max(max, problem)).nullable();
}

/** How an election office checks signatures, and how many it requires; percentages from 0 to 100. */
export const officialCheckFields = {
  requiredSignatures: signatureCountSchema.nullable(),
  /** The margin as a share of the required signatures. */
  safetyMargin: percent(0, 100),
  /** The share of valid signatures that the office is expected to reject. */
  officialRejection: percent(0, 50),
  checkMethod: z.enum(["full", "sample", "washington"], "is unknown").nullable(),
  samplePercent: percent(0.01, 100),
  sampleMinimum: signatureCountSchema.nullable(),
  passPercent: percent(1, 200),
  failPercent: percent(1, 200),
  countyTargets: z
    .array(z.object({ county: storableText.trim().min(1).max(100), target: signatureCountSchema }))
    .max(300, "Enter at most 300 counties"),
};
type Fields = z.output<z.ZodObject<typeof officialCheckFields>>;
type When = (payload: { value: unknown }) => boolean;
/** The arguments of `refine` for a rule across fields. It runs if those fields are valid, whatever is wrong with others. */
export type CrossFieldRule<Fields> = [
  fits: (fields: Fields) => boolean,
  problem: { path: string[]; message: string; when: When },
];

/** A `when` that is true if these fields are valid. */
export function areValid(fields: z.ZodRawShape): When {
  const schema = z.object(fields);
  return ({ value }) => schema.safeParse(value).success;
}

const { checkMethod, samplePercent, sampleMinimum, passPercent, failPercent } = officialCheckFields;

/** Valid if a sample has a size. */
export const sampleHasSize: CrossFieldRule<Fields> = [
  ({ checkMethod, samplePercent, sampleMinimum }) =>
    checkMethod === null || checkMethod === "full" || (samplePercent ?? sampleMinimum) !== null,
  {
    path: ["samplePercent"],
    message: "Enter a sample size, a minimum, or both",
    when: areValid({ checkMethod, samplePercent, sampleMinimum }),
  },
];
/** Valid if a check by thresholds has both, in order. */
export const thresholdsInOrder: CrossFieldRule<Fields> = [
  ({ checkMethod, passPercent, failPercent }) =>
    checkMethod !== "sample" || (passPercent !== null && failPercent !== null && failPercent <= passPercent),
  {
    path: ["failPercent"],
    message: "Enter both thresholds, this one no higher than the other",
    when: areValid({ checkMethod, passPercent, failPercent }),
  },
];
