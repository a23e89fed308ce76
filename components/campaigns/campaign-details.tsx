import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Can } from "@/components/permissions/permissions-provider";
import { TextLink } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { CampaignFacts } from "@/lib/campaigns/campaigns";
import { inKeyOrder, permissionLabel } from "@/lib/permissions/permission-keys";

/** Who works on a campaign, and what the person can do in it. */
export function CampaignDetails({
  facts,
  teamId,
  permissionKeys,
  children,
}: {
  facts: CampaignFacts;
  teamId: string;
  permissionKeys: string[];
  children?: ReactNode;
}) {
  return (
    <div className="grid items-start gap-8 border-t pt-8 lg:grid-cols-2">
      <Section
        title="Teams"
        action={
          <Can do="members.view">
            <TextLink href={`/${teamId}/members`}>See members</TextLink>
          </Can>
        }
        className="gap-2"
      >
        <ul className="divide-y rounded-md border">
          {facts.teams.map(({ id, name }) => (
            <li key={id} className="wrap-anywhere flex min-h-9 items-center justify-between gap-4 px-4 py-1.5">
              {name}
              {id === facts.runBy && <span className="shrink-0 text-muted-foreground text-sm">runs this campaign</span>}
            </li>
          ))}
        </ul>
      </Section>
      {children}
      <details>
        <summary className="w-fit cursor-pointer text-muted-foreground hover:text-foreground pointer-coarse:py-3">
          Your permissions
        </summary>
        <ul className="mt-2 grid gap-x-4 rounded-md border px-4 py-2 text-sm sm:grid-cols-2">
          {inKeyOrder(permissionKeys).map((key) => (
            <li key={key} className="flex items-baseline gap-2 py-0.5">
              <Check aria-hidden className="size-3.5 shrink-0 translate-y-0.5 text-success" />
              <span className="wrap-anywhere min-w-0 flex-1">{permissionLabel(key)}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
