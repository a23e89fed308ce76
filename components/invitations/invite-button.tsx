"use client";

import { Check, Copy, UserPlus } from "lucide-react";
import { startTransition, useActionState, useId, useState } from "react";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { describedBy, Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { type FormState, issueOf, unsent } from "@/lib/forms/form-state";

type Invited = FormState<{ link: string; expiresAt: string }>;
/** The server action that makes an invitation. */
type InviteMember = (state: Invited, form: FormData) => Promise<Invited>;
type Props = {
  teamId: string;
  roles: { id: string; name: string }[];
  defaultRoleId: string | undefined;
  invite: InviteMember;
};

/** Opens the form that invites somebody. */
export function InviteButton(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <UserPlus aria-hidden />
        Invite
      </Button>
      {open && <InviteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Invites by address and role, and then shows the link, this once. */
function InviteDialog({ teamId, roles, defaultRoleId, invite, onClose }: Props & { onClose: () => void }) {
  const id = useId();
  const [state, send, pending] = useActionState(invite, unsent);
  useSessionEnded(state);
  const made = state.error === null ? state.data : undefined;
  const issue = issueOf(state, "email");
  return (
    <Dialog title="Invite somebody to the team" onClose={onClose}>
      {(close) =>
        made ? (
          <>
            <DialogBody>
              <p role="status" className="wrap-anywhere">
                {state.message}
              </p>
              <CopyLink link={made.link} />
              <p className="text-muted-foreground text-sm">
                Send it to that address yourself. It works once, for seven days, and only for somebody who signs in with
                that address.
              </p>
            </DialogBody>
            <DialogFooter>
              <Button onClick={close}>Done</Button>
            </DialogFooter>
          </>
        ) : (
          <form
            // Not `action`: that sets the list of roles back to its first one, which is another than was chosen.
            onSubmit={(event) => {
              event.preventDefault();
              const typed = new FormData(event.currentTarget);
              if (!pending) startTransition(() => send(typed));
            }}
            noValidate
            className="flex min-h-0 flex-col"
          >
            <input type="hidden" name="team" value={teamId} />
            <DialogBody>
              <Field id={`${id}-email`} label="E-mail address" issue={issue}>
                <Input
                  id={`${id}-email`}
                  name="email"
                  type="email"
                  autoComplete="off"
                  data-first
                  {...describedBy(`${id}-email`, { issue })}
                />
              </Field>
              <Field
                id={`${id}-role`}
                label="Role in the team"
                hint="Campaigns are given on the member’s page, once the invitation is accepted."
              >
                <Select
                  id={`${id}-role`}
                  name="roleId"
                  defaultValue={defaultRoleId}
                  {...describedBy(`${id}-role`, { issue: undefined, hint: true })}
                >
                  {roles.map((role) => (
                    <option key={role.id} value={role.id}>
                      {role.name}
                    </option>
                  ))}
                </Select>
              </Field>
              <div role="alert" className="empty:hidden">
                {state.error !== null && !pending && <Alert>{state.error}</Alert>}
              </div>
            </DialogBody>
            <DialogFooter>
              <Button variant="outline" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" aria-disabled={pending}>
                {pending ? "Making the link…" : "Make a link"}
              </Button>
            </DialogFooter>
          </form>
        )
      }
    </Dialog>
  );
}

function CopyLink({ link }: { link: string }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      setCopied(false); // not allowed, or the page is not served over a secure connection
    }
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex gap-2 max-md:flex-col">
        <Input readOnly aria-label="Invitation link" value={link} onFocus={(event) => event.currentTarget.select()} />
        <Button variant="outline" onClick={copy} data-first>
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          Copy link
        </Button>
      </div>
      <p role="status" className="min-h-5 text-muted-foreground text-sm">
        {copied === true && "Copied."}
        {copied === false && "The browser did not let Signet copy it. Select the link and copy it yourself."}
      </p>
    </div>
  );
}
