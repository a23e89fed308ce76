"use client";

import { useId, useState } from "react";
import { campaignIdOf } from "@/components/campaigns/campaign-id-of";
import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { describedBy, Field } from "@/components/ui/field";
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
  const { announce } = useAccessChanges();
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
      onDone={announce}
      onClose={onClose}
    >
      {(state) => (
        <>
          <InputField
            state={state}
            name="name"
            label="Name"
            data-first
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {!campaign && (
            <InputField
              state={state}
              name="campaign"
              label="Id"
              hint="Stands in addresses, and stays for ever."
              spellCheck={false}
              value={ownId ?? campaignIdOf(name)}
              onChange={(event) => setOwnId(event.target.value)}
            />
          )}
          <InputField
            state={state}
            name="signatureGoal"
            label="Goal"
            hint="How many signatures. May stay empty."
            inputMode="numeric"
            defaultValue={shown?.signatureGoal ?? ""}
          />
          <div className="grid grid-cols-2 gap-4">
            <InputField
              state={state}
              name="startsOn"
              label="First day"
              type="date"
              defaultValue={shown?.startsOn ?? ""}
            />
            <InputField state={state} name="endsOn" label="Last day" type="date" defaultValue={shown?.endsOn ?? ""} />
          </div>
          {shown && (
            <InputField
              state={state}
              name="linesPerSheet"
              label="Lines per sheet"
              hint="How many lines a sheet of paper has, at most 1000."
              inputMode="numeric"
              defaultValue={shown.linesPerSheet}
            />
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
