import { useState } from "react";
import { FormDialog } from "@/components/forms/form-dialog";
import { type Option, SelectField } from "@/components/forms/select-field";
import { CampaignsField, isAdministrator } from "@/components/invitations/campaigns-field";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { InvitationEdit } from "@/lib/invitations/invitation";
import { invitationDays } from "@/lib/invitations/invitation-days";
import type { OpenInvitation } from "@/lib/invitations/invitations";

/** Changes the role and campaigns of open invitations. What differs between them stays unless it is chosen. */
export function EditInvitations({
  invitations,
  roles,
  campaigns,
  defaultCampaignRoleId,
  hidden,
  edit,
  onDone,
  onClose,
}: {
  invitations: OpenInvitation[];
  roles: (Option & { scope: "assigned" | "inherit_team" })[];
  campaigns: Option[];
  defaultCampaignRoleId: string | undefined;
  hidden: Record<string, string>;
  edit: FormSubmit;
  onDone: (message: string) => void;
  onClose: () => void;
}) {
  const [changed, setChanged] = useState<InvitationEdit>({});
  const campaignRoles = roles.filter(({ scope }) => scope === "assigned");
  const sameRoleId = common(invitations.map(({ roleId }) => roleId));
  const sameCampaigns = common(invitations.map(({ campaigns: own }) => JSON.stringify(own)));
  const chosen = changed.campaigns ?? (sameCampaigns === undefined ? [] : (invitations[0]?.campaigns ?? []));
  const [campaignRoleId, setCampaignRoleId] = useState(chosen[0]?.roleId ?? defaultCampaignRoleId ?? "");
  const isPlural = invitations.length > 1;
  const isMixed = sameCampaigns === undefined && changed.campaigns === undefined;
  return (
    <FormDialog
      title={isPlural ? `Edit ${invitations.length} invitations` : `Edit the invitation for ${invitations[0]?.email}`}
      submit={isPlural ? "Save invitations" : "Save invitation"}
      action={edit}
      hidden={{ ...hidden, edit: JSON.stringify(changed) }}
      onDone={onDone}
      onClose={onClose}
    >
      {() => (
        <>
          <SelectField
            label="Team role"
            data-first
            options={roles}
            none={sameRoleId === undefined ? "Keep their current roles" : undefined}
            value={changed.roleId ?? sameRoleId ?? ""}
            onPick={(roleId) => setChanged({ ...changed, roleId: roleId || undefined })}
          />
          <CampaignsField
            campaigns={campaigns}
            roles={campaignRoles}
            isForAdministrators={isAdministrator(roles, changed.roleId ?? sameRoleId)}
            noneHint={isMixed ? "They have different campaigns now. Choosing here replaces them for all." : undefined}
            campaignIds={chosen.map(({ id }) => id)}
            roleId={campaignRoleId}
            onChange={({ campaignIds, roleId }) => {
              // Choosing a campaign leaves the roles in the others.
              const previous = new Map(roleId === campaignRoleId ? chosen.map(({ id, roleId }) => [id, roleId]) : []);
              setCampaignRoleId(roleId);
              setChanged({
                ...changed,
                campaigns: campaignIds.map((id) => ({ id, roleId: previous.get(id) ?? roleId })),
              });
            }}
          />
          {changed.campaigns && changed.campaigns.length > 0 && (
            <p role="status" className="wrap-anywhere">
              New access:{" "}
              {changed.campaigns
                .map((campaign) => `${nameOf(campaignRoles, campaign.roleId)} in ${nameOf(campaigns, campaign.id)}`)
                .join(", ")}
              .
            </p>
          )}
          <p className="text-muted-foreground text-sm">
            {isPlural ? "Their links stay the same and work" : "Its link stays the same and works"} for {invitationDays}{" "}
            more days. The invitation will show you as the person who invited them. Saving doesn't send the email again.
          </p>
        </>
      )}
    </FormDialog>
  );
}

const nameOf = (list: Option[], wantedId: string) => list.find(({ id }) => id === wantedId)?.name ?? wantedId;

function common(values: string[]): string | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}
