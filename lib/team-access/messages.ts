import type { Refusals } from "@/lib/supabase/call-sql";
import type { AccessChange } from "@/lib/team-access/access-change";

const lastAdministrator =
  "The team needs at least one active administrator without an end date. Make someone else an administrator first.";
const lastManager =
  "The team needs at least one person without an end date who can manage members and roles. Grant that to someone else first.";

/** Why SQL refuses a change of access. Nothing has changed then. */
const changeRefusals: Refusals = {
  "not-allowed": ["conflict", "You no longer have permission to change this. Reload the page."],
  stale: ["conflict", "Someone else changed this, so nothing was saved. Reload the page to see the current state."],
  gone: ["conflict", "Part of this was deleted. Reload the page."],
  "own-membership": ["conflict", "You can't change your own membership. Ask another administrator."],
  "last-administrator": ["conflict", lastAdministrator],
  "ends-before-today": ["invalid", "This end date has passed. Choose today or a later day."],
  "administrators-stripped": [
    "conflict",
    "Administrators must be able to manage both members and roles. Keep permission sets that include both.",
  ],
  "no-manager-left": ["conflict", lastManager],
  "more-than-own": ["conflict", "You can't grant permissions you don't have. Ask an administrator."],
  "administrators-only": [
    "conflict",
    "Only administrators can change the permissions of administrators. Ask one of them.",
  ],
  "in-use": ["conflict", "Couldn't delete: this is in use. Reload the page to see where."],
  "in-invitations": ["conflict", "Couldn't delete: open invitations grant this role. Reload the page to see how many."],
  "name-taken": ["conflict", "This name is taken. Choose another name."],
  "archived-name-taken": ["conflict", "An archived campaign has this name. Choose another name."],
  "id-taken": ["conflict", "This campaign ID is taken. Choose another ID."],
  "runs-it": ["conflict", "This team runs the campaign. Hand it over to another team first."],
  "not-attached": ["conflict", "That team no longer works on the campaign. Reload the page."],
  "search-not-granted": [
    "conflict",
    "The team that runs the campaign can't use this voter search. Choose another one, or ask the person who runs this server.",
  ],
  erased: ["conflict", "This campaign's personal data was erased, so it can't be restored."],
  "no-such-zone": ["conflict", "This time zone isn't available. Choose another one."],
};

/** Why the last person who can manage the team can't leave it. */
const lastToLeave = {
  "last-administrator": ["conflict", lastAdministrator, "last-to-leave"],
  "no-manager-left": ["conflict", lastManager, "last-to-leave"],
} satisfies Refusals;

/** What to say when a change of this kind is refused. */
export const refusalsOf = ({ kind }: AccessChange): Refusals =>
  kind === "leave-team" ? { ...changeRefusals, ...lastToLeave } : changeRefusals;

/** A change of access whose outcome is unknown. */
export const unconfirmedChange = "We couldn't confirm that this was saved. Try again in a moment.";

const saved = {
  "edit-team": "Team settings saved.",
  "leave-team": "You've left the team.",
  campaigns: "Access changed.",
  "attach-campaign": "Campaign added to the team.",
  "detach-campaign": "Campaign removed from the team.",
  "stop-sharing": "Campaign no longer shared.",
  "hand-over-campaign": "Campaign handed over.",
  "role-sets": "Role saved.",
  "set-keys": "Permission sets saved.",
  "team-sets": "Permissions of administrators saved.",
  "campaign-sets": "Permissions of administrators saved.",
  "delete-role": "Role deleted.",
  "delete-set": "Permission set deleted.",
};

/** What a change did, and how many invitations it took over. */
export function savedMessage(change: AccessChange, takenOver = 0): string {
  const done = doneMessage(change);
  if (takenOver === 0) return done;
  return `${done} ${takenOver === 1 ? "1 invitation is" : `${takenOver} invitations are`} now yours.`;
}

function doneMessage(change: AccessChange) {
  switch (change.kind) {
    case "members":
      return membersMessage(change.members);
    case "create-role":
      return `${change.name} created.`;
    case "rename-role":
      return `${change.before} is now called ${change.after}.`;
    case "edit-set":
      return `${change.after.name} saved.`;
    case "create-set":
    case "create-campaign":
      return `${change.after.name} created.`;
    case "edit-campaign": {
      const { name, archived } = change.after;
      return `${name} ${archived === change.before.archived ? "saved" : archived ? "archived" : "restored"}.`;
    }
    default:
      return saved[change.kind];
  }
}

function membersMessage([only, ...others]: Extract<AccessChange, { kind: "members" }>["members"]): string {
  if (!only || others.length > 0) return `${others.length + 1} members changed.`;
  if (only.after === null) return "Removed from the team.";
  if (only.after.roleId !== only.before.roleId) return "Role changed.";
  if (only.after.endsOn !== only.before.endsOn) return "End date saved.";
  return only.after.status === "active" ? "Reactivated." : "Suspended.";
}

/** Settings of a campaign that someone else has changed, and that its page now shows. */
export const mergeCampaign =
  "Someone else changed these settings, so nothing was saved. Their changes are shown except where you made your own: check them, then save again.";

export const notInEffectYet = "Saved. It takes effect within 10 seconds.";
export const alreadySaved = "Already up to date. Nothing was changed.";

/** How many people's access a change affects, over the list of them. One with an end date changes access later. */
export function effectMessage(people: number, change: AccessChange): string {
  if (change.kind === "stop-sharing")
    return `${people === 1 ? "1 person" : `${people} people`} in that team will lose access.`;
  const isRemoval = change.kind === "members" && change.members.some(({ after }) => after === null);
  if (people === 0 && isRemoval) return ""; // its note says what they lose
  if (people === 0) return setsAnEnd(change) ? "No one's access changes until then." : "No one's access changes.";
  return people === 1 ? "Access changes:" : `Access changes for ${people} people:`;
}

function setsAnEnd(change: AccessChange): boolean {
  const changes = change.kind === "members" ? change.members : change.kind === "campaigns" ? change.places : [];
  return changes.some(({ before, after }) => after?.endsOn && after.endsOn !== before.endsOn);
}

/** What became of an access request. */
export const requestMessages = {
  asked: "Request sent to your administrators.",
  "already-asked": "You've already requested this. Your administrators can see the request.",
  "already-granted": "You already have this permission. Choose Check again to continue.",
};

/** Why SQL refuses an access request, or its answer. */
export const requestRefusals: Refusals = {
  "no-place": ["not-found", "You can't request access to this team."],
  "not-allowed": ["conflict", "You no longer have permission to answer requests. Reload the page."],
  "not-open": ["conflict", "This request is no longer open. Reload the page."],
};
