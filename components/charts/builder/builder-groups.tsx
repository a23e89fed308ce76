"use client";

import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { useRef } from "react";
import { addAndFocus } from "@/components/charts/builder/add-and-focus";
import type { BuilderShared } from "@/components/charts/builder/builder-filters";
import { Problem } from "@/components/charts/builder/builder-problem";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { type Draft, newGroup, problemIn } from "@/lib/charts/builder/draft";
import type { ChartColumn } from "@/lib/charts/definition/source";

type Groups = Draft["groupBy"];

/** The columns that records are grouped by, in order: the first is the axis of a chart. */
export function BuilderGroups({
  groups,
  columns,
  offered,
  problems,
  onGroups,
}: Pick<BuilderShared, "columns" | "offered" | "problems"> & {
  groups: Groups;
  onGroups: (groups: Groups) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const added = useRef<HTMLButtonElement>(null);
  const free = columns.filter(({ name }) => offered.has(name) && !groups.some(({ column }) => column === name));
  const fields = (list: ChartColumn[]) => columns.filter(({ name }) => list.some((column) => fieldOf(column) === name));
  const put = (id: number, column: string) =>
    onGroups(groups.map((group) => (group.id === id ? { ...group, column } : group)));
  const problem = problemIn(problems, "groupBy");

  const add = () => {
    // Most often a chart goes on in time.
    const used = columns.filter(({ name }) => groups.some(({ column }) => column === name)).map(fieldOf);
    const isFresh = ({ name, type }: ChartColumn) => (type === "date" || type === "time") && !used.includes(name);
    const field = fields(free).find(isFresh) ?? fields(free)[0];
    if (!field) return;
    addAndFocus(list, () => onGroups([...groups, newGroup(usualPart(field.name, free))]));
  };
  const remove = (id: number) => {
    onGroups(groups.filter((group) => group.id !== id));
    added.current?.focus();
  };
  const move = (index: number, by: 1 | -1) => {
    const group = groups[index];
    if (group && groups[index + by]) onGroups(groups.toSpliced(index, 1).toSpliced(index + by, 0, group));
  };

  return (
    <div ref={list} className="flex flex-col gap-2">
      {groups.map((group, index) => {
        const chosen = columns.find(({ name }) => name === group.column);
        const choices = columns.filter((column) => column === chosen || free.includes(column));
        const field = chosen ? fieldOf(chosen) : group.column;
        const parts = choices.filter((column) => fieldOf(column) === field);
        return (
          <div key={group.id} className="flex gap-1">
            <Select
              data-row
              aria-label={`Group ${index + 1}`}
              aria-invalid={problem !== undefined}
              aria-describedby="groups-problem"
              value={field}
              onChange={(event) => put(group.id, usualPart(event.target.value, choices))}
            >
              {!chosen && <option value={field}>{field}</option>}
              {fields(choices).map((column) => (
                <option key={column.name} value={column.name}>
                  {column.label}
                </option>
              ))}
            </Select>
            {columns.some(({ part }) => part?.of === field) && (
              <Select
                aria-label={`Group ${index + 1}, by`}
                className="w-auto shrink-0"
                value={group.column}
                onChange={(event) => put(group.id, event.target.value)}
              >
                {parts.map((column) => (
                  <option key={column.name} value={column.name}>
                    by {unitOf(column)}
                  </option>
                ))}
              </Select>
            )}
            {groups.length > 1 && (
              <>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Group ${index + 1} earlier`}
                  aria-disabled={index === 0}
                  onClick={() => move(index, -1)}
                >
                  <ArrowUp aria-hidden />
                </Button>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Group ${index + 1} later`}
                  aria-disabled={index === groups.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <ArrowDown aria-hidden />
                </Button>
              </>
            )}
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove group ${index + 1}`}
              onClick={() => remove(group.id)}
            >
              <X aria-hidden />
            </Button>
          </div>
        );
      })}
      <Problem id="groups-problem">{problem}</Problem>
      <Button
        ref={added}
        variant="ghost"
        className="-ml-2 self-start px-2 text-muted-foreground"
        aria-disabled={free.length === 0}
        onClick={add}
      >
        <Plus aria-hidden />
        {groups.length === 0 ? "Group by a column" : "Then by another column"}
      </Button>
    </div>
  );
}

// Days and moments are one field with their parts.
const fieldOf = ({ name, part }: ChartColumn) => part?.of ?? name;
const unitOf = ({ type, part }: ChartColumn) => part?.unit ?? (type === "date" ? "day" : "moment");

// Each moment would be a group of its own.
function usualPart(field: string, offered: ChartColumn[]): string {
  const parts = offered.filter((column) => fieldOf(column) === field);
  return (parts.find((column) => unitOf(column) === "day") ?? parts[0])?.name ?? field;
}
