"use client";

import { useId, useState } from "react";
import { campaignIdOf } from "@/components/campaigns/campaign-id-of";
import { FormDialog } from "@/components/forms/form-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { describedBy, Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { type FormSubmit, issueOf } from "@/lib/forms/form-state";
import type { CampaignTexts } from "@/lib/team-access/access-change";

/** Creates a campaign of the team, or changes what is set for the one that is given. */
export function CampaignDialog({
  teamId,
  campaign,
  save,
  onClose,
}: {
  teamId: string;
  /** `profiles` are the names of search profiles to choose from. */
  campaign: { id: string; texts: CampaignTexts; profiles: string[] } | null;
  save: FormSubmit;
  onClose: () => void;
}) {
  const { tell } = useAccessChanges();
  const id = useId();
  const [shown] = useState(campaign?.texts); // what the change is of, whatever others do meanwhile
  const [name, setName] = useState(shown?.name ?? "");
  const [ownId, setOwnId] = useState<string | null>(null);
  const profiles = [
    ...new Set([...(campaign?.profiles ?? []), ...(shown?.searchProfile ? [shown.searchProfile] : [])]),
  ];

  return (
    <FormDialog
      title={shown ? `Edit ${shown.name}` : "New campaign"}
      action={save}
      submit={shown ? "Save" : "Create campaign"}
      hidden={{ team: teamId, ...(campaign && { campaign: campaign.id, before: JSON.stringify(shown) }) }}
      onDone={tell}
      onClose={onClose}
    >
      {(state) => (
        <>
          <Field id={`${id}-name`} label="Name" issue={issueOf(state, "name")}>
            <Input
              id={`${id}-name`}
              name="name"
              autoComplete="off"
              data-first
              value={name}
              onChange={(event) => setName(event.target.value)}
              {...describedBy(`${id}-name`, { issue: issueOf(state, "name") })}
            />
          </Field>
          {!campaign && (
            <Field
              id={`${id}-id`}
              label="Id"
              hint="Stands in addresses, and stays for ever."
              issue={issueOf(state, "campaign")}
            >
              <Input
                id={`${id}-id`}
                name="campaign"
                autoComplete="off"
                spellCheck={false}
                value={ownId ?? campaignIdOf(name)}
                onChange={(event) => setOwnId(event.target.value)}
                {...describedBy(`${id}-id`, { issue: issueOf(state, "campaign"), hint: true })}
              />
            </Field>
          )}
          <Field
            id={`${id}-goal`}
            label="Goal"
            hint="How many signatures. May stay empty."
            issue={issueOf(state, "signatureGoal")}
          >
            <Input
              id={`${id}-goal`}
              name="signatureGoal"
              inputMode="numeric"
              autoComplete="off"
              defaultValue={shown?.signatureGoal ?? ""}
              {...describedBy(`${id}-goal`, { issue: issueOf(state, "signatureGoal"), hint: true })}
            />
          </Field>
          <div className="grid grid-cols-2 gap-4">
            <Field id={`${id}-starts`} label="First day" issue={issueOf(state, "startsOn")}>
              <Input
                id={`${id}-starts`}
                name="startsOn"
                type="date"
                defaultValue={shown?.startsOn ?? ""}
                {...describedBy(`${id}-starts`, { issue: issueOf(state, "startsOn") })}
              />
            </Field>
            <Field id={`${id}-ends`} label="Last day" issue={issueOf(state, "endsOn")}>
              <Input
                id={`${id}-ends`}
                name="endsOn"
                type="date"
                defaultValue={shown?.endsOn ?? ""}
                {...describedBy(`${id}-ends`, { issue: issueOf(state, "endsOn") })}
              />
            </Field>
          </div>
          {shown && (
            <Field
              id={`${id}-lines`}
              label="Lines per sheet"
              hint="How many lines a sheet of paper has, at most 1000."
              issue={issueOf(state, "linesPerSheet")}
            >
              <Input
                id={`${id}-lines`}
                name="linesPerSheet"
                inputMode="numeric"
                autoComplete="off"
                defaultValue={shown.linesPerSheet}
                {...describedBy(`${id}-lines`, { issue: issueOf(state, "linesPerSheet"), hint: true })}
              />
            </Field>
          )}
          {shown && profiles.length > 0 && (
            <Field
              id={`${id}-profile`}
              label="Voter search"
              hint="Where voters of this campaign are looked up. Whoever runs Signet sets these up."
              issue={issueOf(state, "searchProfile")}
            >
              <Select
                id={`${id}-profile`}
                name="searchProfile"
                defaultValue={shown.searchProfile ?? ""}
                {...describedBy(`${id}-profile`, { issue: issueOf(state, "searchProfile"), hint: true })}
              >
                <option value="">As everywhere</option>
                {profiles.map((profile) => (
                  <option key={profile}>{profile}</option>
                ))}
              </Select>
            </Field>
          )}
        </>
      )}
    </FormDialog>
  );
}
