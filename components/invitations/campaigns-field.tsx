import { useId } from "react";
import { type Option, SelectField } from "@/components/forms/select-field";
import { Checkbox } from "@/components/ui/checkbox";

type Chosen = { campaignIds: string[]; roleId: string };

/** Campaigns that invitations include, and the role there. Nothing for a team without campaigns. */
export function CampaignsField({
  campaigns,
  roles,
  isForAdministrators,
  noneHint = "They'll join the team, but can't open a campaign until you add them to one.",
  campaignIds,
  roleId,
  onChange,
}: Chosen & {
  campaigns: Option[];
  roles: Option[];
  isForAdministrators: boolean;
  /** Shown while no campaign is chosen. */
  noneHint?: string | undefined;
  onChange: (chosen: Chosen) => void;
}) {
  const id = useId();
  if (campaigns.length === 0) return null;
  const toggle = (campaign: string) => {
    const others = campaignIds.filter((other) => other !== campaign);
    onChange({ roleId, campaignIds: others.length < campaignIds.length ? others : [...others, campaign] });
  };
  return (
    <>
      <fieldset aria-describedby={id} className="flex flex-col gap-1.5">
        <legend className="mb-1.5 font-medium text-sm">Campaigns</legend>
        <ul className="max-h-36 divide-y overflow-y-auto rounded-md border">
          {campaigns.map(({ id, name }) => (
            <li key={id}>
              <label className="flex cursor-pointer items-center gap-3 px-3 py-1.5 hover:bg-muted/60 pointer-coarse:py-3">
                <Checkbox checked={campaignIds.includes(id)} onChange={() => toggle(id)} />
                <span className="wrap-anywhere min-w-0">{name}</span>
              </label>
            </li>
          ))}
        </ul>
        <p id={id} className="text-muted-foreground text-sm empty:hidden">
          {isForAdministrators ? "Administrators can open every campaign." : campaignIds.length === 0 && noneHint}
        </p>
      </fieldset>
      <SelectField
        label="Campaign role"
        options={roles}
        value={roleId}
        onPick={(picked) => onChange({ campaignIds, roleId: picked })}
      />
    </>
  );
}

/** Whether a chosen role is that of administrators. */
export const isAdministrator = (roles: (Option & { scope: string })[], roleId: string | undefined) =>
  roles.some(({ id, scope }) => id === roleId && scope === "inherit_team");
