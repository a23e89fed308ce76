import { ArrowDown, ArrowUp } from "lucide-react";
import { Problem, RemoveButton, Rows } from "@/components/charts/builder/fields";
import type { ChartBuilderState } from "@/components/charts/builder/use-chart-builder";
import { IconButton } from "@/components/ui/button";
import { Choice } from "@/components/ui/select";
import { newGroup, problemIn } from "@/lib/charts/builder/draft";
import type { Draft } from "@/lib/charts/builder/draft-schema";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { isTimeType } from "@/lib/charts/definition/words";

const moves = [
  { by: -1, direction: "up", icon: ArrowUp },
  { by: 1, direction: "down", icon: ArrowDown },
];

/** The columns that records are grouped by, in order: the first is the axis of a chart. */
export function BuilderGroups({ builder: { draft, update, parts } }: { builder: ChartBuilderState }) {
  const groups = draft.groupBy;
  const onGroups = (groupBy: Draft["groupBy"]) => update({ groupBy });
  const { columns, offered, problems } = parts;
  const free = columns.filter(({ name }) => offered.has(name) && !groups.some(({ column }) => column === name));
  const fieldsOf = (list: ChartColumn[]) =>
    columns.filter(({ name }) => list.some((column) => fieldOf(column) === name));
  const problem = problemIn(problems, "groupBy");

  const nextGroup = () => {
    // Dates come first: most charts continue over time.
    const used = columns.filter(({ name }) => groups.some(({ column }) => column === name)).map(fieldOf);
    const isNewTime = ({ name, type }: ChartColumn) => isTimeType(type) && !used.includes(name);
    const field = fieldsOf(free).find(isNewTime) ?? fieldsOf(free)[0];
    return field && newGroup(usualPart(field.name, free));
  };

  return (
    <Rows
      rows={groups}
      onRows={onGroups}
      newRow={nextGroup}
      addLabel="Add a group"
      canAdd={free.length > 0}
      below={<Problem id="groups-problem">{problem}</Problem>}
    >
      {(group, index, onGroup, onRemove) => {
        const name = `group ${index + 1}`;
        const chosen = columns.find((column) => column.name === group.column);
        const choices = columns.filter((column) => column === chosen || free.includes(column));
        const field = chosen ? fieldOf(chosen) : group.column;
        return (
          <div key={group.id} className="flex gap-1">
            <Choice
              data-row
              aria-label={`Group ${index + 1}`}
              aria-invalid={problem !== undefined}
              aria-describedby="groups-problem"
              value={field}
              options={[
                ...(chosen ? [] : [[field, field] as const]),
                ...fieldsOf(choices).map(({ name: fieldName, label }) => [fieldName, label] as const),
              ]}
              onChoose={(next) => onGroup({ ...group, column: usualPart(next, choices) })}
            />
            {columns.some(({ part }) => part?.of === field) && (
              <Choice
                aria-label={`Group ${index + 1}, by`}
                className="w-auto shrink-0"
                value={group.column}
                options={choices.flatMap((column) =>
                  fieldOf(column) === field ? [[column.name, `by ${unitOf(column)}`]] : [],
                )}
                onChoose={(column) => onGroup({ ...group, column })}
              />
            )}
            {groups.length > 1 &&
              moves.map(({ by, direction, icon }) => {
                const isPossible = index + by in groups;
                const moved = groups.toSpliced(index, 1).toSpliced(index + by, 0, group);
                return (
                  <IconButton
                    key={direction}
                    icon={icon}
                    label={`Move ${name} ${direction}`}
                    aria-disabled={!isPossible}
                    onClick={() => isPossible && onGroups(moved)}
                  />
                );
              })}
            <RemoveButton label={name} onRemove={onRemove} />
          </div>
        );
      }}
    </Rows>
  );
}

// A date or time and its parts are offered as one field.
const fieldOf = ({ name, part }: ChartColumn) => part?.of ?? name;
const unitOf = ({ type, part }: ChartColumn) => part?.unit ?? (type === "date" ? "day" : "exact time");

// Groups by day: every exact time would be a separate group.
function usualPart(field: string, columns: ChartColumn[]): string {
  const parts = columns.filter((column) => fieldOf(column) === field);
  return (parts.find((column) => unitOf(column) === "day") ?? parts[0])?.name ?? field;
}
