"use client";

import { Check, Minus } from "lucide-react";
import { useAccessChanges } from "@/components/team-access/access-changes";
import type { ChangeRequest } from "@/components/team-access/change-review";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { allPermissionKeys, permissionLabel } from "@/lib/permissions/permission-keys";
import { cn } from "@/lib/utils";

/** A place of the matrix, by name, with the permissions in effect there; null for one that the person can't open. */
type MatrixPlace = { campaign: string | null; name: string; keys: string[] | null };

type Matrix = { path: string; places: MatrixPlace[]; question: { key: string | undefined; campaign: string | null } };

/** A member's effective permissions per campaign: a table, or a list on narrow screens. Each cell links to the explanation. */
export function AccessMatrix(matrix: Matrix) {
  return (
    <>
      <PlacesTable {...matrix} />
      <PlacesList {...matrix} />
    </>
  );
}

function PlaceName({ campaign, name }: Pick<MatrixPlace, "campaign" | "name">) {
  if (campaign !== null) return name;
  return (
    <>
      {name}, <span className="whitespace-nowrap">team-wide</span>
    </>
  );
}

const explanationHref = (path: string, key: string, campaign: string | null) =>
  `${path}?${new URLSearchParams({ why: key, in: campaign ?? "" })}`;

function PlacesList({ path, places, question }: Matrix) {
  return (
    <div data-keeps-changes className="divide-y rounded-md border lg:hidden print:hidden">
      {places.map(({ campaign, name, keys }) => (
        <details key={campaign} open={question.key !== undefined && question.campaign === campaign}>
          <summary className="wrap-anywhere cursor-pointer px-4 py-2 pointer-coarse:py-3">
            <PlaceName campaign={campaign} name={name} />{" "}
            <span className="text-muted-foreground text-sm">
              {keys === null ? "No access" : `${keys.length} of ${allPermissionKeys.length}`}
            </span>
          </summary>
          <ul className="divide-y border-t">
            {allPermissionKeys.map((key) => {
              const has = keys?.includes(key) === true;
              const isSelected = question.key === key && question.campaign === campaign;
              return (
                <li key={key}>
                  <Link
                    href={`${explanationHref(path, key, campaign)}#why`}
                    aria-current={isSelected ? "true" : undefined}
                    className={cn(
                      "flex min-h-9 items-center gap-3 px-4 hover:bg-muted focus-visible:-outline-offset-2 pointer-coarse:min-h-11",
                      isSelected && "bg-primary-soft",
                    )}
                  >
                    {has ? (
                      <Check aria-hidden className="size-4 shrink-0 text-success" />
                    ) : (
                      <Minus aria-hidden className="size-4 shrink-0 text-muted-foreground" />
                    )}
                    <span className="sr-only">{has ? "Yes" : "No"}: </span>
                    <span className={has ? "" : "text-muted-foreground"}>{permissionLabel(key)}</span>
                  </Link>
                </li>
              );
            })}
          </ul>
        </details>
      ))}
    </div>
  );
}

function PlacesTable({ path, places, question }: Matrix) {
  return (
    <div data-keeps-changes className="overflow-hidden rounded-md border max-lg:hidden print:block">
      <table aria-label="Permissions by team and campaign" className="w-full table-fixed border-collapse text-left">
        <thead>
          <tr className="border-b align-bottom text-muted-foreground text-xs">
            <th scope="col" className="w-40 px-4 py-1.5 font-medium print:w-28 print:px-2">
              Team or campaign
            </th>
            {allPermissionKeys.map((key) => (
              <th
                key={key}
                scope="col"
                className="wrap-anywhere px-1 py-1.5 text-center font-medium print:wrap-normal print:px-0.5 print:text-[0.6875rem]"
              >
                {permissionLabel(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places.map(({ campaign, name, keys }) => (
            <tr key={campaign} className="border-b last:border-b-0">
              <th scope="row" className="wrap-anywhere px-4 py-1.5 font-normal print:px-2">
                <PlaceName campaign={campaign} name={name} />
                {keys === null && <span className="block text-muted-foreground text-xs">No access</span>}
              </th>
              {allPermissionKeys.map((key) => {
                const has = keys?.includes(key) === true;
                const isSelected = question.key === key && question.campaign === campaign;
                return (
                  <td key={key} className="p-0">
                    <Link
                      href={explanationHref(path, key, campaign)}
                      scroll={false}
                      aria-current={isSelected ? "true" : undefined}
                      className={cn(
                        "flex h-9 items-center justify-center text-muted-foreground hover:bg-muted focus-visible:-outline-offset-2",
                        isSelected && "bg-primary-soft",
                      )}
                    >
                      {has ? <Check aria-hidden className="size-4 text-success" /> : <span aria-hidden>–</span>}
                      <span className="sr-only">
                        {has ? "Allowed" : "Not allowed"}: {permissionLabel(key)} in {name}. Show why
                      </span>
                    </Link>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Offers the smallest change that grants a member a permission in a place, or removes it, after its preview. */
export function OfferButton({ label, ...request }: ChangeRequest & { label: string }) {
  const { review } = useAccessChanges();
  return (
    <Button
      variant={request.danger ? "danger" : "outline"}
      className="mt-3 h-auto min-h-8 max-w-full whitespace-normal py-1 text-left print:hidden"
      onClick={() => review(request)}
    >
      {label}
    </Button>
  );
}
