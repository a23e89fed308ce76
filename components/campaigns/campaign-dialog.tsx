"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import { SelectField } from "@/components/forms/select-field";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignTexts } from "@/lib/team-access/access-change";

/** A button that opens the form for a new campaign. */
export function NewCampaign({ create }: { create: FormSubmit }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden />
        New campaign
      </Button>
      {open && <CampaignDialog campaign={null} save={create} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Creates a campaign, or edits the given one. */
export function CampaignDialog({
  campaign,
  save,
  onClose,
}: {
  /** `profiles` are the search profiles to choose from. */
  campaign: { id: string; texts: CampaignTexts; profiles: string[] } | null;
  save: FormSubmit;
  onClose: () => void;
}) {
  const { team, announce } = useAccessChanges();
  const [shown] = useState(campaign?.texts); // as it was when the dialog opened
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
      hidden={{ team: team.id, ...(campaign && { campaign: campaign.id, before: JSON.stringify(shown) }) }}
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
              label="ID"
              hint="Used in web addresses. Can't be changed later."
              spellCheck={false}
              value={ownId ?? campaignIdOf(name)}
              onChange={(event) => setOwnId(event.target.value)}
            />
          )}
          <InputField
            state={state}
            name="signatureGoal"
            label="Goal"
            hint="Number of signatures needed (optional)."
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
              hint="Lines on one petition sheet, at most 1,000."
              inputMode="numeric"
              defaultValue={shown.linesPerSheet}
            />
          )}
          {shown && (
            <InputField
              state={state}
              name="districts"
              label="Districts"
              hint="As the voter file has them, such as 11, 33 (optional). Entry warns about voters from other districts."
              defaultValue={shown.districts ?? ""}
            />
          )}
          {shown && profiles.length > 0 && (
            <SelectField
              state={state}
              name="searchProfile"
              label="Voter search"
              hint="The voter file this campaign searches. The person who runs this server sets these up."
              none="Default"
              options={profiles.map((profile) => ({ id: profile, name: profile }))}
              defaultValue={shown.searchProfile ?? ""}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

// `Clean water 2026` suggests `clean-water-2026`.
function campaignIdOf(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 63)
    .replace(/-$/, "");
}
