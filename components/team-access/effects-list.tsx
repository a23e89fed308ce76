import { Minus, Plus } from "lucide-react";
import { useFormat } from "@/components/shell/format-provider";
import { capitalized } from "@/lib/format/text";
import { isForCampaigns, permissionLabels } from "@/lib/permissions/permission-keys";
import type { AccessEffects } from "@/lib/team-access/access-change";
import { cn } from "@/lib/utils";

const maxNames = 8;

/** `Ada, Bea, and 12 more` */
export function shortList(names: string[]): string {
  const more = names.length - maxNames;
  return names.slice(0, maxNames).join(", ") + (more > 0 ? `, and ${more} more` : "");
}

type Effect = AccessEffects[number]["places"][number];
/** `Gains`, `Gain`, `You'll gain`: in whose name an effect is listed. */
type Say = (verb: "gain" | "regain" | "lose" | "join") => string;

/** Who gains and loses what, where; people and places with the same changes together. */
export function EffectsList({
  effects,
  teamName,
  isNamed = false,
  who,
  isReactivation = false,
}: {
  effects: AccessEffects;
  teamName: string;
  /** They are about one person, who is named already. */
  isNamed?: boolean;
  /** That person, or the people who are named already. */
  who?: "You" | "They" | undefined;
  /** They had this access before they were suspended. */
  isReactivation?: boolean;
}) {
  const groups = Map.groupBy(effects, ({ places }) => JSON.stringify(places));
  return (
    <ul className="flex flex-col gap-3">
      {[...groups].map(([key, people]) => {
        const names = people.map(({ name }) => name);
        const say: Say = (verb) => (who ? `${who}'ll ${verb}` : capitalized(people.length > 1 ? verb : `${verb}s`));
        const places = people[0]?.places ?? [];
        return (
          <li key={key} className="rounded-md border">
            {!isNamed && (
              <p title={names.join(", ")} className="wrap-anywhere border-b bg-sidebar px-3 py-1.5 font-medium">
                {shortList(names)}
              </p>
            )}
            <ul className="divide-y">
              {[...Map.groupBy(places, (place) => sameChange(place, isReactivation))].map(([change, alike]) => (
                <PlacesEffect
                  key={change}
                  places={alike}
                  teamName={teamName}
                  say={say}
                  isReactivation={isReactivation}
                  isOnly={places.length === 1}
                />
              ))}
            </ul>
          </li>
        );
      })}
    </ul>
  );
}

// A team is joined, a campaign isn't.
const sameChange = ({ campaign, access, gains, losses }: Effect, isReactivation: boolean) =>
  JSON.stringify([access, gains, losses, access === "opens" && !isReactivation && campaign === null]);

/** One change that applies in several places of a team. */
function PlacesEffect({
  places,
  teamName,
  say,
  isReactivation,
  isOnly,
}: {
  places: Effect[];
  teamName: string;
  say: Say;
  isReactivation: boolean;
  /** Nothing changes elsewhere. */
  isOnly: boolean;
}) {
  const { list } = useFormat();
  const [first] = places;
  if (!first) return null;
  const { campaign, access, gains, losses } = first;
  const isUnchanged = access === "stays";
  const where = list(places.map((item) => item.campaign?.name ?? (isUnchanged ? `${teamName}, team-wide` : teamName)));
  // Administrators, who manage both, can open every campaign of the team.
  const isAdministrator = gains.includes("members.manage") && gains.includes("roles.manage");
  const joinsNoCampaign = campaign === null && access === "opens" && isOnly && !isAdministrator;
  const forCampaigns = joinsNoCampaign ? gains.filter(isForCampaigns) : [];
  const verb = access === "closes" ? "lose" : isReactivation ? "regain" : campaign ? "gain" : "join";
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <p className="wrap-anywhere text-muted-foreground text-sm">
        {isUnchanged ? (
          where
        ) : (
          <strong className={access === "closes" ? "text-destructive" : "text-success"}>
            {say(verb)}
            {verb !== "join" && " access to"} {where}
          </strong>
        )}
      </p>
      <Keys keys={gains.filter((key) => !forCampaigns.includes(key))} verb="gain" say={access !== "opens" && say} />
      {joinsNoCampaign && (
        <p>
          They can&apos;t open a campaign until you add them to one.
          {forCampaigns.length > 0 && ` Once added, they'll have: ${permissionLabels(forCampaigns)}`}
        </p>
      )}
      <Keys keys={losses} verb="lose" say={access !== "closes" && say} />
    </li>
  );
}

/** Permissions under their place. Without `say` the heading has the verb already. */
function Keys({ keys, verb, say }: { keys: string[]; verb: "gain" | "lose"; say: Say | false }) {
  if (keys.length === 0) return null;
  const Icon = verb === "gain" ? Plus : Minus;
  return (
    <p className="flex gap-2">
      <Icon
        aria-hidden
        className={cn("mt-0.5 size-4 shrink-0", verb === "gain" ? "text-success" : "text-destructive")}
      />
      <span className="wrap-anywhere min-w-0">
        {say && `${say(verb)}: `}
        {permissionLabels(keys)}
      </span>
    </p>
  );
}
