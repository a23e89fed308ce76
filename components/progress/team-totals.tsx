import Link from "next/link";
import { Figure, Figures } from "@/components/progress/figures";
import { type Outlook, outlookText } from "@/components/progress/outlook-text";
import { perDayText, weekChangeText } from "@/components/progress/pace-text";
import { figureLink } from "@/components/progress/register-link";
import type { Format } from "@/lib/format/format-of";
import type { CampaignProgress } from "@/lib/progress/answers";
import type { Pace } from "@/lib/progress/pace";
import { reckonProgress } from "@/lib/progress/reckon-progress";

/** How the running campaigns of a team do together, and how many ask for access. */
export function TeamTotals({
  teamId,
  format,
  campaigns,
  requests,
}: {
  teamId: string;
  format: Format;
  /** Those that the reader may see. */
  campaigns: CampaignProgress[];
  /** Null for those who do not manage members. */
  requests: number | null;
}) {
  const { number, count } = format;
  const known = campaigns.map(reckonProgress);
  const week = togetherIn(known.map(({ pace }) => pace));
  const tones = known.map((one) => outlookText(one, format).tone);
  const those = (tone: Outlook["tone"]) => tones.filter((one) => one === tone).length;
  const others = [
    [those("waiting"), "perhaps"],
    [those("wrong"), "not"],
    [those("neutral"), "not known"],
  ] as const;
  return (
    <section aria-label="All running campaigns">
      <Figures>
        <Figure label="Accepted signatures" note={`in ${count(known.length, "running campaign")}`}>
          {number(known.reduce((sum, { progress }) => sum + progress.accepted, 0))}
        </Figure>
        <Figure
          label="Accepted a day in the last 7 days"
          note={["without today", weekChangeText(week, format)].filter(Boolean).join(", ")}
        >
          {week.last7 !== null && perDayText(week.last7, format)}
        </Figure>
        <Figure
          label="Will qualify, as it looks"
          note={others.flatMap(([some, word]) => (some === 0 ? [] : [`${number(some)} ${word}`])).join(", ")}
          wide={requests === null}
        >
          {known.length > 0 && `${number(those("done"))} of ${number(known.length)}`}
        </Figure>
        {requests !== null && (
          <Figure
            label="Requests for access"
            note={requests === 0 ? "nobody waits" : requests === 1 ? "waits for an answer" : "wait for an answer"}
          >
            {requests === 0 ? (
              "0"
            ) : (
              <Link href={`/${teamId}/activity`} prefetch={false} className={figureLink}>
                {number(requests)}
              </Link>
            )}
          </Figure>
        )}
      </Figures>
    </section>
  );
}

// One that began today has no pace yet, and adds none.
function togetherIn(paces: Pace[]): Pick<Pace, "last7" | "weekBefore"> {
  const begun = paces.filter(({ last7 }) => last7 !== null);
  const sumOf = (of: "last7" | "weekBefore") =>
    begun.length === 0 || begun.some((one) => one[of] === null)
      ? null
      : begun.reduce((sum, one) => sum + (one[of] ?? 0), 0);
  return { last7: sumOf("last7"), weekBefore: sumOf("weekBefore") };
}
