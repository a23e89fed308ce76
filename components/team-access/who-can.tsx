import Link from "next/link";
import { PermissionQuestion } from "@/components/team-access/permission-question";
import type { Format } from "@/lib/format/format-of";
import { permissionLabel } from "@/lib/permissions/permission-keys";
import type { Holder } from "@/lib/team-access/members";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";

type Named = { id: string; name: string };

/** Asks who holds a permission somewhere; who does, and which roles include it, come with the next page. */
export function WhoCan({
  team,
  roles,
  asked,
  holders,
  mayOpenMembers,
  format,
}: {
  team: Named;
  roles: TeamRoles;
  asked: { key: string | undefined; campaign: Named | undefined };
  /** Null before a permission was chosen. */
  holders: Holder[] | null;
  mayOpenMembers: boolean;
  format: Format;
}) {
  const { key, campaign } = asked;
  const place = campaign?.name ?? team.name;
  return (
    <section aria-labelledby="who" className="flex flex-col gap-4">
      <div>
        <h2 id="who" className="font-semibold">
          Who can …?
        </h2>
        <p className="text-muted-foreground">
          Everybody active who holds a permission, in the whole team or in one campaign. What is held in the whole team
          counts in each campaign that one reaches.
        </p>
      </div>
      <PermissionQuestion
        path={`/${team.id}/roles`}
        name="key"
        teamName={team.name}
        campaigns={roles.campaigns}
        asked={{ key, campaign: campaign?.id }}
        submit="Show who"
      >
        <input type="hidden" name="show" value="who" />
      </PermissionQuestion>
      <div aria-live="polite" className="flex flex-col gap-3">
        {key && holders && (
          <>
            <p className="wrap-anywhere">
              <strong className="font-semibold">
                {holders.length === 0 ? "Nobody" : format.count(holders.length, "person", "people")}
              </strong>{" "}
              in {place}: {permissionLabel(key)}
            </p>
            {holders.length > 0 && (
              <ul className="divide-y rounded-md border">
                {holders.map(({ userId, name, role, sets }) => (
                  <li key={userId} className="flex flex-wrap items-baseline gap-x-4 px-4 py-2">
                    <p className="wrap-anywhere min-w-0 flex-1 basis-48 font-medium">
                      {mayOpenMembers ? (
                        <Link
                          href={`/${team.id}/members/${userId}?${new URLSearchParams({ why: key, in: campaign?.id ?? "" })}`}
                          prefetch={false}
                          className="underline-offset-4 hover:underline"
                        >
                          {name}
                        </Link>
                      ) : (
                        name
                      )}
                    </p>
                    <p className="wrap-anywhere min-w-0 flex-1 basis-60 text-muted-foreground text-sm">
                      by {format.list(sets)} · {role} in the team
                    </p>
                  </li>
                ))}
              </ul>
            )}
            {!campaign && (
              <p className="text-muted-foreground">
                Who holds it in single campaigns alone is not among them: choose the campaign above.
              </p>
            )}
            <p className="wrap-anywhere text-muted-foreground">
              Roles that include it: {rolesWith(key, roles).join(", ") || "none"}.
            </p>
          </>
        )}
      </div>
    </section>
  );
}

function rolesWith(key: string, { roles, sets, teamSetIds }: TeamRoles) {
  const having = new Set(sets.filter(({ keys }) => keys.includes(key)).map(({ id }) => id));
  return roles
    .filter(({ scope, setIds }) => (scope === "inherit_team" ? teamSetIds : setIds).some((id) => having.has(id)))
    .map(({ name }) => name);
}
