"use client";

import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { useRef } from "react";
import { type Draft, newGroup, type Problems, problemIn } from "@/components/charts/builder-draft";
import { Problem } from "@/components/charts/builder-problem";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import type { ChartColumn } from "@/lib/charts/chart-source";

type Groups = Draft["groupBy"];

/** The columns that records are grouped by, in order: the first is the axis of a chart. */
export function BuilderGroups({
  groups,
  columns,
  problems,
  onGroups,
}: {
  groups: Groups;
  columns: ChartColumn[];
  problems: Problems;
  onGroups: (groups: Groups) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const added = useRef<HTMLButtonElement>(null);
  const free = columns.filter(({ name }) => !groups.some(({ column }) => column === name));
  const problem = problemIn(problems, "groupBy");

  const add = () => {
    const column = free[0];
    if (!column) return;
    onGroups([...groups, newGroup(column.name)]);
    requestAnimationFrame(() => [...(list.current?.querySelectorAll("select") ?? [])].at(-1)?.focus());
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
      {groups.map((group, index) => (
        <div key={group.id} className="flex gap-1">
          <Select
            aria-label={`Group ${index + 1}`}
            aria-invalid={problem !== undefined}
            aria-describedby="groups-problem"
            value={group.column}
            onChange={(event) =>
              onGroups(groups.map((one) => (one.id === group.id ? { ...one, column: event.target.value } : one)))
            }
          >
            {columns
              .filter((column) => column.name === group.column || free.includes(column))
              .map((column) => (
                <option key={column.name} value={column.name}>
                  {column.label}
                </option>
              ))}
          </Select>
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
          <Button variant="ghost" size="icon" aria-label={`Remove group ${index + 1}`} onClick={() => remove(group.id)}>
            <X aria-hidden />
          </Button>
        </div>
      ))}
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
