import { z } from "zod";
import { verdicts } from "@/lib/signatures/verdicts";

const text = z.string().nullable();
const number = z.int().nullable();

/** Somebody; without a name when her account is gone. */
export const personSchema = z.object({ id: z.guid(), name: text });

/** A line as the register shows it. Times are ISO 8601 in UTC. */
export const registerLineSchema = z.object({
  id: z.guid(),
  sheet: number,
  line: number,
  verdict: z.enum(verdicts),
  voterId: text,
  firstName: text,
  lastName: text,
  address: text,
  city: text,
  county: text,
  zip: text,
  signedOn: text,
  note: text,
  /** Who collected the sheet. */
  circulator: text,
  enteredAt: z.string(),
  enteredBy: personSchema.nullable(),
  removedAt: text,
  removedBecause: text,
  /** Of a duplicate: where her signature stands that counts. Of another team's nothing more than that is told. */
  first: z
    .discriminatedUnion("ownTeam", [
      z.object({ ownTeam: z.literal(false) }),
      z.object({
        ownTeam: z.literal(true),
        id: z.guid(),
        sheet: number,
        line: number,
        firstName: text,
        lastName: text,
      }),
    ])
    .nullable(),
});
export type RegisterLine = z.infer<typeof registerLineSchema>;
