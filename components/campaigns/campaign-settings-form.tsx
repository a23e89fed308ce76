"use client";

import { useRef, useState } from "react";
import { type CheckDraft, CheckFields, validNeededByDraft } from "@/components/campaigns/check-fields";
import { ConsequenceDialog } from "@/components/campaigns/consequence-dialog";
import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { SelectField } from "@/components/forms/select-field";
import { TextAreaField } from "@/components/forms/text-area-field";
import { useFormat } from "@/components/shell/format-provider";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import type { KnownAreas } from "@/lib/campaigns/campaigns";
import { type CountyNote, countyTargetsText, readCountyTargets } from "@/lib/campaigns/county-targets";
import { dayIn, hasWholeYear } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import { equalIgnoringCase } from "@/lib/format/text";
import { clearIssues, type FormState, type FormSubmit, fieldIssue } from "@/lib/forms/form-state";
import { fieldNumber, readWholeNumber } from "@/lib/forms/read-number";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignSettings } from "@/lib/team-access/access-change";

type Draft = Record<Exclude<keyof CampaignSettings, "archived">, string> & CheckDraft;

const draftIn = (number: Format["number"], { archived: _, countyTargets, ...settings }: CampaignSettings) =>
  ({
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        name,
        typeof value === "number" ? fieldNumber(value, number) : (value ?? ""),
      ]),
    ),
    countyTargets: countyTargetsText(countyTargets, number),
  }) as Draft;

/**
 * The settings of a campaign: goal and days, the official check and county targets. Leaving asks after a change. Those of an
 * archived one can only be read.
 */
export function CampaignSettingsForm({
  place,
  settings,
  profiles,
  areas,
  save,
}: {
  place: CampaignOfTeam;
  settings: CampaignSettings;
  /** Search profiles to choose from, besides the default. */
  profiles: string[];
  areas: KnownAreas;
  save: FormSubmit;
}) {
  const { announce } = useAccessChanges();
  const { number, day, timeZone } = useFormat();
  const draftOf = (campaignSettings: CampaignSettings) => draftIn(number, campaignSettings);
  const { archived } = settings;
  const [before, setBefore] = useState(settings); // as last read
  const [draft, setDraft] = useState(draftOf(settings));
  const [sent, setSent] = useState<Draft | null>(null);
  const [theirs, setTheirs] = useState<Partial<Draft>>({}); // what someone else saved in fields changed here too
  const [asking, setAsking] = useState<HTMLFormElement | null>(null); // about what is removed or ended
  const isConfirmed = useRef(false);
  if (sent || JSON.stringify(settings) !== JSON.stringify(before)) {
    // Saved here, or by someone else. Text typed since then stays, and is marked where they changed the same field.
    const [from, to] = [sent ?? draftOf(before), draftOf(settings)];
    const names = Object.keys(to) as (keyof Draft)[];
    const clashes = names.filter((name) => draft[name] !== from[name] && to[name] !== from[name]);
    setTheirs(sent ? {} : Object.fromEntries(clashes.map((name) => [name, to[name]])));
    setDraft({
      ...draft,
      ...Object.fromEntries(names.flatMap((name) => (draft[name] === from[name] ? [[name, to[name]]] : []))),
    });
    setSent(null);
    setBefore(settings);
  }
  const change = (changed: Partial<Draft>) => setDraft((latest) => ({ ...latest, ...changed }));
  const differs = JSON.stringify(draft) !== JSON.stringify(draftOf(before));
  const control = (state: FormState, name: keyof Draft) => ({
    state,
    name,
    value: draft[name],
    found:
      theirs[name] === undefined
        ? undefined
        : theirs[name] === ""
          ? "was cleared by someone else"
          : `was changed to ${name === "startsOn" || name === "endsOn" ? day(theirs[name]) : theirs[name]} by someone else`,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  const goal = readWholeNumber(draft.signatureGoal);
  // The forecast requires these.
  const removed = [
    before.signatureGoal !== null && draft.signatureGoal.trim() === "" && "the goal",
    before.endsOn !== null && draft.endsOn === "" && "the last day",
  ].filter((item) => item !== false);
  const needed = validNeededByDraft(draft);
  const hasYear = hasWholeYear(draft.endsOn);
  const isBackwards = hasYear && draft.endsOn < draft.startsOn;
  const isPast = hasYear && draft.endsOn !== before.endsOn && draft.endsOn < dayIn(timeZone, new Date());
  const ends = isPast && !isBackwards;
  const { targets, notes } = readCountyTargets(draft.countyTargets, areas.counties);
  const isWrong = notes.some(({ isProblem }) => isProblem);
  const sum = targets.reduce((total, { target }) => total + target, 0);
  const isKnownDistrict = (name: string) =>
    name === "" || areas.districts.length === 0 || areas.districts.some((known) => equalIgnoringCase(known, name));
  const districtDoubts = [...new Set(draft.districts.split(/[,;]/).map((name) => name.trim()))]
    .filter((name) => !isKnownDistrict(name))
    .map((name) => ({ text: `“${name}” isn't a district in the voter file. Check its number.`, isProblem: false }));
  const sumText = `The targets add up to ${number(sum)}, more than the goal of ${number(goal)}.`;
  const hints = goal > 0 && sum > goal ? [...notes, { text: sumText, isProblem: false }] : notes;
  // The action refuses these, so nothing is removed or ended yet.
  const isRefused =
    isWrong ||
    [draft.signatureGoal, draft.linesPerSheet, draft.requiredSignatures].some(
      (text) => text.trim() !== "" && Number.isNaN(readWholeNumber(text)),
    );
  const known = [...new Set([...profiles, ...(before.searchProfile ? [before.searchProfile] : [])])];

  return (
    <ActionForm
      // Spelled as in the voter file only now: on leaving the field, Save would move from under the pointer.
      action={(state: FormState, form) => {
        if (!isWrong) form.set("countyTargets", countyTargetsText(targets, number));
        return save(state, form);
      }}
      hidden={{ ...place, before: JSON.stringify({ ...before, archived }) }}
      submit={["Save", "Saving…"]}
      clear="never"
      className="gap-8"
      ready={differs}
      interceptSubmit={({ currentTarget }) => {
        const isHeld = (removed.length > 0 || ends) && !isRefused && !isConfirmed.current;
        isConfirmed.current = false;
        if (isHeld) setAsking(currentTarget);
        return isHeld;
      }}
      onDone={({ message }) => {
        setSent(draft);
        announce(message ?? "Saved.");
      }}
      frame={({ fields, submit, error, pending }) => (
        <>
          <fieldset disabled={archived} className="contents">
            {fields}
          </fieldset>
          {error}
          {!archived && (
            <div className="flex gap-2">
              {submit}
              {differs && !pending && (
                <Button
                  variant="outline"
                  onClick={() => {
                    setDraft(draftOf(before));
                    setTheirs({});
                  }}
                >
                  Discard changes
                </Button>
              )}
            </div>
          )}
          <LeaveGuard armed={differs} />
          {asking && (
            <ConsequenceDialog
              name={before.name}
              removed={removed.join(" and ")}
              endedOn={ends ? day(draft.endsOn) : null}
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
          <Section title="Campaign">
            <InputField {...control(state, "name")} label="Name" />
            {/* Two lines below each, so that one that appears moves nothing. */}
            <div className="grid grid-cols-2 gap-4 md:grid-cols-4">
              <InputField
                {...control(state, "signatureGoal")}
                label="Goal"
                hint={
                  needed !== null && goal > 0 && goal < needed
                    ? `Lower than the ${number(needed)} that the official check needs.`
                    : "Optional. Valid signatures needed."
                }
                inputMode="numeric"
              />
              <InputField {...control(state, "startsOn")} label="First day" hint="Optional." type="date" />
              <InputField
                {...control(isBackwards ? clearIssues(state, ["endsOn"]) : state, "endsOn")}
                label="Last day"
                {...(isBackwards && { found: `must be on or after the first day, ${day(draft.startsOn)}` })}
                hint={isPast ? "This day has passed, so the campaign has ended." : "Optional."}
                type="date"
              />
              <InputField
                {...control(state, "linesPerSheet")}
                label="Lines per sheet"
                hint="As printed on this campaign's sheets."
                inputMode="numeric"
              />
            </div>
            <div className="grid gap-4 md:grid-cols-2">
              <div>
                <InputField
                  {...control(state, "districts")}
                  label="Districts"
                  hint="Optional. District numbers from the voter file, such as 11, 33. Clerks get a warning about voters from other districts."
                />
                <div role="status" className="pt-1 text-sm">
                  <Notes list={districtDoubts} />
                </div>
              </div>
              {known.length > 0 && (
                <SelectField
                  {...control(state, "searchProfile")}
                  label="Voter search"
                  hint="The voter file this campaign searches. The person who runs this server sets these up."
                  none="Default"
                  options={known.map((profile) => ({ id: profile, name: profile }))}
                />
              )}
            </div>
          </Section>
          <Section
            id="official-check"
            title="Official check"
            note="How the election office checks the signatures you turn in. The overview shows how likely the petition is to pass."
          >
            <CheckFields
              state={state}
              draft={draft}
              goal={goal}
              change={change}
              onGoal={(needed) => change({ signatureGoal: fieldNumber(needed, number) })}
            />
          </Section>
          <Section
            id="county-targets"
            title="County targets"
            note="For petitions that need signatures from each county. Every county must reach its target."
          >
            <div>
              <TextAreaField
                name="countyTargets"
                value={draft.countyTargets}
                onChange={({ target }) => change({ countyTargets: target.value })}
                label="Counties"
                hint="Optional. One county per line, such as “King, 12,000”, or two columns from a spreadsheet."
                rows={6}
                {...(isWrong ? { "aria-invalid": true } : { issue: fieldIssue(state, "countyTargets") })}
              />
              <div role="status" className="pt-1 text-sm">
                <Notes list={hints} />
              </div>
            </div>
          </Section>
        </>
      )}
    </ActionForm>
  );
}

// The first ten.
function Notes({ list }: { list: CountyNote[] }) {
  if (list.length === 0) return null;
  return (
    <ul>
      {list.slice(0, 10).map(({ text, isProblem }) => (
        <li key={text} className={isProblem ? "text-destructive" : "text-warning"}>
          {text}
        </li>
      ))}
    </ul>
  );
}
