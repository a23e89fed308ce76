"use client";

import { Check } from "lucide-react";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { allPermissionKeys, type PermissionKey, permissionLabel } from "@/lib/permissions/permission-keys";
import type { chooseRequestGrant } from "@/lib/team-access/choose-request-grant";
import { cn } from "@/lib/utils";

/** A place of the matrix with the permissions in force there; null for one that the person can't open. */
export type MatrixPlace = { campaign: string | null; name: string; keys: string[] | null };

/** What a member can do where, as it is in force, on a wide screen; each cell leads to the explanation why. */
export function AccessMatrix({
  path,
  places,
  asked,
}: {
  path: string;
  places: MatrixPlace[];
  asked: { key: string | undefined; campaign: string | null };
}) {
  return (
    <div className="overflow-hidden rounded-md border max-lg:hidden">
      <table aria-label="Permissions by place" className="w-full table-fixed border-collapse text-left">
        <thead>
          <tr className="border-b align-bottom text-muted-foreground text-xs">
            <th scope="col" className="w-40 px-4 py-1.5 font-medium">
              Place
            </th>
            {allPermissionKeys.map((key) => (
              <th key={key} scope="col" className="wrap-anywhere px-1 py-1.5 text-center font-medium">
                {permissionLabel(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places.map(({ campaign, name, keys }) => (
            <tr key={campaign} className="border-b last:border-b-0">
              <th scope="row" className="wrap-anywhere px-4 py-1.5 font-normal">
                {name}
                {keys === null && <span className="block text-muted-foreground text-xs">no access</span>}
              </th>
              {allPermissionKeys.map((key) => {
                const has = keys?.includes(key) === true;
                const isAsked = asked.key === key && asked.campaign === campaign;
                return (
                  <td key={key} className="p-0">
                    <Link
                      href={`${path}?${new URLSearchParams({ why: key, in: campaign ?? "" })}`}
                      scroll={false}
                      aria-current={isAsked ? "true" : undefined}
                      className={cn(
                        "flex h-9 items-center justify-center text-muted-foreground hover:bg-muted focus-visible:-outline-offset-2",
                        isAsked && "bg-primary-soft",
                      )}
                    >
                      {has ? <Check aria-hidden className="size-4 text-success" /> : <span aria-hidden>–</span>}
                      <span className="sr-only">
                        {has ? "Yes" : "No"}: why {permissionLabel(key)} in {name}
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

/** Offers the smallest change that grants a member what they lack in a place, after its preview. */
export function GrantButton({
  grant,
  name,
  place,
  permissionKey,
}: {
  grant: NonNullable<ReturnType<typeof chooseRequestGrant>>;
  name: string;
  place: string;
  permissionKey: PermissionKey;
}) {
  const { review } = useAccessChanges();
  return (
    <Button
      variant="outline"
      className="mt-3"
      onClick={() =>
        review({
          change: grant.change,
          title: `Grant ${name} ${grant.grants} in ${place}?`,
          confirm: "Grant",
          note: `The smallest that adds “${permissionLabel(permissionKey)}” and keeps everything ${name} has there now.`,
        })
      }
    >
      Grant {grant.grants}
    </Button>
  );
}
