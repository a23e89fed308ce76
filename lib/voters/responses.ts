import { z } from "zod";
import { readHit } from "@/lib/voters/read-hit";

/** What both search routes return (contract 2.4). Hits are passed on as the backend returned them. */
export const searchResponseSchema = z.object({
  persons: z.array(z.unknown()),
  hitsCount: z.number(),
  totalHits: z.number(),
});

/** A response as screens show it. `unreadable` counts the hits without a voter id, which can't be shown. */
export const voterPage = searchResponseSchema.transform(({ persons, ...counts }) => {
  const voters = persons.map(readHit).filter((voter) => voter !== null);
  return { voters, unreadable: persons.length - voters.length, ...counts };
});
export type VoterPage = z.output<typeof voterPage>;
