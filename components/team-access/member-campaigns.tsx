"use client";

import { useId, useState } from "react";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { OptionSelect } from "@/components/forms/select-field";
import { useFormat } from "@/components/shell/format-provider";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { EndField, EndIssue, isPastEnd } from "@/components/team-access/end-field";
import { type CampaignAccess, campaignAccess, noCampaignAccess } from "@/components/team-access/member-changes";
import { type PickableSet, SetPicker } from "@/components/team-access/set-picker";
import { Button } from "@/components/ui/button";
import type { Member } from "@/lib/team-access/members";
import { cn } from "@/lib/utils";

type Named = { id: string; name: string };
/** Each changed campaign: its access when the change began, and the draft. */
type Drafts = Record<string, { before: CampaignAccess; after: CampaignAccess }>;

const isSame = (a: CampaignAccess, b: CampaignAccess) =>
  a.roleId === b.roleId && a.endsOn === b.endsOn && a.setIds.join() === b.setIds.join();
const isNone = ({ roleId, setIds }: CampaignAccess) => roleId === null && setIds.length === 0;

/** What one member has in each campaign: a role, and extra permission sets. All changes are previewed and saved together. */
export function MemberCampaigns({
  member,
  campaigns,
  roles,
  defaultRoleId,
  sets,
}: {
  member: Member;
  /** All of the team; archived ones can't be added. */
  campaigns: (Named & { archivedAt: string | null })[];
  roles: (Named & { setIds: string[] })[];
  /** The role in a campaign that is added. */
  defaultRoleId: string | null;
  sets: PickableSet[];
}) {
  const { team, review } = useAccessChanges();
  const { shortDay, timeZone } = useFormat();
  const [drafts, setDrafts] = useState<Drafts>({});
  const [picking, setPicking] = useState<Named | null>(null);
  const now = (id: string) => drafts[id]?.after ?? campaignAccess(member, id);
  const set = (id: string, after: CampaignAccess) =>
    setDrafts((all) => ({ ...all, [id]: { before: all[id]?.before ?? campaignAccess(member, id), after } }));
  const changed = Object.entries(drafts).filter(([, { before, after }]) => !isSame(before, after));
  const isRefused = ({ before, after }: Drafts[string]) =>
    after.endsOn !== before.endsOn && isPastEnd(after.endsOn, timeZone);
  const canSave = changed.length > 0 && !changed.some(([, draft]) => isRefused(draft));
  const isListed = (id: string) => drafts[id] !== undefined || member.campaigns.some((campaign) => campaign.id === id);
  const listed = campaigns.filter(({ id }) => isListed(id));
  const others = campaigns.filter(({ id, archivedAt }) => archivedAt === null && !isListed(id));

  const nameOf = (campaign?: string) => campaigns.find(({ id }) => id === campaign)?.name;
  const discard = () => setDrafts({});
  const isRemoval = changed.every(([, { after }]) => isNone(after));
  const reviewChanges = () =>
    review({
      change: {
        kind: "campaigns",
        team: team.id,
        places: changed.map(([campaign, { before, after }]) => ({ userId: member.userId, campaign, before, after })),
      },
      title: `${isRemoval ? "Remove" : "Change"} ${member.name}'s access to ${(changed.length === 1 && nameOf(changed[0]?.[0])) || `${changed.length} campaigns`}?`,
      confirm: isRemoval ? "Remove access" : "Change access",
      done: `${member.name}'s access ${isRemoval ? "removed" : "changed"}.`,
      danger: changed.some(([, { after }]) => isNone(after)),
      note: changed
        .filter(([, { before, after }]) => after.endsOn !== before.endsOn && after.roleId !== null)
        .map(([id, { after }]) => (
          <p key={id}>
            {nameOf(id)}:{" "}
            {after.endsOn ? `the role is removed after ${shortDay(after.endsOn)}.` : "the role no longer ends."}
          </p>
        )),
      onDone: discard,
    });

  return (
    <div className="flex flex-col gap-3">
      {listed.length === 0 ? (
        <p className="rounded-md border px-4 py-3 text-muted-foreground">
          {member.name} can't open any campaign yet. {others.length > 0 ? "Add one below." : "Create one first."}
        </p>
      ) : (
        <ul className="divide-y rounded-md border">
          {listed.map(({ id, name }) => (
            <CampaignRow
              key={id}
              name={name}
              access={now(id)}
              changed={changed.some(([changedId]) => changedId === id)}
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
          <OptionSelect
            aria-label="Add a campaign"
            value=""
            none="Add a campaign…"
            options={others}
            onPick={(id) => set(id, { ...noCampaignAccess, roleId: defaultRoleId })}
            className="max-w-60"
          />
        )}
        {Object.keys(drafts).length > 0 && (
          <div className="ml-auto flex gap-2">
            <Button variant="outline" onClick={discard}>
              Discard changes
            </Button>
            <Button aria-disabled={!canSave} onClick={() => canSave && reviewChanges()}>
              Preview changes
            </Button>
          </div>
        )}
      </div>
      {picking && (
        <SetPicker
          title={`Extra permission sets for ${member.name} in ${picking.name}`}
          sets={sets}
          chosen={now(picking.id).setIds}
          roleSetIds={roles.find(({ id }) => id === now(picking.id).roleId)?.setIds}
          otherSetIds={roles.find(({ id }) => id === member.roleId)?.setIds}
          submit="Done"
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
  const issueId = useId();
  const out = isNone(access);
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
        <OptionSelect
          aria-label={`Role in ${name}`}
          value={access.roleId ?? ""}
          none="No role"
          options={roles}
          onPick={(id) => onChange({ ...access, roleId: id || null, endsOn: id ? access.endsOn : null })}
          className="max-md:basis-full md:w-44"
        />
        {access.roleId !== null && (
          <EndField
            label="Role ends"
            of={`in ${name}`}
            issueId={issueId}
            value={access.endsOn}
            onChange={(endsOn) => onChange({ ...access, endsOn })}
          />
        )}
        <Button variant="danger" aria-disabled={out} onClick={() => !out && onChange(noCampaignAccess)}>
          Remove access<span className="sr-only"> to {name}</span>
        </Button>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <EndIssue id={issueId} value={access.endsOn}>
          {setNames.length > 0 ? `Extra permission sets: ${setNames.join(", ")}` : "No extra permission sets"}
          {setNames.length > 0 && access.endsOn && " (these stay when the role ends)"}
        </EndIssue>
        <Button variant="ghost" onClick={onPick} className="-mr-3">
          {setNames.length > 0 ? "Edit permission sets" : "Add permission sets"}
          <span className="sr-only"> in {name}</span>
        </Button>
      </div>
    </li>
  );
}
