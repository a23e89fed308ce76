import { type ReactNode, useId } from "react";
import { AxisChoice } from "@/components/charts/builder/builder-axes";
import { BuilderFilters, type BuilderParts } from "@/components/charts/builder/builder-filters";
import { Problem, RemoveButton, Rows, TextField } from "@/components/charts/builder/fields";
import type { ChartBuilderState } from "@/components/charts/builder/use-chart-builder";
import { Choice } from "@/components/ui/select";
import { newMetric, problemIn } from "@/lib/charts/builder/draft";
import type { Draft, DraftMetric } from "@/lib/charts/builder/draft-schema";
import { columnsFor } from "@/lib/charts/definition/columns";
import type { ChartMetric } from "@/lib/charts/definition/definition";
import {
  type Aggregation,
  aggregationNames,
  aggregations,
  type ChartKind,
  recordNounPlural,
} from "@/lib/charts/definition/words";
import { metricLabel } from "@/lib/charts/display/chart-text";
import { canHaveRightAxis } from "@/lib/charts/display/right-axis";

/** The measures: aggregation, column and conditions. */
export function BuilderMetrics({ builder }: { builder: ChartBuilderState }) {
  const { draft, definition, update, parts } = builder;
  const { metrics } = draft;
  const byCounty = draft.groupBy.some(({ column }) => column === "county");
  const countsVoters = parts.source?.countsVoters;
  return (
    <Rows
      rows={metrics}
      onRows={(rows) => update({ metrics: rows })}
      newRow={() => newMetric(metrics)}
      addLabel="Add a measure"
      below={
        <>
          <DrawnMeasures draft={draft} />
          {byCounty && !countsVoters && (
            <p className="text-muted-foreground text-xs">
              To compare counties by registered voters, ask the person who runs this server to load a voter file.
            </p>
          )}
        </>
      }
    >
      {(metric, index, onMetric, onRemove) => (
        <MetricRow
          key={metric.id}
          metric={metric}
          index={index}
          computed={definition.metrics[index]}
          axis={<AxisChoice builder={builder} of={metric.key} name={`measure ${index + 1}`} />}
          {...parts}
          canCountVoters={byCounty && countsVoters === true}
          onChange={(change) => onMetric({ ...metric, ...change })}
          onRemove={metrics.length > 1 ? onRemove : undefined}
        />
      )}
    </Rows>
  );
}

const byKind: Partial<Record<ChartKind, string>> = {
  pie: "A pie",
  "heat-map": "A heat map",
  pivot: "A pivot table",
  line: "A line chart with two groups",
  area: "An area chart with two groups",
  "stacked-bar": "A stacked bar chart with two groups",
};

// What a chart type can't show of several measures.
function DrawnMeasures({ draft }: { draft: Draft }) {
  const { kind, groupBy, metrics, display } = draft;
  const all = [...metrics, ...display.derived].filter(({ key }) => !display.hidden.includes(key));
  const chosen = display.axis.right.keys;
  const chart = kind === "pie" || groupBy.length > 1 ? byKind[kind] : undefined;
  const notes = [
    chart && `${chart} shows only the first measure. Choose “Table” to see all.`,
    canHaveRightAxis(kind, groupBy.length)
      ? all.every(({ key }) => chosen.includes(key)) && "No number is on the left axis, so all of them share one axis."
      : chosen.length > 0 && "Only bar charts, and line and area charts with one group, have a right axis.",
  ].filter((note) => typeof note === "string");
  return all.length > 1 && notes.length > 0 && <p className="text-muted-foreground text-xs">{notes.join(" ")}</p>;
}

type RowProps = BuilderParts & {
  metric: DraftMetric;
  index: number;
  computed: ChartMetric | undefined;
  canCountVoters: boolean;
  axis: ReactNode;
  onChange: (change: Partial<DraftMetric>) => void;
  onRemove: (() => void) | undefined;
};

function MetricRow({ metric, index, computed, axis, canCountVoters, onChange, onRemove, ...parts }: RowProps) {
  const id = useId();
  const { columns, offered, problems, source } = parts;
  const records = recordNounPlural(source?.name ?? "");
  const { aggregation, column, label, segment } = metric;
  const isOfRecords = aggregation !== "registered";
  const name = `measure ${index + 1}`;
  const part = `metrics.${index}`;
  const choices = columns.filter((candidate) => offered.has(candidate.name));
  const fitting = columnsFor(
    aggregation,
    columns.filter((candidate) => offered.has(candidate.name) || candidate.name === column),
    column,
  );
  const problem = ["aggregation", "column", "label", "key"]
    .map((field) => problemIn(problems, `${part}.${field}`))
    .find((one) => one !== undefined);

  const isOfLabel = problems.has(`${part}.label`);

  const canUse = (name: Aggregation) => (name === "registered" ? canCountVoters : columnsFor(name, choices).length > 0);
  const setAggregation = (next: Aggregation) => {
    const names = columnsFor(next, choices).map((option) => option.name);
    const usual = next === "count" ? "" : (names[0] ?? "");
    const chosen = { aggregation: next, column: names.includes(column) ? column : usual };
    onChange(next === "registered" ? { ...chosen, segment: [] } : chosen);
  };

  return (
    <fieldset className="flex flex-col gap-1 rounded-md border p-2">
      <legend className="sr-only">Measure {index + 1}</legend>
      <div className="flex gap-1">
        <Choice
          data-row
          aria-label={`Aggregation of ${name}`}
          aria-invalid={problem !== undefined && !isOfLabel}
          aria-describedby={id}
          className="flex-1"
          value={aggregation}
          options={aggregationNames
            .filter((option) => option === aggregation || canUse(option))
            .map((option) => [option, aggregations[option].label])}
          onChoose={setAggregation}
        />
        {isOfRecords && (
          <Choice
            aria-label={`Column of ${name}`}
            className="flex-1"
            value={column}
            options={[
              ...(aggregation === "count" ? [["", records] as const] : []),
              ...(aggregation !== "count" && column === "" ? [["", "Choose a column…"] as const] : []),
              ...fitting.map(({ name, label }) => {
                const text = aggregation === "count" ? `only ${records} where ${label} is filled in` : label;
                return [name, text] as const;
              }),
            ]}
            onChoose={(next) => onChange({ column: next })}
          />
        )}
        {onRemove && <RemoveButton label={name} onRemove={onRemove} />}
      </div>
      <Problem id={id}>{problem}</Problem>
      <div className="flex gap-1">
        <TextField
          aria-label={`Label of ${name}`}
          aria-invalid={isOfLabel}
          aria-describedby={id}
          placeholder={computed && `Label (“${metricLabel({ ...computed, label: "" }, columns, source?.name ?? "")}”)`}
          value={label}
          onText={(text) => onChange({ label: text })}
        />
        {axis}
      </div>
      {isOfRecords && (
        <BuilderFilters
          filters={segment}
          part={`${part}.segment`}
          named={(number) => `condition ${number} of ${name}`}
          addLabel={segment.length === 0 ? `Only ${records} where…` : "Add a condition"}
          onFilters={(filters) => onChange({ segment: filters })}
          {...parts}
        />
      )}
    </fieldset>
  );
}
