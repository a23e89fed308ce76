import { InputField } from "@/components/forms/input-field";
import { SelectField } from "@/components/forms/select-field";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { validNeeded } from "@/lib/campaigns/valid-needed";
import type { FormState } from "@/lib/forms/form-state";
import { readWholeNumber, withoutPercentSign } from "@/lib/forms/read-number";

export type CheckDraft = Record<
  | "requiredSignatures"
  | "safetyMargin"
  | "officialRejection"
  | "checkMethod"
  | "samplePercent"
  | "sampleMinimum"
  | "passPercent"
  | "failPercent",
  string
>;

type Preset = { id: string; name: string; note: string; rule: Partial<CheckDraft> };
const none = { samplePercent: "", sampleMinimum: "", passPercent: "", failPercent: "" };
/** A preset sets all four numbers; the first that matches is shown. */
export const presets: Preset[] = [
  {
    id: "washington-3-percent",
    name: "Washington: 3% sample",
    note: "For initiatives and referendums. The state checks a random sample of at least 3%. The petition can pass on the sample but can't fail on it. If it doesn't pass, every signature is checked. Source: RCW 29A.72.230, WAC 434-379-010.",
    rule: { ...none, checkMethod: "washington", samplePercent: "3" },
  },
  {
    id: "california",
    name: "California: 3% sample, at least 500",
    note: "Above 110% of the required number, the sample passes; below 95%, it fails; in between, every signature is checked. Signet applies these thresholds statewide, not county by county. Source: Elections Code 9030–9031, 2 CCR 20531–20532.",
    rule: { checkMethod: "sample", samplePercent: "3", sampleMinimum: "500", passPercent: "110", failPercent: "95" },
  },
  {
    id: "full-count",
    name: "Full count",
    note: "The office checks every signature.",
    rule: { ...none, checkMethod: "full" },
  },
];

const methods = [
  { id: "full", name: "All signatures" },
  { id: "sample", name: "Random sample, with pass and fail thresholds" },
  { id: "washington", name: "Random sample, Washington rules" },
];

/** How many valid signatures the typed check needs; null without a number, or while one can't be saved. */
export function validNeededByDraft({ requiredSignatures, safetyMargin, officialRejection }: CheckDraft): number | null {
  const required = readWholeNumber(requiredSignatures);
  const [margin = 0, rejection = 0] = [safetyMargin, officialRejection].map((text) => Number(withoutPercentSign(text)));
  const isValid = required > 0 && margin >= 0 && margin <= 100 && rejection >= 0 && rejection <= 50;
  return isValid ? validNeeded({ required, margin, rejection }) : null;
}

/** How the election office checks the signatures. Only the fields of the chosen method show, and are sent. */
export function CheckFields({
  state,
  draft,
  goal,
  change,
  onGoal,
}: {
  state: FormState;
  draft: CheckDraft;
  goal: number;
  change: (changed: Partial<CheckDraft>) => void;
  onGoal: (goal: number) => void;
}) {
  const preset = presets.find(({ rule }) =>
    Object.entries(rule).every(([name, value]) => draft[name as keyof CheckDraft] === value),
  );
  const field = (name: keyof CheckDraft) => ({
    state,
    name,
    value: draft[name],
    inputMode: "decimal" as const,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  const { number } = useFormat();
  const needed = validNeededByDraft(draft);
  return (
    <>
      <div className="grid gap-4 md:grid-cols-3">
        <InputField
          {...field("requiredSignatures")}
          label="Required valid signatures"
          hint={
            draft.checkMethod === ""
              ? "Optional. The number the law requires."
              : "The number the law requires. Enter it to see how likely the petition is to pass."
          }
        />
        <InputField
          {...field("safetyMargin")}
          label="Safety margin (%)"
          hint="Optional. Added to the required number."
        />
        <InputField
          {...field("officialRejection")}
          label="Expected rejection rate (%)"
          hint="Optional. The share of your valid signatures that the office may still reject."
        />
      </div>
      {needed !== null && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted-foreground text-sm">
          <p>
            {needed > readWholeNumber(draft.requiredSignatures) &&
              `With this margin and rejection rate, you need ${number(needed)} valid signatures. `}
            {goal >= needed
              ? `The goal of ${number(goal)} is enough.`
              : goal > 0 && <span className="text-warning">The goal of {number(goal)} is too low.</span>}
          </p>
          {!(goal >= needed) && (
            <Button variant="outline" onClick={() => onGoal(needed)}>
              Set the goal to {number(needed)}
            </Button>
          )}
        </div>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <SelectField
          label="State rules"
          none="None"
          options={presets}
          value={preset?.id ?? ""}
          onPick={(id) => change(presets.find((preset) => preset.id === id)?.rule ?? { ...none, checkMethod: "" })}
          {...(preset && { hint: preset.note })}
        />
        <SelectField
          state={state}
          name="checkMethod"
          label="How the office checks"
          none="Not set"
          options={methods}
          value={draft.checkMethod}
          onPick={(checkMethod) => change({ ...none, checkMethod })}
        />
      </div>
      {["sample", "washington"].includes(draft.checkMethod) && (
        <div className="grid grid-cols-2 gap-4 md:grid-cols-4">
          <InputField {...field("samplePercent")} label="Sample size (%)" hint="Share of all signatures turned in." />
          <InputField {...field("sampleMinimum")} label="Minimum sample" hint="Optional. Fewest signatures to check." />
          {draft.checkMethod === "sample" && (
            <>
              <InputField
                {...field("passPercent")}
                label="Pass threshold (%)"
                hint="Of the required number. Above it, the sample passes."
              />
              <InputField
                {...field("failPercent")}
                label="Fail threshold (%)"
                hint="Of the required number. Below it, the sample fails."
              />
            </>
          )}
        </div>
      )}
    </>
  );
}
