import Link from "next/link";
import { numbersOf } from "@/components/signatures/register/line-text";
import { registerPath } from "@/components/signatures/register/register-path";
import { Badge } from "@/components/ui/badge";
import type { CampaignOfTeam } from "@/lib/ids";
import { placeText } from "@/lib/signatures/line-text";
import type { RegisterLine } from "@/lib/signatures/register/line";
import { verdictWords } from "@/lib/signatures/verdicts";

/** What came of a line, and of a duplicate, where her first signature stands: in numbers, as there is little room. */
export function VerdictMark({
  line: { verdict, first, removedAt },
  place,
}: {
  line: RegisterLine;
  place: CampaignOfTeam;
}) {
  const tone = verdict === "accepted" ? "done" : verdict === "duplicate" ? "waiting" : "neutral";
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <Badge tone={removedAt === null ? tone : "neutral"}>
        {removedAt !== null && "removed, "}
        {verdictWords[verdict]}
      </Badge>
      {first && (
        <span className="truncate text-muted-foreground text-sm">
          of{" "}
          {first.ownTeam ? (
            <Link
              href={registerPath(place, { line: first.id })}
              prefetch={false}
              title={placeText(first)}
              className="relative z-1 underline underline-offset-2 hover:text-foreground"
            >
              {numbersOf(first)}
            </Link>
          ) : (
            "another team"
          )}
        </span>
      )}
    </span>
  );
}
