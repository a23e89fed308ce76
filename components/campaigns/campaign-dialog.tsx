"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import { useFormat } from "@/components/shell/format-provider";
import { useRequestedDialog } from "@/components/shell/navigation/use-requested-dialog";
import { announceOnNextPage, useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import { dayIn, hasWholeYear } from "@/lib/format/days";
import { clearIssues, type FormSubmit, fieldIssue, typedValue } from "@/lib/forms/form-state";

// Kept until the page lists it, outside of the component, whose place on the page changes with the first campaign.
let created: { id: string; message: string } | null = null;

/** A button that opens the form for a new campaign, whose page opens then if the person has access to it. */
export function NewCampaign({ create, campaignIds }: { create: FormSubmit; campaignIds: string[] }) {
  const { team, announce } = useAccessChanges();
  const { push } = useRouter();
  const { isOpen, open, close } = useRequestedDialog("create");
  useEffect(() => {
    if (created === null) return;
    const { id, message } = created;
    created = null;
    if (!campaignIds.includes(id)) return announce(`${message} Ask an administrator to add you to it.`);
    announceOnNextPage(message);
    push(`/${team.id}/campaign/${id}`);
  }, [campaignIds, team, announce, push]);
  return (
    <>
      <Button onClick={open}>
        <Plus aria-hidden />
        New campaign
      </Button>
      {isOpen && <CampaignDialog create={create} onClose={close} />}
    </>
  );
}

function CampaignDialog({ create, onClose }: { create: FormSubmit; onClose: () => void }) {
  const { team } = useAccessChanges();
  const { timeZone, day } = useFormat();
  const [name, setName] = useState("");
  const [ownId, setOwnId] = useState<string | null>(null);
  const [startsOn, setStartsOn] = useState("");
  const [endsOn, setEndsOn] = useState("");
  const id = ownId ?? campaignIdOf(name);
  const isDerived = ownId === null && id !== "";
  const isBackwards = hasWholeYear(endsOn) && endsOn < startsOn;
  const isPast = hasWholeYear(endsOn) && endsOn < dayIn(timeZone, new Date());
  return (
    <FormDialog
      title="New campaign"
      action={create}
      submit={isPast ? "Create ended campaign" : "Create campaign"}
      hidden={{ team: team.id }}
      onDone={(message, sent) => {
        created = { id: String(sent.get("campaign")), message };
      }}
      onClose={onClose}
    >
      {(state) => (
        <>
          <InputField
            state={state}
            name="name"
            label="Name"
            data-first
            found={
              isDerived && typedValue(state, "name") === name && fieldIssue(state, "campaign")
                ? "Another campaign already uses this name's web address. Change the name or the address"
                : undefined
            }
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <InputField
            state={isDerived ? clearIssues(state, ["campaign"]) : state}
            name="campaign"
            label="Web address"
            hint="The last part of the campaign's address. You can't change it later."
            spellCheck={false}
            value={id}
            onChange={(event) => setOwnId(event.target.value)}
          />
          <InputField
            state={state}
            name="signatureGoal"
            label="Goal"
            hint="Optional. Valid signatures needed."
            inputMode="numeric"
          />
          <div className="grid grid-cols-2 gap-4">
            <InputField
              state={state}
              name="startsOn"
              label="First day"
              hint="Optional."
              type="date"
              value={startsOn}
              onChange={(event) => setStartsOn(event.target.value)}
            />
            <InputField
              state={isBackwards ? clearIssues(state, ["endsOn"]) : state}
              name="endsOn"
              label="Last day"
              type="date"
              hint={isPast ? "This day has passed, so the campaign has ended." : "Optional."}
              found={isBackwards ? `must be on or after the first day, ${day(startsOn)}` : undefined}
              value={endsOn}
              onChange={(event) => setEndsOn(event.target.value)}
            />
          </div>
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
