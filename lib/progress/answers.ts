import { z } from "zod";

const count = z.int().nonnegative();
const day = z.iso.date();
const tally = { lines: count, accepted: count, duplicates: count };

/**
 * How far a campaign is, all of its teams together. A line counts while it is not removed, unless it is `blank` on the
 * paper; its day is that on which it was keyed. Days are YYYY-MM-DD in the time zone of the reader's team.
 */
export const campaignProgressSchema = z.object({
  today: day,
  goal: count.nullable(),
  startsOn: day.nullable(),
  endsOn: day.nullable(),
  /** ISO 8601 in UTC. */
  archivedAt: z.string().nullable(),
  accepted: count,
  /** Accepted or not. */
  keyed: count,
  duplicates: count,
  /** What the sheets bear, as far as somebody has said so, and at least what is keyed of each. */
  onPaper: count,
  /** How many teams work on it. */
  teams: count,
  /** Of these, the lines of the reader's team. */
  own: z.object({ accepted: count, keyed: count }),
  /** The days with lines, in their order. */
  days: z.array(z.object({ day, accepted: count, keyed: count })),
});
export type CampaignProgress = z.infer<typeof campaignProgressSchema>;

/** The first hundred of a list, the greatest ones first, and what all further ones together have. */
const listed = <Row extends z.ZodRawShape, Rest extends z.ZodRawShape>(row: Row, rest: Rest) =>
  z.object({ rows: z.array(z.object(row)), rest: z.object({ count, ...rest }) });

/** The work of the reader's team on a campaign, for those who hold `signatures.view`. */
const campaignWorkSchema = z.object({
  /** Who collected: null is all lines on sheets that name nobody, and on none. */
  circulators: listed({ circulator: z.string().nullable(), ...tally }, tally),
  /** Who keyed: without a name when the account is gone, without an id when it was nobody. `lastAt` is ISO 8601 in UTC. */
  clerks: listed({ userId: z.guid().nullable(), name: z.string().nullable(), ...tally, lastAt: z.string() }, tally),
  /** Where the accepted lines are from; null is those that do not say. */
  counties: listed({ county: z.string().nullable(), accepted: count }, { accepted: count }),
  /** Sheets that nobody has closed, those that were opened first, first. */
  openSheets: listed(
    {
      number: count,
      circulator: z.string().nullable(),
      openedBy: z.string().nullable(),
      /** ISO 8601 in UTC. */
      openedAt: z.string(),
      signatureCount: count.nullable(),
      lines: count,
      /** Up to the last line of the paper, the numbers at which nothing stands: the first 20 and how many. */
      gaps: z.array(count),
      gapCount: count,
    },
    {},
  ),
  /** Accepted lines that were signed outside the campaign's days, as these are now. */
  outsideDates: count,
  /** Lines kept as a duplicate of one that does not count any more: their voters have no accepted line. */
  duplicatesFreed: listed({ id: z.guid(), sheet: count.nullable(), line: count.nullable(), voterId: z.string() }, {}),
});
export type CampaignWork = z.infer<typeof campaignWorkSchema>;

/** All that an overview shows. The version changes whenever any of it may have. */
export const progressAnswer = z.object({
  version: z.string(),
  progress: campaignProgressSchema,
  /** Null without `signatures.view`. */
  work: campaignWorkSchema.nullable(),
});
export type ProgressAnswer = z.infer<typeof progressAnswer>;
