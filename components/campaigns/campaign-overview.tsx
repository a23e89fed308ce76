import { Check } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { inKeyOrder, keyWords } from "@/components/permissions/key-words";
import { Can } from "@/components/permissions/permissions-provider";
import { campaignTiming } from "@/lib/campaigns/campaign-timing";
import type { CampaignFacts } from "@/lib/campaigns/read-campaign-facts";
import type { Format } from "@/lib/format/format-of";

/** What a campaign is about, and what the reader can do in it. */
export function CampaignOverview({
  facts,
  teamId,
  format,
  permissionKeys,
  children,
}: {
  facts: CampaignFacts;
  teamId: string;
  format: Format;
  permissionKeys: string[];
  /** Further sections, below the teams. */
  children?: ReactNode;
}) {
  return (
    <div className="flex max-w-5xl flex-col gap-8 px-4 py-6 md:px-6">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border bg-border lg:grid-cols-4">
        <Fact label="Goal" note="signatures">
          {facts.signatureGoal === null ? null : format.number(facts.signatureGoal)}
        </Fact>
        <Fact label="First day">{facts.startsOn && format.day(facts.startsOn)}</Fact>
        <Fact label="Last day">{facts.endsOn && format.day(facts.endsOn)}</Fact>
        {facts.archived ? (
          <Fact label="Time">Archived</Fact>
        ) : (
          <Fact label="Time" note={`in ${format.timeZone.replaceAll("_", " ")}`}>
            {campaignTiming(facts, format, new Date())}
          </Fact>
        )}
      </dl>
      <div className="grid gap-8 lg:grid-cols-2">
        <div className="flex flex-col gap-8">
          <section aria-labelledby="teams" className="flex flex-col gap-2">
            <div className="flex items-baseline justify-between gap-4">
              <h2 id="teams" className="font-semibold">
                Teams working on it
              </h2>
              <Can do="members.view">
                <Link
                  href={`/${teamId}/members`}
                  prefetch={false}
                  className="text-primary underline-offset-4 hover:underline"
                >
                  See members
                </Link>
              </Can>
            </div>
            <ul className="divide-y rounded-md border">
              {facts.teams.map(({ id, name }) => (
                <li key={id} className="wrap-anywhere flex min-h-9 items-center justify-between gap-4 px-4 py-1.5">
                  {name}
                  {id === facts.runBy && <span className="shrink-0 text-muted-foreground text-sm">runs it</span>}
                </li>
              ))}
            </ul>
          </section>
          {children}
        </div>
        <section aria-labelledby="keys" className="flex flex-col gap-2">
          <h2 id="keys" className="font-semibold">
            What you can do here
          </h2>
          <ul className="divide-y rounded-md border">
            {inKeyOrder(permissionKeys).map((key) => (
              <li key={key} className="flex min-h-9 items-center gap-2 px-4 py-1.5">
                <Check aria-hidden className="size-4 shrink-0 text-success" />
                <span className="wrap-anywhere min-w-0 flex-1">{keyWords(key)}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}

function Fact({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1 bg-background px-4 py-3">
      <dt className="text-muted-foreground text-xs">{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-1.5">
        <span className={children === null ? "text-lg text-muted-foreground" : "font-semibold text-xl"}>
          {children ?? "not set"}
        </span>
        {note && children !== null && <span className="text-muted-foreground text-sm">{note}</span>}
      </dd>
    </div>
  );
}
