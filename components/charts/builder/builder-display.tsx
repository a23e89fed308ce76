import type { ReactNode } from "react";
import { AxisChoice, changeDisplay, listNumbers, OtherUnits } from "@/components/charts/builder/builder-axes";
import { Problem, RemoveButton, Rows, TextField } from "@/components/charts/builder/fields";
import type { ChartBuilderState } from "@/components/charts/builder/use-chart-builder";
import { Checkbox } from "@/components/ui/checkbox";
import { Choice, type Options } from "@/components/ui/select";
import { goalSide, isAxisInPercent, newDerivedMetric, problemIn, rightKeysByUnit } from "@/lib/charts/builder/draft";
import type { Draft } from "@/lib/charts/builder/draft-schema";
import { isTime } from "@/lib/charts/definition/columns";
import type { DerivedNumber } from "@/lib/charts/definition/definition";
import { aggregations, isTimeType } from "@/lib/charts/definition/words";
import { metricLabel } from "@/lib/charts/display/chart-text";

type Display = Draft["display"];
type Props = { builder: ChartBuilderState };

/** The calculated numbers, and which numbers are shown. */
export function BuilderDerived({ builder }: Props) {
  const { metrics, source } = builder.definition;
  const { columns } = builder.parts;
  const { kind, display } = builder.draft;
  const { derived, hidden } = display;
  const numbers = listNumbers(builder);
  const toggle = (key: string) =>
    changeDisplay(builder, { hidden: hidden.includes(key) ? hidden.filter((item) => item !== key) : [...hidden, key] });
  const setDerived = (rows: DerivedNumber[]) => {
    const added = rows.length > derived.length ? rows.at(-1) : undefined;
    // Drawn next to all voters of a county, the number per 100 of them is too small to be seen.
    const isSmall = added?.kind === "rate" && added.format === "per100" && kind !== "table";
    const { axis } = display;
    const shown = { ...display, hidden: isSmall ? metrics.map(({ key }) => key) : hidden };
    const keys = rightKeysByUnit({ ...builder.draft, display: shown }, rows);
    changeDisplay(builder, { ...shown, derived: rows, axis: { ...axis, right: { ...axis.right, keys } } });
  };
  const option = (metric: (typeof metrics)[number]) => [metric.key, metricLabel(metric, columns, source)] as const;
  const shown = derived.length > 0 && (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      <legend className="float-left mr-4 text-muted-foreground">Show</legend>
      {numbers.map(({ key, label }) => (
        <label key={key} className="flex min-w-0 items-center gap-1.5 pointer-coarse:min-h-11">
          <Checkbox checked={!hidden.includes(key)} onChange={() => toggle(key)} />
          <span className="wrap-anywhere min-w-0">{label}</span>
        </label>
      ))}
      <OtherUnits builder={builder} />
    </fieldset>
  );
  return (
    <Rows
      rows={derived}
      onRows={setDerived}
      newRow={() => newDerivedMetric(metrics, derived)}
      addLabel={derived.length === 0 ? "Add a rate, running total, share, or change" : "Add another calculation"}
      below={shown}
    >
      {(number, index, onNumber, onRemove) => (
        <DerivedRow
          key={number.key}
          number={number}
          name={`calculation ${index + 1}`}
          metrics={metrics.map(option)}
          totals={metrics.filter(({ aggregation }) => aggregations[aggregation].addsUp).map(option)}
          label={numbers.find(({ key }) => key === number.key)?.label ?? ""}
          axis={<AxisChoice builder={builder} of={number.key} name={`calculation ${index + 1}`} />}
          onChange={onNumber}
          onRemove={onRemove}
        />
      )}
    </Rows>
  );
}

const derivedLabels: Options<DerivedNumber["kind"]> = [
  ["rate", "Rate of"],
  ["cumulated", "Running total of"],
  ["share", "Share of"],
  ["change", "Change in"],
];
const formats: Options<"percent" | "number"> = [
  ["percent", "as a percentage"],
  ["number", "as a number"],
];

type RowProps = {
  number: DerivedNumber;
  name: string;
  metrics: Options<string>;
  /** Those that add up, for shares and running totals. */
  totals: Options<string>;
  /** The label it gets if none is typed. */
  label: string;
  axis: ReactNode;
  onChange: (number: DerivedNumber) => void;
  onRemove: () => void;
};

function DerivedRow({ number, name, metrics, totals, label, axis, onChange, onRemove }: RowProps) {
  const setKind = (kind: DerivedNumber["kind"]) => {
    const same = { key: number.key, of: number.of, ...(number.label && { label: number.label }) };
    const over = metrics.find(([key]) => key !== number.of)?.[0] ?? number.of;
    if (kind === "rate") onChange({ ...same, kind, over, format: "percent" });
    else if (kind === "change") onChange({ ...same, kind, format: "percent" });
    else {
      const [first] = totals;
      const isTotal = first === undefined || totals.some(([key]) => key === number.of);
      onChange({ ...same, kind, of: isTotal ? number.of : first[0] });
    }
  };
  return (
    <fieldset className="flex flex-col gap-1 rounded-md border p-2">
      <legend className="sr-only first-letter:uppercase">{name}</legend>
      <div className="flex gap-1">
        <Choice
          data-row
          aria-label={`Kind of ${name}`}
          value={number.kind}
          options={derivedLabels}
          onChoose={setKind}
        />
        <Choice
          aria-label={`Measure of ${name}`}
          value={number.of}
          options={number.kind === "rate" || number.kind === "change" || totals.length === 0 ? metrics : totals}
          onChoose={(chosen) => onChange({ ...number, of: chosen })}
        />
        <RemoveButton label={name} onRemove={onRemove} />
      </div>
      {(number.kind === "rate" || number.kind === "change") && (
        <div className="flex items-center gap-1 text-sm">
          {number.kind === "rate" && (
            <>
              <span className="shrink-0 text-muted-foreground">divided by</span>
              <Choice
                aria-label={`Divisor of ${name}`}
                aria-describedby={`${number.key}-divisor`}
                value={number.over}
                options={metrics}
                onChoose={(over) => onChange({ ...number, over })}
              />
            </>
          )}
          <Choice<typeof number.format>
            aria-label={`Format of ${name}`}
            value={number.format}
            options={number.kind === "rate" ? [...formats, ["per100", "per 100"]] : formats}
            onChoose={(format) => {
              if (number.kind === "rate") onChange({ ...number, format });
              else if (format !== "per100") onChange({ ...number, format });
            }}
          />
        </div>
      )}
      <Problem id={`${number.key}-divisor`}>
        {number.kind === "rate" && number.over === number.of ? "Choose another divisor, or add a measure." : ""}
      </Problem>
      <div className="flex gap-1">
        <TextField
          aria-label={`Label of ${name}`}
          placeholder={`Label (“${label}”)`}
          value={number.label ?? ""}
          onText={(text) => onChange({ ...number, label: text })}
        />
        {axis}
      </div>
    </fieldset>
  );
}

/** How groups are sorted, how many are shown, and the goal. */
export function BuilderOrder({ builder }: Props) {
  const { columns, problems } = builder.parts;
  const { groupBy: groups, display } = builder.draft;
  const { order, top, goal } = display;
  const problem = problemIn(problems, "display.goal");
  const byNumber: Options<Display["order"]> = listNumbers(builder).flatMap(({ key: by, label }) => [
    [{ by, descending: true }, `${label}: largest first`],
    [{ by, descending: false }, `${label}: smallest first`],
  ]);
  const byGroup: Options<Display["order"]> = groups.flatMap(({ column }) => {
    const group = columns.find(({ name }) => name === column);
    if (!group) return [];
    const [up, down] = isTime(group) || group.part ? ["earliest first", "latest first"] : ["A to Z", "Z to A"];
    const [first, last] = group.type === "number" && !group.part ? ["lowest first", "highest first"] : [up, down];
    return [
      [{ column, descending: false }, `${group.label}: ${first}`],
      [{ column, descending: true }, `${group.label}: ${last}`],
    ];
  });
  const tops: Options<Display["top"]> = groups.flatMap(({ column }) => {
    const group = columns.find(({ name, type, part }) => name === column && !isTimeType(type) && !part);
    const counts = [...new Set([3, 5, 10, 20, ...(top?.column === column ? [top.count] : [])])];
    return group
      ? counts.map((count) => [{ column, count }, `${group.label}: top ${count}, the rest as Other`] as const)
      : [];
  });
  const inPercent = isAxisInPercent(builder.draft, goalSide(builder.draft)) ? ", in percent" : "";
  return (
    <div className="flex flex-col gap-2">
      {groups.length > 0 && (
        <Choice
          aria-label="Sort groups by"
          value={order}
          options={[[undefined, "Default order"], ...byNumber, ...byGroup]}
          onChoose={(chosen) => changeDisplay(builder, { order: chosen })}
        />
      )}
      {tops.length > 0 && (
        <Choice
          aria-label="Number of groups"
          value={top}
          options={[[undefined, "As many as fit, then Other"], ...tops]}
          onChoose={(chosen) => changeDisplay(builder, { top: chosen })}
        />
      )}
      <div className="grid grid-cols-2 gap-1">
        <TextField
          aria-label={`Goal${inPercent}`}
          aria-invalid={problem !== undefined}
          aria-describedby="goal-problem"
          caption={`Goal${inPercent}`}
          inputMode="decimal"
          maxLength={20}
          value={goal.text}
          onText={(text) => changeDisplay(builder, { goal: { ...goal, text } })}
        />
        <TextField
          aria-label="Goal label"
          caption="Goal label"
          placeholder="Goal"
          value={goal.label}
          onText={(label) => changeDisplay(builder, { goal: { ...goal, label } })}
        />
      </div>
      <Problem id="goal-problem">{problem}</Problem>
    </div>
  );
}
