"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import { SelectField } from "@/components/forms/select-field";
import { useFormat } from "@/components/shell/format-provider";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { moveQuestion } from "@/components/signatures/entry/move-question";
import { VoterLookup } from "@/components/signatures/register/voter-lookup";
import { buttonVariants } from "@/components/ui/button";
import { findVoterById, type VoterSource } from "@/components/voters/use-voter-search";
import { capitalized, equalIgnoringCase } from "@/lib/format/text";
import { askingFirst, type FormState, type FormSubmit, fieldsWrong } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import { storedVoter } from "@/lib/signatures/entry/entered-line";
import type { RegisterFilter, RegisterView } from "@/lib/signatures/register/filter";
import type { RegisterLine } from "@/lib/signatures/register/register";
import { registerPath } from "@/lib/signatures/register/register-path";
import { verdicts, verdictWords } from "@/lib/signatures/verdicts";
import { addressText, listName } from "@/lib/voters/voter-text";

export type LineActions = {
  correct: FormSubmit<{ id: string }>;
  move: FormSubmit;
  remove: FormSubmit;
  restore: FormSubmit;
};

const verdictOptions = verdicts.map((verdict) => ({ id: verdict, name: capitalized(verdictWords[verdict]) }));

const textFields = [
  ["lastName", "Last name", 200],
  ["firstName", "First name", 200],
  ["address", "Address", 200],
  ["voterId", "Voter ID", 64],
  ["city", "City", 200],
  ["county", "County", 200],
  ["zip", "ZIP code", 200],
  ["note", "Note", 500],
] as const;

type SecondEntry = Pick<RegisterLine, "verdict" | "voterId" | "firstName" | "lastName" | "address" | "note">;

/** Corrects, moves or removes a line, or restores a removed one; a removal can be undone at once. */
export function LineChanges({
  line,
  secondEntry,
  place,
  query,
  own,
  source,
  actions: { correct, move, remove, restore },
}: {
  line: RegisterLine;
  /** The entry of the quality check that is right, until the line is corrected: the correction is filled in with it. */
  secondEntry?: SecondEntry | undefined;
  place: CampaignOfTeam;
  /** Where the register is, with this line open. */
  query: RegisterFilter & RegisterView;
  /** Whether the person entered it: then no reason is required. */
  own: boolean;
  /** Null for people who may not search voters. */
  source: VoterSource | null;
  actions: LineActions;
}) {
  const [done, setDone] = useState<string | null>(null);
  const { replace } = useRouter();
  const format = useFormat();
  const removed = line.removedAt !== null;
  const corrected = secondEntry ? { ...line, city: null, county: null, zip: null, ...secondEntry } : line;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    openChange(box.current, location.hash.slice(1)); // from the quality check or data entry
  }, []);
  useScreenKeys(
    useMemo(
      () =>
        removed
          ? []
          : [
              { key: "C", does: "Correct line", run: () => openChange(box.current, "correct") },
              { key: "M", does: "Move line", run: () => openChange(box.current, "move") },
              { key: "R", does: "Remove line", run: () => openChange(box.current, "remove") },
            ],
      [removed],
    ),
  );
  const withReason =
    <Result,>(change: FormSubmit<Result>): FormSubmit<Result> =>
    async (state, form) =>
      own || String(form.get("reason")).trim() !== ""
        ? change(state, form)
        : fieldsWrong({ reason: "is required: someone else entered this line" });
  const correctToKnown: FormSubmit<{ id: string }> = async (state, form) => {
    const voterId = String(form.get("voterId")).trim();
    const isNew = form.get("verdict") === "accepted" && voterId !== "" && voterId !== line.voterId;
    const voter = source && isNew ? await findVoterById(source, voterId) : undefined;
    if (voter === undefined) return correct(state, form);
    if (voter === null) return fieldsWrong({ voterId: "isn't in the voter file" });
    // The line must not have the ID of one voter and the name of another.
    const stored = storedVoter(voter);
    const isNamed = (["lastName", "firstName"] as const).every((name) =>
      [voter[name], stored[name]].some((known) => equalIgnoringCase(String(form.get(name)).trim(), known ?? "")),
    );
    const who = [listName(voter), addressText(voter), voter.city].filter(Boolean).join(", ");
    const question = `${voterId} is ${who}. Press “Correct line” again to use this name and address.`;
    if (!isNamed && state.error !== question) return { message: null, error: question, asks: true };
    for (const [name, value] of Object.entries(stored)) form.set(name, value ?? "");
    return correct(state, form);
  };
  const askAndMove = askingFirst(move, (sent) => moveQuestion(place, sent, format));
  const moveElsewhere: FormSubmit = async (state, form) => {
    const [sheet, to] = [form.get("sheet"), form.get("line")];
    if (Number(sheet) !== line.sheet || Number(to) !== line.line) return askAndMove(state, form);
    const data = { sheet: String(sheet), line: String(to), reason: String(form.get("reason")) };
    return { message: null, error: "The line is already there. Enter another sheet or line.", data };
  };
  const shared = {
    hidden: { ...place, id: line.id },
    clear: "never",
    onDone: ({ message }: { message: string | null }) => {
      setDone(message);
      for (const details of box.current?.querySelectorAll("details") ?? []) details.open = false;
    },
  } as const;
  const reason = (state: FormState<unknown>, defaultValue?: string) => (
    <InputField
      state={state}
      name="reason"
      label={own ? "Reason (optional)" : "Reason (required)"}
      required={!own}
      maxLength={500}
      defaultValue={defaultValue}
    />
  );
  return (
    <div ref={box} className="flex flex-wrap gap-2" onSubmit={() => setDone(null)}>
      {/* The button that had the focus is gone. */}
      {done && (
        <p key={done} ref={focus} role="status" tabIndex={-1} className="basis-full outline-none">
          {done}
        </p>
      )}
      {removed ? (
        <ActionForm
          key="restore"
          {...shared}
          action={restore}
          submit={[done ? "Undo" : "Restore line", "Restoring…"]}
          variant="outline"
        />
      ) : (
        <>
          <Change name="correct" title="Correct…">
            <ActionForm
              {...shared}
              action={withReason<{ id: string }>(correctToKnown)}
              submit={["Correct line", "Saving…"]}
              onDone={({ data }) =>
                data && replace(registerPath(place, { ...query, line: data.id }), { scroll: false })
              }
            >
              {(state) => (
                <div className="grid grid-cols-2 gap-3 [&>:last-child]:col-span-2">
                  <div className="col-span-2 flex flex-col gap-3">
                    {secondEntry && <p>Filled in from the second entry. Compare it with the paper.</p>}
                    {source && <VoterLookup source={source} place={place} />}
                    <SelectField
                      state={state}
                      name="verdict"
                      label="Status"
                      options={verdictOptions}
                      defaultValue={corrected.verdict}
                    />
                  </div>
                  {textFields.map(([name, label, maxLength]) => (
                    <InputField
                      key={name}
                      state={state}
                      name={name}
                      label={label}
                      maxLength={maxLength}
                      defaultValue={corrected[name] ?? ""}
                    />
                  ))}
                  <InputField
                    state={state}
                    name="signedOn"
                    label="Date signed"
                    type="date"
                    defaultValue={line.signedOn ?? ""}
                  />
                  {reason(state, secondEntry && "Quality check: the second entry is right")}
                </div>
              )}
            </ActionForm>
          </Change>
          <Change name="move" title="Move…">
            <ActionForm {...shared} action={withReason<undefined>(moveElsewhere)} submit={["Move line", "Moving…"]}>
              {(state) => (
                <div className="grid grid-cols-2 gap-3 [&>:last-child]:col-span-2">
                  {(["sheet", "line"] as const).map((name) => (
                    <InputField
                      key={name}
                      state={state}
                      name={name}
                      label={name === "sheet" ? "To sheet" : "Line"}
                      inputMode="numeric"
                      maxLength={7}
                      required
                      defaultValue={line[name] ?? ""}
                    />
                  ))}
                  {reason(state)}
                </div>
              )}
            </ActionForm>
          </Change>
          <Change name="remove" title="Remove…">
            <ActionForm
              {...shared}
              action={withReason<undefined>(remove)}
              submit={["Remove line", "Removing…"]}
              variant="danger"
            >
              {(state) => (
                <>
                  <p>A removed line no longer counts. You can restore it later.</p>
                  {reason(state)}
                </>
              )}
            </ActionForm>
          </Change>
        </>
      )}
    </div>
  );
}

function openChange(box: HTMLElement | null, name: string) {
  const details = [...(box?.querySelectorAll("details") ?? [])].find(({ dataset }) => dataset.change === name);
  if (!details) return;
  details.open = true;
  focusFirst(details);
}

function focusFirst(details: HTMLElement) {
  details.querySelector<HTMLElement>("input:not([type=hidden]), select")?.focus();
  details.scrollIntoView({ block: "nearest" });
}

const focus = (element: HTMLElement | null) => element?.focus();

/** One of the changes, which Esc folds. Opening another doesn't fold it, so what was typed stays visible. */
function Change({ name, title, children }: { name: string; title: string; children: ReactNode }) {
  return (
    <details
      data-change={name}
      className="open:basis-full open:border-b open:pb-3"
      onToggle={({ currentTarget }) => currentTarget.open && focusFirst(currentTarget)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        event.preventDefault(); // the next Esc closes the line
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary className={buttonVariants({ variant: "outline", className: "cursor-pointer" })}>{title}</summary>
      <div className="pt-3">{children}</div>
    </details>
  );
}
