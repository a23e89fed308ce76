import { InvitationAnswer } from "@/components/invitations/invitation-forms";
import { Section } from "@/components/ui/section";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { OwnInvitation } from "@/lib/invitations/invitations";

/** The invitations that a person can accept or decline. A new person is asked for their name. */
export function OwnInvitations({
  invitations,
  email,
  isNew,
  join,
  decline,
}: {
  invitations: OwnInvitation[];
  email: string;
  isNew: boolean;
  join: FormSubmit;
  decline: FormSubmit;
}) {
  return (
    <Section title="Invitations">
      <ul className="divide-y rounded-md border">
        {invitations.map(({ id, token, team, access, name, invitedBy }) => (
          <li key={id} className="flex flex-col gap-3 px-4 py-3">
            <p className="wrap-anywhere">
              {invitedBy ? `${invitedBy} invited you` : "You're invited"} to {team} as {access}.
            </p>
            <InvitationAnswer
              token={token}
              team={team}
              email={email}
              name={isNew ? (name ?? "") : null}
              join={join}
              decline={decline}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
