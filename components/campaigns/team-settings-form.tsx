"use client";

import { startTransition, useActionState, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import { describedBy, Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { formatOf } from "@/lib/format/format-of";
import { type FormSubmit, issueOf, unsent } from "@/lib/forms/form-state";
import type { TeamSettings } from "@/lib/team-access/access-change";

type Choice = { id: string; name: string };

/** Name, time zone, formats and sheet size of a team, with a preview of how dates and numbers look. */
export function TeamSettingsForm({
  teamId,
  settings,
  zones,
  locales,
  now,
  save,
}: {
  teamId: string;
  settings: TeamSettings;
  /** By region of the world. */
  zones: Map<string, Choice[]>;
  locales: Choice[];
  /** The time of the preview, in ISO 8601. */
  now: string;
  save: FormSubmit;
}) {
  const { announce } = useAccessChanges();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [before, setBefore] = useState(settings); // as they were when the form opened, whatever others change
  const [draft, setDraft] = useState({ ...settings, linesPerSheet: String(settings.linesPerSheet) });
  const [state, send, pending] = useActionState(save, unsent);
  const [sent, setSent] = useState(draft);
  const example = formatOf(draft);
  const same = { ...before, linesPerSheet: String(before.linesPerSheet) };
  const differs = JSON.stringify(draft) !== JSON.stringify(same);

  const done = useEffectEvent((message: string) => {
    const name = sent.name.trim();
    setBefore({ ...sent, name, linesPerSheet: Number(sent.linesPerSheet) });
    if (draft.name === sent.name) setDraft({ ...draft, name });
    announce(message);
  });
  useEffect(() => {
    if (state.error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    else if (state.message !== null) done(state.message);
  }, [state]);

  const control = (name: keyof TeamSettings, hint = false) => ({
    id: `${id}-${name}`,
    name,
    value: draft[name],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
    ...describedBy(`${id}-${name}`, { issue: issueOf(state, name), hint }),
  });
  const field = (name: keyof TeamSettings, label: string) => ({
    id: `${id}-${name}`,
    label,
    issue: issueOf(state, name),
  });

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        if (!differs || pending) return;
        setSent(draft);
        startTransition(() => send(typed));
      }}
      className="flex flex-col gap-4"
    >
      <input type="hidden" name="team" value={teamId} />
      <input type="hidden" name="before" value={JSON.stringify(before)} />
      <Field {...field("name", "Name")}>
        <Input autoComplete="off" {...control("name")} />
      </Field>
      <div className="grid gap-4 md:grid-cols-2">
        <Field {...field("timeZone", "Time zone")} hint="Sets how dates and times are shown and when a day starts.">
          <Select {...control("timeZone", true)}>
            {[...zones].map(([part, places]) => (
              <optgroup key={part} label={part}>
                {places.map((zone) => (
                  <option key={zone.id} value={zone.id}>
                    {zone.name}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
        </Field>
        <Field {...field("locale", "Number and date format")} hint="Words stay in English.">
          <Select {...control("locale", true)}>
            {locales.map((locale) => (
              <option key={locale.id} value={locale.id}>
                {locale.name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <p className="rounded-md border bg-muted px-4 py-2">
        <span className="text-muted-foreground">Preview: </span>
        {example.dateTime(now)}, {example.number(12_500)}, {example.percent(2 / 3)}
      </p>
      <Field
        {...field("linesPerSheet", "Lines per sheet of new campaigns")}
        hint="Lines on one petition sheet. Campaigns can override it."
      >
        <Input inputMode="numeric" autoComplete="off" className="md:max-w-32" {...control("linesPerSheet", true)} />
      </Field>
      <FormError error={state.error} pending={pending} />
      <div className="flex gap-2">
        <Button type="submit" variant={differs ? "default" : "outline"} aria-disabled={!differs || pending}>
          {pending ? "Saving…" : "Save"}
        </Button>
        {differs && !pending && (
          <Button variant="outline" onClick={() => setDraft(same)}>
            Discard
          </Button>
        )}
      </div>
      <LeaveGuard armed={differs} />
    </form>
  );
}
