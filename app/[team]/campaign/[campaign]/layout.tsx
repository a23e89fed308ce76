import type { ReactNode } from "react";
import { PermissionsProvider } from "@/components/permissions/permissions-provider";
import { CampaignCountProvider } from "@/components/shell/campaign-count";
import { requireCampaign } from "@/lib/permissions/require-place";

type Props = { params: Promise<{ team: string; campaign: string }>; children: ReactNode };

/** Redirects as contract 4.7 says, and provides the campaign's permissions. It protects no page: each has its own guard. */
export default async function CampaignLayout({ params, children }: Props) {
  const { team, campaign } = await params;
  const { snapshot } = await requireCampaign(team, campaign);
  return (
    <PermissionsProvider keys={snapshot.permissionKeys}>
      <CampaignCountProvider>{children}</CampaignCountProvider>
    </PermissionsProvider>
  );
}
