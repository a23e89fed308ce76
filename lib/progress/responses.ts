import { z } from "zod";

const count = z.int().nonnegative();
const day = z.iso.date();
const tally = { lines: count, accepted: count, duplicates: count };
const dayTally = { day, ...tally };

/** How an office checks, and how many valid signatures it requires; the rest in percent. */
const officialRuleSchema = z.object({
  required: count,
  margin: z.number(),
  rejection: z.number(),
  method: z.enum(["full", "sample", "washington"]),
  samplePercent: z.number().nullable(),
  sampleMinimum: count.nullable(),
  passPercent: z.number().nullable(),
  failPercent: z.number().nullable(),
});
export type OfficialRule = z.infer<typeof officialRuleSchema>;

/**
 * How far a campaign is, all of its teams together. Removed and blank lines don't count. Days are YYYY-MM-DD in the time
 * zone of the reader's team; a line belongs to the day it was entered.
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
  entered: count,
  duplicates: count,
  /** Signatures on all sheets: the number noted for each sheet, or what is entered of it if that is more. */
  collected: count,
  teams: count,
  /** The part of the reader's team. */
  own: z.object({ accepted: count, entered: count }),
  /** Only days with lines, in order. */
  days: z.array(z.object({ day, accepted: count, entered: count })),
  /** Signatures on sheets by the day they were collected, or the sheet was opened if that is unknown; in order. */
  collectedDays: z.array(z.object({ day, lines: count })),
  /** Nine of ten sheets opened lately were collected at most so many days before. */
  lagDays: count,
  /** Sums over sheets with entered lines; valid includes duplicates. */
  sheetSums: z.object({
    count,
    lines: count,
    valid: count,
    linesSquared: count,
    linesValid: count,
    validSquared: count,
  }),
  /** Lines drawn from a whole team by the quality check, entered twice and without unsettled differences, and errors in them. */
  checked: z.object({ lines: count, errors: count }),
  /**
   * Targets of counties, named as in lines if there are some, with their entered and accepted lines, and the accepted ones of
   * the 7 days before today.
   */
  counties: z.array(z.object({ county: z.string(), target: count, entered: count, accepted: count, last7Days: count })),
  /** All lines whose county is known. */
  withCounty: z.object({ accepted: count, entered: count }),
  /** Null until the settings have it. */
  official: officialRuleSchema.nullable(),
});
export type CampaignProgress = z.infer<typeof campaignProgressSchema>;

/** The top hundred of a list, and the totals of the rest. */
const listed = <Row extends z.ZodRawShape, Rest extends z.ZodRawShape>(row: Row, rest: Rest) =>
  z.object({ rows: z.array(z.object(row)), rest: z.object({ count, ...rest }) });

/** The work of the reader's team on a campaign, for those with `signatures.view`. */
const campaignWorkSchema = z.object({
  /** Null: lines on sheets without a circulator, or on no sheet. */
  circulators: listed({ circulator: z.string().nullable(), ...tally }, tally),
  /** A deleted account has no name, SQL has no id. `lastAt` is ISO 8601 in UTC. */
  clerks: listed({ userId: z.guid().nullable(), name: z.string().nullable(), ...tally, lastAt: z.string() }, tally),
  /** The accepted lines of each county. */
  counties: listed({ county: z.string().nullable(), accepted: count }, { accepted: count }),
  /** Oldest first. */
  openSheets: listed(
    {
      number: count,
      openedBy: z.string().nullable(),
      /** ISO 8601 in UTC. */
      openedAt: z.string(),
      signatureCount: count.nullable(),
      lines: count,
      /** Empty line numbers up to the last line of the sheet. */
      gapCount: count,
    },
    {},
  ),
  /** Closed with fewer lines than expected, longest closed first. Blank lines count in both, as on the page of sheets. */
  shortSheets: listed(
    {
      number: count,
      /** ISO 8601 in UTC. */
      closedAt: z.string(),
      expected: count,
      lines: count,
    },
    {},
  ),
  /** What was entered on each day from Monday of last week through today. The days of a row are those with lines. */
  recent: z.object({
    days: z.array(z.object(dayTally)).min(1),
    clerks: listed({ userId: z.guid().nullable(), name: z.string().nullable(), days: z.array(z.object(dayTally)) }, {}),
    circulators: listed({ circulator: z.string().nullable(), days: z.array(z.object(dayTally)) }, {}),
    /** The mean a day, over all circulators with lines in the seven days before today, since the first of these lines. */
    linesPerCirculator: z.number().nullable(),
  }),
  /** Accepted lines signed outside the campaign's current days. */
  outsideDates: count,
  /** Differences of the quality check. */
  unsettled: count,
  /** Duplicates whose voter no longer has an accepted line. */
  duplicatesFreed: listed({ id: z.guid(), sheet: count.nullable(), line: count.nullable() }, {}),
});
export type CampaignWork = z.infer<typeof campaignWorkSchema>;

/** Everything an overview shows. The version changes whenever any of it may have changed. */
export const progressResponseSchema = z.object({
  version: z.string(),
  /** Changes with what else the page shows: settings, access requests and failed charts. */
  pageVersion: z.string(),
  progress: campaignProgressSchema,
  /** Null without `signatures.view`. */
  work: campaignWorkSchema.nullable(),
});
export type ProgressResponse = z.infer<typeof progressResponseSchema>;
