import { Problem, TextField } from "@/components/charts/builder/fields";
import type { ChartBuilderState } from "@/components/charts/builder/use-chart-builder";
import { useFormat } from "@/components/shell/format-provider";
import { Choice } from "@/components/ui/select";
import { type AxisSide, axisPart, isAxisInPercent, keysByAxis, problemIn } from "@/lib/charts/builder/draft";
import type { Draft } from "@/lib/charts/builder/draft-schema";
import { type ChartKind, isGridKind } from "@/lib/charts/definition/words";
import { derivedLabel, metricLabel, numberUnit } from "@/lib/charts/display/chart-text";
import { canHaveRightAxis } from "@/lib/charts/display/right-axis";

type Display = Draft["display"];
type Props = { builder: ChartBuilderState };

/** Measures, and the numbers calculated from them. */
export function listNumbers({ draft, definition: { metrics, source }, parts: { columns } }: ChartBuilderState) {
  const derived = draft.display.derived.map((derivedNumber) => ({
    key: derivedNumber.key,
    label: derivedLabel(derivedNumber, metrics, columns, source),
  }));
  return [...metrics.map((metric) => ({ key: metric.key, label: metricLabel(metric, columns, source) })), ...derived];
}

export const changeDisplay = ({ draft, update }: ChartBuilderState, change: Partial<Display>) =>
  update({ display: { ...draft.display, ...change } });

const drawnWithAxis: ReadonlySet<ChartKind> = new Set(["bar", "stacked-bar", "line", "area"]);

/** The axis of a number, where a chart of several numbers can have two. */
export function AxisChoice({ builder, of, name }: Props & { of: string; name: string }) {
  const { kind, groupBy, display } = builder.draft;
  const { axis, hidden } = display;
  const { keys } = axis.right;
  const shown = listNumbers(builder).filter(({ key }) => !hidden.includes(key));
  if (!canHaveRightAxis(kind, groupBy.length) || shown.length < 2 || hidden.includes(of)) return null;
  return (
    <Choice
      aria-label={`Axis of ${name}`}
      className="w-auto shrink-0"
      value={keys.includes(of)}
      options={[
        [false, "Axis: Left"],
        [true, "Axis: Right"],
      ]}
      onChoose={(isRight) => {
        const chosen = isRight ? [...keys, of] : keys.filter((key) => key !== of);
        changeDisplay(builder, { axis: { ...axis, right: { ...axis.right, keys: chosen } } });
      }}
    />
  );
}

/** Which numbers an axis can't draw, said where they are chosen. */
export function OtherUnits({ builder }: Props) {
  const { kind, groupBy, display } = builder.draft;
  const format = useFormat();
  const { left, right } = keysByAxis(builder.draft);
  const unitOf = (key: string) => numberUnit(display.derived.find((derivedNumber) => derivedNumber.key === key));
  const others = [left, right].flatMap((keys) => keys.filter((key) => unitOf(key) !== unitOf(keys[0] ?? "")));
  const drawsOne = kind === "pie" || isGridKind(kind) || (groupBy.length > 1 && kind !== "bar");
  if (others.length === 0 || drawsOne || !drawnWithAxis.has(kind)) return null;
  const labels = listNumbers(builder).flatMap(({ key, label }) => (others.includes(key) ? `“${label}”` : []));
  const [are, them] = others.length === 1 ? ["is", "it"] : ["are", "them"];
  return (
    <p className="basis-full text-muted-foreground text-xs">
      {format.list(labels)} {are} only in the table: percentages and other numbers need separate axes.
      {canHaveRightAxis(kind, groupBy.length) && ` Move ${them} to the other axis to show ${them} in the chart.`}
    </p>
  );
}

const decimalChoices = [0, 1, 2, 3].map((count) => [count, count === 1 ? "1 decimal" : `${count} decimals`] as const);

/** How many decimals numbers have, and the titles and ends of their axes. */
export function BuilderNumbers({ builder }: Props) {
  const { kind, display } = builder.draft;
  return (
    <div className="flex flex-col gap-2">
      <Choice
        aria-label="Decimals"
        value={display.decimals}
        options={[[undefined, "Decimals as needed"], ...decimalChoices]}
        onChoose={(chosen) => changeDisplay(builder, { decimals: chosen })}
      />
      {drawnWithAxis.has(kind) && <AxisFields builder={builder} side="left" />}
      {keysByAxis(builder.draft).right.length > 0 && <AxisFields builder={builder} side="right" />}
    </div>
  );
}

// Only lines and dots may begin elsewhere than at zero; on the right axis nothing else is drawn.
function AxisFields({ builder, side }: Props & { side: AxisSide }) {
  const { draft, parts } = builder;
  const { axis } = draft.display;
  const isRight = side === "right";
  const typed = isRight ? axis.right : axis;
  const change = (text: Partial<typeof typed>) =>
    changeDisplay(builder, { axis: isRight ? { ...axis, right: { ...axis.right, ...text } } : { ...axis, ...text } });
  const title = isRight ? "Right axis title" : "Axis title";
  const problem = problemIn(parts.problems, axisPart[side]);
  const inPercent = isAxisInPercent(draft, side) ? ", in percent" : "";
  const end = (name: "min" | "max", label: string) => (
    <TextField
      aria-label={`${label} of the ${isRight ? "right " : ""}axis${inPercent}`}
      aria-invalid={parts.problems.has(`${axisPart[side]}.${name}`)}
      aria-describedby={`${side}-problem`}
      caption={`Axis ${label.toLowerCase()}${inPercent}`}
      inputMode="decimal"
      maxLength={20}
      value={typed[name]}
      onText={(text) => change({ [name]: text })}
    />
  );
  return (
    <>
      <TextField aria-label={title} caption={title} value={typed.title} onText={(text) => change({ title: text })} />
      <div className="grid grid-cols-2 gap-1">
        {(isRight || draft.kind === "line") && end("min", "Minimum")}
        {end("max", "Maximum")}
      </div>
      <Problem id={`${side}-problem`}>{problem}</Problem>
    </>
  );
}
