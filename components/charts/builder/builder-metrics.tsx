"use client";

import { Plus, X } from "lucide-react";
import { useId, useRef } from "react";
import { addAndFocus } from "@/components/charts/builder/add-and-focus";
import { BuilderFilters, type BuilderShared } from "@/components/charts/builder/builder-filters";
import { Problem } from "@/components/charts/builder/builder-problem";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { type DraftMetric, newMetric, problemIn } from "@/lib/charts/builder/draft";
import { columnsFor } from "@/lib/charts/builder/words";
import { type Aggregation, aggregationNames, aggregations, metricLabel } from "@/lib/charts/definition/words";

/** The numbers of each group: what is computed, of which column, and of which of the records. */
export function BuilderMetrics({
  metrics,
  onMetrics,
  ...shared
}: BuilderShared & { metrics: DraftMetric[]; onMetrics: (metrics: DraftMetric[]) => void }) {
  const list = useRef<HTMLDivElement>(null);
  const added = useRef<HTMLButtonElement>(null);
  const add = () => {
    addAndFocus(list, () => onMetrics([...metrics, newMetric(metrics)]));
  };
  return (
    <div ref={list} className="flex flex-col gap-2">
      {metrics.map((metric, index) => (
        <MetricRow
          key={metric.id}
          metric={metric}
          index={index}
          {...shared}
          onChange={(change) => onMetrics(metrics.map((one) => (one.id === metric.id ? { ...one, ...change } : one)))}
          onRemove={
            metrics.length > 1
              ? () => {
                  onMetrics(metrics.filter(({ id }) => id !== metric.id));
                  added.current?.focus();
                }
              : undefined
          }
        />
      ))}
      <Button ref={added} variant="ghost" className="-ml-2 self-start px-2 text-muted-foreground" onClick={add}>
        <Plus aria-hidden />
        Another measure
      </Button>
    </div>
  );
}

function MetricRow({
  metric,
  index,
  onChange,
  onRemove,
  ...shared
}: BuilderShared & {
  metric: DraftMetric;
  index: number;
  onChange: (change: Partial<DraftMetric>) => void;
  onRemove: (() => void) | undefined;
}) {
  const id = useId();
  const { columns, offered, problems } = shared;
  const { aggregation, column, label, segment, key } = metric;
  const name = `measure ${index + 1}`;
  const part = `metrics.${index}`;
  const choices = columns.filter(({ name }) => offered.has(name));
  const fitting = columnsFor(
    aggregation,
    columns.filter(({ name }) => offered.has(name) || name === column),
    column,
  );
  const problem = ["aggregation", "column", "label", "key"]
    .map((field) => problemIn(problems, `${part}.${field}`))
    .find((one) => one !== undefined);

  const setAggregation = (next: Aggregation) => {
    const fits = columnsFor(next, choices).some((one) => one.name === column);
    onChange({
      aggregation: next,
      ...(!fits && { column: next === "count" ? "" : (columnsFor(next, choices)[0]?.name ?? "") }),
    });
  };

  return (
    <fieldset className="flex flex-col gap-1 rounded-md border p-2">
      <legend className="sr-only">Measure {index + 1}</legend>
      <div className="flex gap-1">
        <Select
          data-row
          aria-label={`What ${name} computes`}
          aria-invalid={problem !== undefined}
          aria-describedby={id}
          className="flex-1"
          value={aggregation}
          onChange={(event) => {
            const next = aggregationNames.find((one) => one === event.target.value);
            if (next) setAggregation(next);
          }}
        >
          {aggregationNames
            .filter((one) => one === aggregation || columnsFor(one, choices).length > 0)
            .map((one) => (
              <option key={one} value={one}>
                {aggregations[one].label}
              </option>
            ))}
        </Select>
        <Select
          aria-label={`Column of ${name}`}
          className="flex-1"
          value={column}
          onChange={(event) => onChange({ column: event.target.value })}
        >
          {aggregation === "count" && <option value="">records</option>}
          {aggregation !== "count" && column === "" && <option value="">of …</option>}
          {fitting.map((one) => (
            <option key={one.name} value={one.name}>
              {aggregation === "count" ? `those with ${one.label.toLowerCase()}` : one.label}
            </option>
          ))}
        </Select>
        {onRemove && (
          <Button variant="ghost" size="icon" aria-label={`Remove ${name}`} onClick={onRemove}>
            <X aria-hidden />
          </Button>
        )}
      </div>
      <Problem id={id}>{problem}</Problem>
      <Input
        aria-label={`Name of ${name}`}
        placeholder={`Called “${metricLabel({ key, aggregation, ...(column && { column }) }, columns)}”`}
        maxLength={120}
        autoComplete="off"
        value={label}
        onChange={(event) => onChange({ label: event.target.value })}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <BuilderFilters
        filters={segment}
        part={`${part}.segment`}
        named={(number) => `condition ${number} of ${name}`}
        addWords={segment.length === 0 ? "Only of records where …" : "And where …"}
        onFilters={(filters) => onChange({ segment: filters })}
        {...shared}
      />
    </fieldset>
  );
}
