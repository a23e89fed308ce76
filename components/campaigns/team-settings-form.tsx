"use client";

import { useRef, useState } from "react";
import { ErasureReview } from "@/components/campaigns/erasure-review";
import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { type Option, SelectField } from "@/components/forms/select-field";
import { usePlaces } from "@/components/shell/navigation/places-provider";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import {
  type ArchivedCampaign,
  maxErasureDays,
  minErasureDays,
  plannedErasures,
} from "@/lib/campaigns/planned-erasures";
import { formatOf } from "@/lib/format/format-of";
import { equalIgnoringCase } from "@/lib/format/text";
import type { FormState, FormSubmit } from "@/lib/forms/form-state";
import { readWholeNumber } from "@/lib/forms/read-number";
import type { TeamSettings } from "@/lib/team-access/access-change";

type Fields = Record<keyof TeamSettings, string>;

const fieldsOf = ({ secondFactor = "optional", ...settings }: TeamSettings): Fields => ({
  ...settings,
  secondFactor,
  linesPerSheet: String(settings.linesPerSheet),
  eraseAfterDays: String(settings.eraseAfterDays ?? ""),
});
const factorChoices = [
  { id: "optional", name: "Optional" },
  { id: "required", name: "Required" },
];

/** Name, time zone, formats and sheet size of a team, with a preview of how dates and numbers look. */
export function TeamSettingsForm({
  settings,
  zones,
  locales,
  now,
  canOfferSecondFactor,
  archivedCampaigns,
  save,
}: {
  settings: TeamSettings;
  /** The time zones, by region of the world. */
  zones: Map<string, Option[]>;
  locales: Option[];
  /** The time of the preview, in ISO 8601. */
  now: string;
  canOfferSecondFactor: boolean;
  /** Those that a new period erases. */
  archivedCampaigns: ArchivedCampaign[];
  save: FormSubmit;
}) {
  const { team, announce } = useAccessChanges();
  const { teams } = usePlaces();
  const [before, setBefore] = useState(settings); // as they were when the form opened
  const [draft, setDraft] = useState(fieldsOf(settings));
  const [asking, setAsking] = useState<HTMLFormElement | null>(null); // about what is erased
  const isConfirmed = useRef(false);
  const days = draft.eraseAfterDays.trim() === "" ? null : readWholeNumber(draft.eraseAfterDays);
  const erasures =
    days === null || days === before.eraseAfterDays || !(days >= minErasureDays && days <= maxErasureDays)
      ? []
      : plannedErasures(archivedCampaigns, days, now);
  const example = formatOf(draft);
  const differs = JSON.stringify(draft) !== JSON.stringify(fieldsOf(before));
  const hasTwin = teams.some(({ id, name }) => id !== team.id && equalIgnoringCase(name, draft.name.trim()));
  const control = (state: FormState, name: keyof TeamSettings) => ({
    state,
    name,
    value: draft[name],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
  });

  return (
    <ActionForm
      action={save}
      hidden={{ team: team.id, before: JSON.stringify(before) }}
      submit={["Save", "Saving…"]}
      clear="never"
      ready={differs}
      interceptSubmit={({ currentTarget }) => {
        const isHeld = erasures.length > 0 && !isConfirmed.current;
        isConfirmed.current = false;
        if (isHeld) setAsking(currentTarget);
        return isHeld;
      }}
      onDone={({ message }) => {
        // The name is saved without the spaces around it.
        const saved = { ...draft, name: draft.name.trim() };
        const eraseAfterDays = saved.eraseAfterDays === "" ? null : readWholeNumber(saved.eraseAfterDays);
        const secondFactor = saved.secondFactor === "required" ? "required" : "optional";
        setBefore({ ...saved, secondFactor, linesPerSheet: readWholeNumber(saved.linesPerSheet), eraseAfterDays });
        setDraft((latest) => (latest.name === draft.name ? { ...latest, name: saved.name } : latest));
        announce(message ?? "Saved.");
      }}
      frame={({ fields, submit, error, pending }) => (
        <>
          {fields}
          {error}
          <div className="flex gap-2">
            {submit}
            {differs && !pending && (
              <Button variant="outline" onClick={() => setDraft(fieldsOf(before))}>
                Discard changes
              </Button>
            )}
          </div>
          <LeaveGuard armed={differs} />
          {asking && (
            <ErasureReview
              erasures={erasures}
              onConfirm={() => {
                isConfirmed.current = true;
                setAsking(null);
                asking.requestSubmit();
              }}
              onClose={() => setAsking(null)}
            />
          )}
        </>
      )}
    >
      {(state) => (
        <>
          <InputField
            {...control(state, "name")}
            label="Name"
            hint={hasTwin ? "You're already in another team with this name." : undefined}
          />
          <div className="grid gap-4 md:grid-cols-2">
            <SelectField
              {...control(state, "timeZone")}
              label="Time zone"
              hint="Sets how dates and times are shown and when a day starts."
            >
              {[...zones].map(([part, places]) => (
                <optgroup key={part} label={part}>
                  {places.map((zone) => (
                    <option key={zone.id} value={zone.id}>
                      {zone.name}
                    </option>
                  ))}
                </optgroup>
              ))}
            </SelectField>
            <SelectField
              {...control(state, "locale")}
              label="Number and date format"
              hint="Signet's text stays in English."
              options={locales}
            />
          </div>
          <p className="rounded-md border bg-muted px-4 py-2">
            <span className="text-muted-foreground">Preview: </span>
            {example.dateTime(now)}, {example.number(12_500)}, {example.percent(2 / 3)}
          </p>
          <InputField
            {...control(state, "linesPerSheet")}
            label="Lines per sheet for new campaigns"
            hint="Lines on one petition sheet. You can change it for each campaign."
            inputMode="numeric"
            className="md:max-w-32"
          />
          {(canOfferSecondFactor || draft.secondFactor === "required") && (
            <SelectField
              {...control(state, "secondFactor")}
              label="Two-factor sign-in"
              hint="If required, members have 7 days to set it up. After that, they can't open the team without it."
              options={factorChoices}
              className="md:max-w-48"
            />
          )}
          <InputField
            {...control(state, "eraseAfterDays")}
            label="Erase personal data from archived campaigns after (days)"
            hint="Optional, 30 days or more. Erases names, addresses, notes, and voter IDs; keeps counts. Administrators get a warning 14 days before."
            inputMode="numeric"
            className="md:max-w-32"
          />
        </>
      )}
    </ActionForm>
  );
}
