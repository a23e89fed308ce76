import type { ReactNode } from "react";
import { PermissionsProvider } from "@/components/permissions/permissions-provider";
import { CampaignCountProvider } from "@/components/shell/campaign-count";
import { requireCampaign } from "@/lib/permissions/require-place";

type Props = { params: Promise<{ team: string; campaign: string }>; children: ReactNode };

/** Redirects as contract 4.7 says, and hands on the keys of the campaign. It protects no page: each asks for itself. */
export default async function CampaignLayout({ params, children }: Props) {
  const { team, campaign } = await params;
  const { snapshot } = await requireCampaign(team, campaign);
  return (
    <PermissionsProvider keys={snapshot.permissionKeys}>
      <CampaignCountProvider>{children}</CampaignCountProvider>
    </PermissionsProvider>
  );
}
