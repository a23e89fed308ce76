import { Minus, Plus } from "lucide-react";
import { isForCampaigns, permissionLabels } from "@/lib/permissions/permission-keys";
import type { AccessEffects } from "@/lib/team-access/access-change";
import { cn } from "@/lib/utils";

const maxNames = 8;

/** `Ada, Bea and 12 more` */
export function shortList(names: string[]): string {
  const more = names.length - maxNames;
  return names.slice(0, maxNames).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Who gains and loses what, where; people with the same changes together. */
export function EffectsList({
  effects,
  teamName,
  isNamed = false,
  isReactivation = false,
}: {
  effects: AccessEffects;
  teamName: string;
  /** They are about one person, who is named already. */
  isNamed?: boolean;
  /** They had this access before they were suspended. */
  isReactivation?: boolean;
}) {
  const groups = Map.groupBy(effects, ({ places }) => JSON.stringify(places));
  return (
    <ul className="flex flex-col gap-3">
      {[...groups].map(([key, people]) => {
        const names = people.map(({ name }) => name);
        return (
          <li key={key} className="rounded-md border">
            {!isNamed && (
              <p title={names.join(", ")} className="wrap-anywhere border-b bg-sidebar px-3 py-1.5 font-medium">
                {shortList(names)}
              </p>
            )}
            <ul className="divide-y">
              {people[0]?.places.map(({ campaign, access, gains, losses }) => {
                const place = campaign?.name ?? teamName;
                // Administrators, who manage both, can open every campaign of the team.
                const isAdministrator = gains.includes("members.manage") && gains.includes("roles.manage");
                const joinsNoCampaign =
                  campaign === null && access === "opens" && people[0]?.places.length === 1 && !isAdministrator;
                const forCampaigns = joinsNoCampaign ? gains.filter(isForCampaigns) : [];
                return (
                  <li key={campaign?.id ?? ""} className="flex flex-col gap-1 px-3 py-2">
                    <p className="wrap-anywhere text-muted-foreground text-sm">
                      {access === "stays" ? (
                        (campaign?.name ?? `${teamName}, team-wide`)
                      ) : (
                        <strong className={access === "closes" ? "text-destructive" : "text-success"}>
                          {access === "closes"
                            ? "Loses access to"
                            : isReactivation
                              ? "Regains access to"
                              : campaign
                                ? "Gains access to"
                                : "Joins"}{" "}
                          {place}
                        </strong>
                      )}
                    </p>
                    <Keys
                      keys={gains.filter((key) => !forCampaigns.includes(key))}
                      verb="Gains"
                      isSaid={access === "opens"}
                    />
                    {joinsNoCampaign && (
                      <p>
                        Can&apos;t open any campaign until added to one.
                        {forCampaigns.length > 0 && ` Once added, they'll have: ${permissionLabels(forCampaigns)}`}
                      </p>
                    )}
                    <Keys keys={losses} verb="Loses" isSaid={access === "closes"} />
                  </li>
                );
              })}
            </ul>
          </li>
        );
      })}
    </ul>
  );
}

/** Permissions under their place. `isSaid`: the heading has the verb already. */
function Keys({ keys, verb, isSaid }: { keys: string[]; verb: "Gains" | "Loses"; isSaid: boolean }) {
  if (keys.length === 0) return null;
  const Icon = verb === "Gains" ? Plus : Minus;
  return (
    <p className="flex gap-2">
      <Icon
        aria-hidden
        className={cn("mt-0.5 size-4 shrink-0", verb === "Gains" ? "text-success" : "text-destructive")}
      />
      <span className="wrap-anywhere min-w-0">
        {!isSaid && `${verb}: `}
        {permissionLabels(keys)}
      </span>
    </p>
  );
}
