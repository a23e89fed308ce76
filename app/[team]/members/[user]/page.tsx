import { notFound } from "next/navigation";
import { saveAccess } from "@/app/[team]/actions";
import { TeamFrame } from "@/app/[team]/team-frame";
import { pageMetadata } from "@/app/page-props";
import { Explanation } from "@/components/permissions/explanation";
import { withRefusal } from "@/components/permissions/refusal";
import { InView } from "@/components/shell/in-view";
import { AccessMatrix, OfferButton } from "@/components/team-access/access-matrix";
import { MemberActions } from "@/components/team-access/member-actions";
import { MemberCampaigns } from "@/components/team-access/member-campaigns";
import { statusTones } from "@/components/team-access/member-changes";
import { Badge } from "@/components/ui/badge";
import { ButtonLink, Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { listRemovedMembers } from "@/lib/activity/activity";
import { hasSecondFactors } from "@/lib/auth/second-factor";
import { formatOf } from "@/lib/format/format-of";
import { explainAccess } from "@/lib/permissions/explain";
import { readMemberTeam } from "@/lib/permissions/list-places";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { permissionKeySchema } from "@/lib/permissions/snapshot";
import { campaignsText, endText } from "@/lib/team-access/campaigns-text";
import { listMembers, readMemberFacts } from "@/lib/team-access/members";
import { hasPermission, offerChange } from "@/lib/team-access/offer-change";
import { leastPrivilegedRole, readTeamRoles } from "@/lib/team-access/read-team-roles";
import { cn } from "@/lib/utils";

type Props = {
  params: Promise<{ team: string; user: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export const generateMetadata = pageMetadata("Member");

/**
 * `/[team]/members/[user]`: the access of one member and why, with `members.view`; changes, with `members.manage`.
 * `?why=<key>&in=<campaign>` asks why.
 */
export default withRefusal(async function MemberPage({ params, searchParams }: Props) {
  const { team: teamId, user: userId } = await params;
  const { session, snapshot } = await requirePermission({ team: teamId }, "members.view");
  const canManageMembers = snapshot.permissionKeys.includes("members.manage");
  const [{ team }, members, roles, query] = await Promise.all([
    findPlace({ team: teamId }),
    listMembers(teamId),
    canManageMembers ? readTeamRoles(teamId) : null,
    searchParams,
  ]);
  const member = members.find((candidate) => candidate.userId === userId);
  const teamName = team?.name ?? teamId;
  if (!member) {
    const removed = canManageMembers && (await listRemovedMembers(teamId)).find(({ id }) => id === userId);
    if (!removed) notFound();
    const role = roles?.roles.find(({ id, scope }) => id === removed.roleId && scope === "assigned");
    const invitation = new URLSearchParams({ invite: removed.email ?? "", role: role?.id ?? "" });
    return (
      <TeamFrame team={{ id: teamId, name: teamName }} title={removed.name}>
        <div className="flex max-w-2xl flex-col gap-4 px-4 py-6 md:px-6">
          <p role="status">This person isn't on the team. Signatures they entered are kept.</p>
          <div className="flex flex-wrap gap-2">
            <ButtonLink href={`/${teamId}/members?${invitation}`}>Invite again</ButtonLink>
            <ButtonLink variant="outline" href={`/${teamId}/activity?subject=${userId}`}>
              View activity
            </ButtonLink>
          </div>
        </div>
      </TeamFrame>
    );
  }
  const isOwn = userId === session.userId;
  const campaigns = roles?.campaigns ?? team?.campaigns ?? [];
  const { data: key } = permissionKeySchema.safeParse(query.why);
  const campaign = campaigns.find(({ id }) => id === query.in);
  const [places, { joinedAt, lastActiveAt, hasSecondFactor }, isSecondFactorAvailable] = await Promise.all([
    readMemberTeam(userId, teamId),
    readMemberFacts(teamId, userId),
    hasSecondFactors(),
  ]);
  const explanation = key && (await explainAccess(userId, { team: teamId, campaign: campaign?.id }, key));
  const canOffer = key && explanation && roles && !isOwn && member.status === "active";
  const askedPermission = canOffer && { key, campaign: campaign ?? null, ...explanation };
  const suggestedChange =
    askedPermission && offerChange({ id: teamId, name: teamName }, askedPermission, member, roles);
  const format = formatOf(team);
  const end = endText(member, format.shortDay);

  return (
    <TeamFrame team={{ id: teamId, name: teamName }} title={member.name}>
      <div className="flex max-w-5xl flex-col gap-8 px-4 py-6 md:px-6">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <p className="wrap-anywhere min-w-0">{member.email}</p>
          <Badge tone={statusTones[member.status]}>{member.status}</Badge>
          {end && <span className="text-muted-foreground">{end}</span>}
          {isOwn && <span className="text-muted-foreground text-sm">(you)</span>}
          <Link
            href={`/${teamId}/members`}
            className="ml-auto inline-flex items-center text-primary underline-offset-4 hover:underline pointer-coarse:min-h-11 print:hidden"
          >
            All members
          </Link>
        </div>
        <dl className="-mt-4 flex flex-wrap gap-x-8 gap-y-1 text-muted-foreground text-sm">
          <Fact name="Joined" value={joinedAt && format.day(joinedAt)} />
          <Fact name="Last active" value={lastActiveAt ? format.day(lastActiveAt) : "no activity yet"} />
          {(hasSecondFactor || isSecondFactorAvailable) && (
            <Fact name="Two-factor sign-in" value={hasSecondFactor ? "on" : "off"} />
          )}
        </dl>
        <Section title="Membership">
          {roles && !isOwn && (
            <div className="print:hidden">
              <MemberActions member={member} roles={roles.roles} save={saveAccess} />
            </div>
          )}
          <p className={roles && !isOwn ? "hidden print:block" : ""}>
            Team role: <strong className="font-semibold">{member.role}</strong>
            {roles && isOwn && (
              <span className="block text-muted-foreground print:hidden">
                You can't change your own membership. Ask another administrator.
              </span>
            )}
          </p>
        </Section>
        <Section title="Campaigns">
          {member.isAdministrator ? (
            <p>Administrators can open every campaign. Their permission sets are under Roles.</p>
          ) : (
            <>
              {roles && (
                <div className="print:hidden">
                  <MemberCampaigns
                    member={member}
                    campaigns={roles.campaigns}
                    roles={roles.roles.filter(({ scope }) => scope === "assigned")}
                    defaultRoleId={leastPrivilegedRole(roles, "campaign.view") ?? null}
                    sets={roles.sets}
                  />
                </div>
              )}
              <p className={cn("wrap-anywhere", roles && "hidden print:block")}>
                {campaignsText(member, format.shortDay) || "None"}
              </p>
            </>
          )}
        </Section>
        <Section
          title="Permissions"
          note={
            <>
              What {isOwn ? "you" : member.name} can do now.
              <span className="print:hidden"> Select a cell to see why.</span>
            </>
          }
        >
          <AccessMatrix
            path={`/${teamId}/members/${userId}`}
            places={[
              { campaign: null, name: teamName, keys: places?.permissionKeys ?? null },
              ...campaigns.map(({ id, name }) => ({
                campaign: id,
                name,
                keys: places?.campaigns.find((candidate) => candidate.id === id)?.permissionKeys ?? null,
              })),
            ]}
            question={{ key, campaign: campaign?.id ?? null }}
          />
          <InView id="why" of={key && `${key} ${campaign?.id ?? ""}`}>
            {explanation && (
              <Explanation
                explanation={explanation}
                about={{ person: member.name, you: isOwn, team: teamName, campaign: campaign?.name ?? null }}
                permissionKey={key}
              />
            )}
            {explanation && roles && !isOwn && member.status === "suspended" && !member.ended && (
              <p className="mt-2">Reactivate {member.name} to restore access.</p>
            )}
            {suggestedChange && <OfferButton {...suggestedChange} />}
            {askedPermission && !suggestedChange && (
              <p className="mt-2 text-muted-foreground">
                {member.isAdministrator
                  ? "All administrators have the same permissions. Change this person's role above, or the administrators' permission sets under Roles."
                  : `${hasPermission(askedPermission) ? "You can't remove just this permission." : `No role includes this and everything ${member.name} has now.`} Choose another role above, or create one under Roles.`}
              </p>
            )}
          </InView>
        </Section>
      </div>
    </TeamFrame>
  );
});

function Fact({ name, value }: { name: string; value: string | null }) {
  return (
    <div className="flex gap-1.5">
      <dt>{name}:</dt>
      <dd className="text-foreground">{value ?? "unknown"}</dd>
    </div>
  );
}
