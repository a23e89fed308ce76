import { Minus, Plus } from "lucide-react";
import { groupEffects } from "@/components/team-access/group-effects";
import { permissionLabels } from "@/lib/permissions/permission-keys";
import type { AccessEffects } from "@/lib/team-access/access-change";

const namesShown = 8;
const accessWords = { opens: "opens", closes: "closes", stays: null } as const;

/** Who gains and who loses what, where; those together for whom it is the same. */
export function EffectsList({ effects, teamName }: { effects: AccessEffects; teamName: string }) {
  return (
    <ul className="flex flex-col gap-3">
      {groupEffects(effects).map(({ names, places }) => (
        <li key={names.join()} className="rounded-md border">
          <p title={names.join(", ")} className="wrap-anywhere border-b bg-sidebar px-3 py-1.5 font-medium">
            {names.slice(0, namesShown).join(", ")}
            {names.length > namesShown && ` and ${names.length - namesShown} more`}
          </p>
          <ul className="divide-y">
            {places.map(({ campaign, access, gains, losses }) => (
              <li key={campaign?.id ?? ""} className="flex flex-col gap-1 px-3 py-2">
                <p className="wrap-anywhere text-muted-foreground text-sm">
                  {campaign?.name ?? `${teamName}, whole team`}
                  {accessWords[access] && (
                    <strong className={access === "closes" ? "text-destructive" : "text-success"}>
                      {" "}
                      {accessWords[access]}
                    </strong>
                  )}
                </p>
                <Keys keys={gains} what="Gains" />
                <Keys keys={losses} what="Loses" />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Keys({ keys, what }: { keys: string[]; what: "Gains" | "Loses" }) {
  if (keys.length === 0) return null;
  const gains = what === "Gains";
  const Icon = gains ? Plus : Minus;
  return (
    <p className="flex gap-2">
      <Icon
        aria-hidden
        className={gains ? "mt-0.5 size-4 shrink-0 text-success" : "mt-0.5 size-4 shrink-0 text-destructive"}
      />
      <span className="wrap-anywhere min-w-0">
        {what}: {permissionLabels(keys)}
      </span>
    </p>
  );
}
