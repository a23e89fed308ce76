"use client";

import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import { SelectField } from "@/components/forms/select-field";
import { Section } from "@/components/ui/section";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { RegisterChoices } from "@/lib/signatures/register/register";

/** Draws lines at random, of everything or of a clerk or a sheet. */
export function DrawLines({
  place,
  clerks,
  draw,
}: {
  place: CampaignOfTeam;
  clerks: RegisterChoices["clerks"];
  draw: FormSubmit;
}) {
  return (
    <Section
      title="Draw a sample"
      note="Pick random lines to enter a second time from paper. Anyone who enters signatures can do the second entry, except the person who entered the line first. A sample of one sheet gives a rate for that sheet only."
    >
      <ActionForm action={draw} hidden={place} submit={["Draw a sample", "Drawing…"]} variant="outline" clear="never">
        {(state) => (
          <div className="grid gap-3 sm:grid-cols-3">
            <InputField
              state={state}
              name="size"
              label="Number of lines"
              defaultValue="50"
              inputMode="numeric"
              hint="4 to 500"
            />
            <SelectField
              state={state}
              name="clerk"
              label="Entered by"
              none="Anyone"
              options={clerks.map(({ id, name }) => ({ id, name: name ?? "A deleted account" }))}
            />
            <InputField state={state} name="sheet" label="Sheet" placeholder="All" inputMode="numeric" />
          </div>
        )}
      </ActionForm>
    </Section>
  );
}
