import Form from "next/form";
import Link from "next/link";
import { keyWords } from "@/components/permissions/key-words";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Format } from "@/lib/format/format-of";
import { permissionKeys } from "@/lib/permissions/permission-keys";
import type { Holder } from "@/lib/team-access/list-holders";
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
      <Form action={`/${team.id}/roles`} prefetch={false} scroll={false} className="flex flex-wrap items-end gap-2">
        <input type="hidden" name="show" value="who" />
        <div className="min-w-0 max-md:basis-full md:w-72">
          <Field id="who-key" label="Permission">
            {/* Another key for another answer: a select keeps what it was made with. */}
            <Select id="who-key" name="key" key={key} defaultValue={key}>
              {Object.entries(permissionKeys).map(([id, words]) => (
                <option key={id} value={id}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <div className="min-w-0 flex-1 md:max-w-60">
          <Field id="who-in" label="Where">
            <Select id="who-in" name="in" key={campaign?.id} defaultValue={campaign?.id}>
              <option value="">{team.name}, whole team</option>
              {roles.campaigns.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Button type="submit" variant="outline">
          Show who
        </Button>
      </Form>
      <div aria-live="polite" className="flex flex-col gap-3">
        {key && holders && (
          <>
            <p className="wrap-anywhere">
              <strong className="font-semibold">
                {holders.length === 0 ? "Nobody" : format.count(holders.length, "person", "people")}
              </strong>{" "}
              in {place}: {keyWords(key)}
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
                      {role} · by {format.list(sets)}
                    </p>
                  </li>
                ))}
              </ul>
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
