"use client";

import { useState } from "react";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { accessIn } from "@/components/team-access/campaign-role-change";
import { type PickableSet, SetPicker } from "@/components/team-access/set-picker";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import type { Member } from "@/lib/team-access/members";
import { cn } from "@/lib/utils";

type CampaignAccess = { roleId: string | null; setIds: string[] };
type Named = { id: string; name: string };
/** Of each campaign that was touched: how it stood then, and how it is to be. */
type Drafts = Record<string, { before: CampaignAccess; after: CampaignAccess }>;

const same = (a: CampaignAccess, b: CampaignAccess) => a.roleId === b.roleId && a.setIds.join() === b.setIds.join();

/** What one member has in each campaign: a role, and permission sets of her own. All changes are seen and saved together. */
export function MemberCampaigns({
  teamId,
  member,
  campaigns,
  roles,
  sets,
}: {
  teamId: string;
  member: Member;
  /** All of the team; archived ones are not offered anew. */
  campaigns: (Named & { archivedAt: string | null })[];
  roles: Named[];
  sets: PickableSet[];
}) {
  const { review } = useAccessChanges();
  const [drafts, setDrafts] = useState<Drafts>({});
  const [picking, setPicking] = useState<Named | null>(null);
  const now = (id: string) => drafts[id]?.after ?? accessIn(member, id);
  const set = (id: string, after: CampaignAccess) =>
    setDrafts((all) => ({ ...all, [id]: { before: all[id]?.before ?? accessIn(member, id), after } }));
  const changed = Object.entries(drafts).filter(([, { before, after }]) => !same(before, after));
  const given = (id: string) => member.campaigns.some((campaign) => campaign.id === id);
  const listed = campaigns.filter(({ id }) => given(id) || drafts[id]);
  const others = campaigns.filter(({ id, archivedAt }) => archivedAt === null && !given(id) && !drafts[id]);
  const losing = changed.some(([, { after }]) => after.roleId === null && after.setIds.length === 0);

  const forget = () => setDrafts({});
  const ask = () =>
    review({
      change: {
        kind: "campaigns",
        team: teamId,
        places: changed.map(([campaign, { before, after }]) => ({ userId: member.userId, campaign, before, after })),
      },
      title: `Change what ${member.name} can do in ${changed.length === 1 ? "a campaign" : `${changed.length} campaigns`}?`,
      confirm: "Save",
      danger: losing,
      onDone: forget,
      onCancel: forget,
    });

  return (
    <div className="flex flex-col gap-3">
      {listed.length === 0 ? (
        <p className="rounded-md border px-4 py-3 text-muted-foreground">
          No campaign is open to {member.name} yet. {others.length > 0 ? "Add one below." : "Create one first."}
        </p>
      ) : (
        <ul className="divide-y rounded-md border">
          {listed.map(({ id, name }) => (
            <CampaignRow
              key={id}
              name={name}
              access={now(id)}
              changed={changed.some(([one]) => one === id)}
              roles={roles}
              sets={sets}
              onChange={(after) => set(id, after)}
              onPick={() => setPicking({ id, name })}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {others.length > 0 && (
          <Select
            aria-label="Add a campaign"
            value=""
            onChange={(event) => set(event.target.value, { roleId: roles[0]?.id ?? null, setIds: [] })}
            className="max-w-60"
          >
            <option value="">Add a campaign…</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        {Object.keys(drafts).length > 0 && (
          <div className="ml-auto flex gap-2">
            <Button variant="outline" onClick={forget}>
              Discard
            </Button>
            <Button aria-disabled={changed.length === 0} onClick={() => changed.length > 0 && ask()}>
              See what changes
            </Button>
          </div>
        )}
      </div>
      {picking && (
        <SetPicker
          title={`Permission sets of ${member.name} in ${picking.name}`}
          sets={sets}
          chosen={now(picking.id).setIds}
          onChoose={(setIds) => set(picking.id, { ...now(picking.id), setIds })}
          onClose={() => setPicking(null)}
        />
      )}
      <LeaveGuard armed={changed.length > 0} />
    </div>
  );
}

function CampaignRow({
  name,
  access,
  changed,
  roles,
  sets,
  onChange,
  onPick,
}: {
  name: string;
  access: CampaignAccess;
  changed: boolean;
  roles: Named[];
  sets: PickableSet[];
  onChange: (after: CampaignAccess) => void;
  onPick: () => void;
}) {
  const out = access.roleId === null && access.setIds.length === 0;
  const setNames = sets.filter(({ id }) => access.setIds.includes(id)).map((set) => set.name);
  return (
    <li className={cn("flex flex-col gap-2 px-4 py-2", changed && "bg-primary-soft")}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p
          className={cn(
            "wrap-anywhere min-w-0 flex-1 font-medium max-md:basis-full",
            out && "text-muted-foreground line-through",
          )}
        >
          {name}
          {changed && <span className="sr-only"> (changed)</span>}
        </p>
        <Select
          aria-label={`Role in ${name}`}
          value={access.roleId ?? ""}
          onChange={(event) => onChange({ ...access, roleId: event.target.value || null })}
          className="max-md:flex-1 md:w-44"
        >
          <option value="">No role</option>
          {roles.map((role) => (
            <option key={role.id} value={role.id}>
              {role.name}
            </option>
          ))}
        </Select>
        <Button variant="outline" aria-disabled={out} onClick={() => !out && onChange({ roleId: null, setIds: [] })}>
          Take out<span className="sr-only"> of {name}</span>
        </Button>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="wrap-anywhere min-w-0 text-muted-foreground text-sm">
          {setNames.length > 0 ? `And directly: ${setNames.join(", ")}` : "No permission sets given directly"}
        </p>
        <Button variant="ghost" onClick={onPick} className="-mr-3">
          {setNames.length > 0 ? "Change sets" : "Give sets"}
          <span className="sr-only"> in {name}</span>
        </Button>
      </div>
    </li>
  );
}
