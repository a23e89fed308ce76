import { useId } from "react";
import { Problem, RemoveButton, Rows } from "@/components/charts/builder/fields";
import type { ChartBuilderState } from "@/components/charts/builder/use-chart-builder";
import { ValueField } from "@/components/charts/builder/value-field";
import { Choice } from "@/components/ui/select";
import { problemIn } from "@/lib/charts/builder/draft";
import {
  filterParts,
  hasAlternative,
  keepFilters,
  newFilter,
  unfinishedPart,
  updateFilter,
} from "@/lib/charts/builder/draft-filters";
import type { DraftFilter } from "@/lib/charts/builder/draft-schema";
import { type DraftOperator, operatorChoices, takesPeriods, takesValues } from "@/lib/charts/definition/operators";
import { isPeriod } from "@/lib/charts/definition/period";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { recordNoun, takesList } from "@/lib/charts/definition/words";
import { cn } from "@/lib/utils";

export type BuilderParts = ChartBuilderState["parts"];

type Props = BuilderParts & {
  filters: DraftFilter[];
  /** Their path in the definition. */
  part: string;
  named: (number: number) => string;
  addLabel: string;
  onFilters: (filters: DraftFilter[]) => void;
};

/** Filters: a record has to match all of them, and of alternatives one. */
export function BuilderFilters({ filters, part, named, addLabel, onFilters, ...parts }: Props) {
  const { problems } = parts;
  const places = filterParts(filters);
  const problemOf = (filter: DraftFilter) =>
    places.get(filter)?.flatMap((path) => problemIn(problems, `${part}.${path}`) ?? [])[0];
  const setRows = (rows: DraftFilter[]) =>
    onFilters(rows.length < filters.length ? keepFilters(filters, (filter) => rows.includes(filter)) : rows);
  return (
    <Rows rows={filters} onRows={setRows} newRow={newFilter} addLabel={addLabel}>
      {(filter, index, onFilter, onRemove) => (
        <FilterRow
          key={filter.id}
          filter={filter}
          {...parts}
          problem={problems.get(unfinishedPart(filter)) ?? problemOf(filter)}
          name={named(index + 1)}
          isFirst={index === 0}
          isAlternative={hasAlternative(filters, filter)}
          onChange={(change) => onFilter("or" in change ? { ...filter, ...change } : updateFilter(filter, change))}
          onRemove={onRemove}
        />
      )}
    </Rows>
  );
}

type RowProps = BuilderParts & {
  filter: DraftFilter;
  problem: string | undefined;
  name: string;
  isFirst: boolean;
  /** One of several, of which a record has to match one. */
  isAlternative: boolean;
  onChange: (change: Partial<DraftFilter>) => void;
  onRemove: () => void;
};

function FilterRow({ filter, problem, name, isFirst, isAlternative, onChange, onRemove, ...parts }: RowProps) {
  const id = useId();
  const { columns, offered, source, dashboard } = parts;
  const known = columns.find((candidate) => candidate.name === filter.column);
  const column = known ?? { name: filter.column, label: filter.column, type: "text" as const, part: null };
  const { type } = column;
  const record = recordNoun(source?.name ?? "");

  const setColumn = (chosen: string) => {
    const next = columns.find((candidate) => candidate.name === chosen);
    const fits = next?.type === type && next.part?.unit === column.part?.unit;
    const [usual] = operatorChoices(next?.type ?? "text");
    onChange({ column: chosen, values: [""], operator: fits ? filter.operator : (usual?.[0] ?? "eq") });
  };
  const setOperator = (operator: DraftOperator) => {
    const fit = takesValues(operator) && takesValues(filter.operator);
    const fitting = filter.values.filter((text) => fit && (takesPeriods(operator, type) || !isPeriod(text)));
    const [first = "", second = ""] = fitting;
    onChange({
      operator,
      values:
        operator === "between" ? [first, second] : takesList(operator) ? [...fitting.filter(Boolean), ""] : [first],
    });
  };

  // Days, weeks and months are filtered as a range of the whole column or, if that isn't offered, of its days.
  const isOffered = ({ name: columnName, part }: ChartColumn) =>
    columnName === filter.column ||
    (offered.has(columnName) &&
      (!part || part.unit === "weekday" || part.unit === "hour" || (part.unit === "day" && !offered.has(part.of))));

  return (
    <div
      className={cn(
        "flex flex-col gap-1",
        isAlternative && "border-primary border-l-2 pl-2",
        filter.or && "-mt-2 pt-2",
      )}
    >
      {!isFirst && (
        <Choice
          aria-label={`How ${name} is combined`}
          className="w-auto self-start"
          value={filter.or ? "or" : "and"}
          options={[
            ["and", "and"],
            ["or", "or"],
          ]}
          onChoose={(join) => onChange({ or: join === "or" })}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-1">
        <Choice
          data-row
          aria-label={`Column of ${name}`}
          aria-invalid={problem !== undefined && (filter.column === "" || !takesValues(filter.operator))}
          aria-describedby={id}
          className={filter.column === "" ? "col-span-2" : ""}
          value={filter.column}
          options={[
            ...(known ? [] : [[filter.column, filter.column || "Choose a column…"] as const]),
            ...columns.filter(isOffered).map((option) => [option.name, option.label] as const),
          ]}
          onChoose={setColumn}
        />
        {filter.column !== "" && (
          <>
            <Choice
              aria-label={`Operator of ${name}`}
              value={filter.operator}
              options={operatorChoices(type, filter.operator)}
              onChoose={setOperator}
            />
            <div className="order-last col-span-2 empty:hidden">
              <ValueField
                filter={filter}
                column={column}
                from={{ dashboard, source: source?.name ?? "", record }}
                onValues={(values) => onChange({ values })}
                field={{
                  "aria-label": `Value of ${name}`,
                  "aria-invalid": problem !== undefined,
                  "aria-describedby": id,
                }}
              />
            </div>
          </>
        )}
        <RemoveButton label={name} onRemove={onRemove} />
      </div>
      <Problem id={id}>{problem}</Problem>
    </div>
  );
}
