import Form from "next/form";
import { type Option, SelectField } from "@/components/forms/select-field";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { Format } from "@/lib/format/format-of";
import { permissionKeys, permissionLabel } from "@/lib/permissions/permission-keys";
import type { Holder } from "@/lib/team-access/members";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";

type Named = { id: string; name: string };
type Question = { key: string | undefined; campaign: Named | undefined };

const keyOptions: Option[] = Object.entries(permissionKeys).map(([id, name]) => ({ id, name }));

/** Asks who has a permission somewhere; the next page lists the people and the roles that include it. */
export function PermissionHolders({
  team,
  roles,
  question,
  holders,
  canOpenMembers,
  format,
}: {
  team: Named;
  roles: TeamRoles;
  question: Question;
  /** Null until a permission is chosen. */
  holders: Holder[] | null;
  canOpenMembers: boolean;
  format: Format;
}) {
  const { key, campaign } = question;
  return (
    <Section
      title="Who can do what"
      note="Choose a permission to see which active members have it. A team-wide permission also applies in every campaign a member can open."
      className="gap-4"
    >
      <Form action={`/${team.id}/roles`} prefetch={false} scroll={false} className="flex flex-wrap items-end gap-2">
        <input type="hidden" name="show" value="who" />
        <div className="min-w-0 max-md:basis-full md:w-72">
          {/* The React key resets it for another answer: a select ignores a new default value. */}
          <SelectField label="Permission" name="key" options={keyOptions} key={key} defaultValue={key} />
        </div>
        <div className="min-w-0 flex-1 md:max-w-60">
          <SelectField
            label="Where"
            name="in"
            none={`${team.name}, team-wide`}
            options={roles.campaigns}
            key={campaign?.id}
            defaultValue={campaign?.id}
          />
        </div>
        <Button type="submit" variant="outline">
          Show people
        </Button>
      </Form>
      <div aria-live="polite" className="flex flex-col gap-3">
        {key && holders && (
          <>
            <p className="wrap-anywhere">
              <strong className="font-semibold">
                {holders.length === 0 ? "No one" : format.count(holders.length, "person", "people")}
              </strong>{" "}
              {holders.length > 1 ? "have" : "has"} the permission “{permissionLabel(key)}”{" "}
              {campaign ? `in ${campaign.name}` : "team-wide"}.
            </p>
            {holders.length > 0 && (
              <ul className="divide-y rounded-md border">
                {holders.map(({ userId, name, sets, ...from }) => (
                  <li key={userId} className="flex flex-wrap items-baseline gap-x-4 px-4 py-2">
                    <p className="wrap-anywhere min-w-0 flex-1 basis-48 font-medium">
                      {canOpenMembers ? (
                        <Link
                          href={`/${team.id}/members/${userId}?${new URLSearchParams({ why: key, in: campaign?.id ?? "" })}`}
                          className="underline-offset-4 hover:underline"
                        >
                          {name}
                        </Link>
                      ) : (
                        name
                      )}
                    </p>
                    <p className="wrap-anywhere min-w-0 flex-1 basis-60 text-muted-foreground text-sm">
                      {format.list(originsText(from, team.name, campaign?.name))}, through the {format.list(sets)}{" "}
                      permission {sets.length === 1 ? "set" : "sets"}
                    </p>
                  </li>
                ))}
              </ul>
            )}
            {!campaign && (
              <p className="text-muted-foreground">
                Members who have it only in some campaigns aren't listed. Choose a campaign to see them.
              </p>
            )}
            <p className="wrap-anywhere text-muted-foreground">
              Roles with this permission: {rolesWith(key, roles).join(", ") || "none"}
            </p>
          </>
        )}
      </div>
    </Section>
  );
}

function originsText(
  { role, campaignRole, direct }: Omit<Holder, "userId" | "name" | "sets">,
  team: string,
  campaign = "",
) {
  const origins = [
    role && `${role} role in ${team}`,
    campaignRole && `${campaignRole} role in ${campaign}`,
    direct && `extra permission sets in ${campaign}`,
  ];
  return origins.filter((origin) => typeof origin === "string");
}

function rolesWith(key: string, { roles, sets, teamSetIds }: TeamRoles) {
  const setIdsWithKey = sets.filter(({ keys }) => keys.includes(key)).map(({ id }) => id);
  return roles
    .filter(({ scope, setIds }) =>
      (scope === "inherit_team" ? teamSetIds : setIds).some((id) => setIdsWithKey.includes(id)),
    )
    .map(({ name }) => name);
}
