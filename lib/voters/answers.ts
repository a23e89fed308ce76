import { z } from "zod";
import { readHit } from "@/lib/voters/read-hit";

/** What both search routes answer (contract 2.4). The hits are passed on as the backend told them. */
export const searchAnswer = z.object({ persons: z.array(z.unknown()), hitsCount: z.number(), totalHits: z.number() });

/** The same as a screen takes it. `unreadable` counts the hits without a voter id, which cannot be shown. */
export const voterPage = searchAnswer.transform(({ persons, ...counts }) => {
  const voters = persons.map(readHit).filter((voter) => voter !== null);
  return { voters, unreadable: persons.length - voters.length, ...counts };
});
export type VoterPage = z.output<typeof voterPage>;
