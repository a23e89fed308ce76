"use client";

import { Check } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import {
  allPermissionKeys,
  type PermissionKey,
  permissionLabel,
  permissionLabels,
} from "@/lib/permissions/permission-keys";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";
import { cn } from "@/lib/utils";

export type PermissionSet = TeamRoles["sets"][number];

type Props = {
  sets: PermissionSet[];
  cells: {
    has: (set: PermissionSet, key: PermissionKey) => boolean;
    isChanged: (set: PermissionSet, key: PermissionKey) => boolean;
    toggle: (set: PermissionSet, key: PermissionKey) => void;
  };
  act: Record<"edit" | "copy" | "remove", (set: PermissionSet) => void>;
};

const areaOf = (key: string) => key.split(".")[0];
const startsArea = (key: PermissionKey) => allPermissionKeys.find((other) => areaOf(other) === areaOf(key)) === key;

/** Permission sets on a wide screen: a row for each set, a column for each permission. */
export function SetsMatrix({ sets, cells: { has, isChanged, toggle }, act }: Props) {
  return (
    <div className="overflow-hidden rounded-md border max-xl:hidden print:block">
      <table aria-label="Permission sets" className="w-full table-fixed border-collapse text-left">
        <thead>
          <tr className="border-b align-bottom text-muted-foreground text-xs">
            <th scope="col" className="w-60 px-4 py-1.5 font-medium print:w-28 print:px-2">
              Set
            </th>
            {allPermissionKeys.map((key) => (
              <th
                key={key}
                scope="col"
                className={cn(
                  "wrap-anywhere px-0.5 py-1.5 text-center font-medium text-[0.6875rem] hyphens-auto print:text-[0.625rem]",
                  startsArea(key) && "border-l",
                )}
              >
                {permissionLabel(key)}
              </th>
            ))}
            <th scope="col" className="w-22 border-l print:hidden">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sets.map((set) => (
            <tr key={set.id} className="border-b last:border-b-0 hover:bg-muted/60">
              <th scope="row" className="wrap-anywhere py-1.5 pr-3 pl-4 font-normal print:px-2">
                <SetName set={set} />
              </th>
              {allPermissionKeys.map((key) => (
                <td
                  key={key}
                  className={cn(
                    "p-0 text-center",
                    startsArea(key) && "border-l",
                    isChanged(set, key) && "bg-primary-soft",
                  )}
                >
                  {set.builtIn ? (
                    has(set, key) && <Check aria-label="included" className="mx-auto size-4 text-muted-foreground" />
                  ) : (
                    <label className="flex h-11 cursor-pointer items-center justify-center">
                      <Checkbox
                        aria-label={`${set.name}: ${permissionLabel(key)}`}
                        checked={has(set, key)}
                        onChange={() => toggle(set, key)}
                      />
                    </label>
                  )}
                </td>
              ))}
              <td className="border-l px-2 py-1.5 print:hidden">
                <SetActions set={set} act={act} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Permission sets on a narrower screen: a list of sets, each with its permissions. */
export function SetsList({ sets, cells: { has, isChanged, toggle }, act }: Props) {
  return (
    <ul className="divide-y rounded-md border xl:hidden print:hidden">
      {sets.map((set) => (
        <li key={set.id}>
          <details open={!set.builtIn}>
            <summary className="wrap-anywhere min-h-11 cursor-pointer px-4 py-2.5">
              <SetName set={set} />
            </summary>
            <div className="flex flex-col pb-3">
              {set.builtIn ? (
                <p className="wrap-anywhere px-4">{permissionLabels(set.keys)}</p>
              ) : (
                allPermissionKeys.map((key) => (
                  <label
                    key={key}
                    className={cn(
                      "flex min-h-9 cursor-pointer items-center gap-3 px-4 pointer-coarse:min-h-11",
                      isChanged(set, key) && "bg-primary-soft",
                    )}
                  >
                    <Checkbox checked={has(set, key)} onChange={() => toggle(set, key)} />
                    {permissionLabel(key)}
                  </label>
                ))
              )}
              <div className="px-4 pt-2 print:hidden">
                <SetActions set={set} act={act} />
              </div>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

function SetName({ set: { name, builtIn, description } }: { set: PermissionSet }) {
  return (
    <>
      <span className="wrap-anywhere font-medium">{name}</span>
      {builtIn && <span className="whitespace-nowrap text-muted-foreground text-sm"> · built-in</span>}
      {description && <span className="wrap-anywhere block text-muted-foreground text-sm">{description}</span>}
    </>
  );
}

function SetActions({ set, act }: { set: PermissionSet; act: Props["act"] }) {
  const name = <span className="sr-only"> {set.name}</span>;
  if (set.builtIn) {
    return (
      <Button variant="outline" onClick={() => act.copy(set)}>
        Copy{name}
      </Button>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="outline" onClick={() => act.edit(set)}>
        Edit{name}
      </Button>
      <Button variant="danger" onClick={() => act.remove(set)}>
        Delete{name}
      </Button>
    </div>
  );
}
