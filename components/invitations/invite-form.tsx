import { type FormEvent, useId } from "react";
import { FileField } from "@/components/forms/file-field";
import { FormError } from "@/components/forms/form-error";
import { SelectField } from "@/components/forms/select-field";
import { CampaignsField, isAdministrator } from "@/components/invitations/campaigns-field";
import { InviteesTable } from "@/components/invitations/invitees-table";
import type { Invite } from "@/components/invitations/use-invite";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { DialogBody, DialogFooter } from "@/components/ui/dialog";
import { describedBy, Field } from "@/components/ui/field";
import { correctName, type InviteeRow, withoutProblems } from "@/lib/invitations/read-invitees";

/** Addresses, roles and campaigns of people to invite. */
export function InviteForm({
  invite: { draft, change, roles, campaignRoles, campaigns, failure, pending, showPreview },
  rows,
  onClose,
}: {
  invite: Invite;
  /** The rows of the list, if one has a problem. */
  rows: InviteeRow[];
  onClose: () => void;
}) {
  const id = useId();
  const problems = rows.filter(({ problem }) => problem !== null).length;
  const noun = new Set(rows.map(({ line }) => line)).size < rows.length ? "email address" : "line"; // a line can have several
  const misspelled = new Map(rows.flatMap((row) => row.misspelled).map((name) => [name.wanted, name]));
  const rest = problems > 0 && problems < rows.length ? withoutProblems(draft.text, rows) : null;
  const changeText = (text: string) => {
    change({ text });
    document.getElementById(id)?.focus(); // the button disappears
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) showPreview();
  };
  return (
    <form onSubmit={submit} noValidate className="flex min-h-0 flex-col">
      <DialogBody>
        <Field
          id={id}
          label="Email addresses"
          hint="Paste email addresses, or a table with email, name, role, campaign, and campaign role. A header row is optional."
        >
          <textarea
            id={id}
            rows={4}
            autoComplete="off"
            spellCheck={false}
            data-first
            value={draft.text}
            onChange={(event) => change({ text: event.target.value })}
            className="min-h-24 w-full min-w-0 rounded-md border border-input bg-background px-2.5 py-1.5 text-base focus-visible:border-ring focus-visible:outline-offset-0 aria-invalid:border-destructive pointer-coarse:text-lg"
            {...describedBy(id, { issue: problems > 0 ? "" : undefined, hint: true })}
          />
          <FileField
            label="Import from a CSV file"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onOpen={async (file) => change({ text: await file.text() })}
          />
        </Field>
        <div id={`${id}-issue`} role="alert" className="text-destructive text-sm empty:hidden">
          {problems > 0 && (
            <p>
              {problems > 1 && problems === rows.length ? "All" : `${problems} of`} {rows.length}{" "}
              {rows.length === 1 ? noun : noun === "line" ? "lines" : "email addresses"}{" "}
              {problems === 1 ? "needs" : "need"} fixing.
            </p>
          )}
        </div>
        {problems > 0 && (
          <InviteesTable rows={rows.map((row) => ({ ...row, note: row.problem }))} heading="Result" isError />
        )}
        {[...misspelled.values()].map((misspelling) => (
          <Button
            key={misspelling.wanted}
            variant="outline"
            onClick={() => changeText(correctName(draft.text, rows, misspelling))}
            className="self-start wrap-anywhere"
          >
            Change “{misspelling.wanted}” to “{misspelling.meant}”
          </Button>
        ))}
        {rest !== null && (
          <Button variant="outline" onClick={() => changeText(rest)} className="self-start">
            Remove {problems === 1 ? "this line" : `these ${problems} lines`}
          </Button>
        )}
        <SelectField label="Team role" options={roles} value={draft.roleId} onPick={(roleId) => change({ roleId })} />
        <CampaignsField
          campaigns={campaigns}
          roles={campaignRoles}
          isForAdministrators={isAdministrator(roles, draft.roleId)}
          campaignIds={draft.campaignIds}
          roleId={draft.campaignRoleId}
          onChange={({ campaignIds, roleId }) => change({ campaignIds, campaignRoleId: roleId })}
        />
        <label className="flex cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
          <Checkbox checked={draft.mail} onChange={() => change({ mail: !draft.mail })} />
          Send invitations by email
        </label>
        <FormError error={failure} pending={pending} />
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" aria-disabled={pending}>
          {pending ? "Checking access…" : "Preview access"}
        </Button>
      </DialogFooter>
    </form>
  );
}
