"use client";

import { useActionState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { useFormat } from "@/components/shell/format-provider";
import { useQuery } from "@/components/shell/use-query";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import type { Format } from "@/lib/format/format-of";
import { type FormSubmit, initialFormState } from "@/lib/forms/form-state";
import { callApi, unwrapBody } from "@/lib/http/call-api";
import type { CampaignOfTeam } from "@/lib/ids";
import type { SignerSet } from "@/lib/signers/responses";
import type { RebuildCounts } from "@/supabase/functions/_shared/rebuild-signers";

const pollIntervalMs = 500;

/** The state of a campaign's duplicate check, and rebuilding it, with progress and result. `signers` is null without Redis. */
export function DuplicateCheck({
  place,
  signers,
  isArchived,
  rebuild,
}: {
  place: CampaignOfTeam;
  signers: SignerSet | null;
  /** No signatures can be entered. */
  isArchived: boolean;
  rebuild: FormSubmit<RebuildCounts>;
}) {
  const [sent, action, pending] = useActionState(rebuild, initialFormState);
  const state = useSessionEnded(sent);
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ["signers", place, signers?.builtAt],
    queryFn: ({ signal }) =>
      unwrapBody(
        callApi("/api/signers/progress", {
          query: { team: place.team, campaign: place.campaign },
          schema: async () => (await import("@/lib/signers/responses")).signerSetSchema,
          signal,
        }),
      ),
    enabled: pending,
    refetchInterval: pollIntervalMs,
  });
  return (
    <Section title="Duplicate check" className="gap-2">
      <form
        action={action}
        onSubmit={(event) => pending && event.preventDefault()}
        className="flex flex-col gap-2 rounded-md border px-4 py-2"
      >
        <input type="hidden" name="team" value={place.team} />
        <input type="hidden" name="campaign" value={place.campaign} />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="tabular-nums">{setText(signers, format)}</p>
          <Button type="submit" variant="outline" aria-disabled={pending}>
            {pending ? "Rebuilding…" : "Rebuild duplicate check"}
          </Button>
        </div>
        <p role="status" className="min-h-5 text-muted-foreground text-sm tabular-nums">
          {pending
            ? progressText(data?.running ?? null, format)
            : state.error === null && state.data
              ? resultText(state.data, format)
              : `Rebuild it if a voter who hasn't signed shows as already signed.${isArchived ? "" : " Clerks can keep entering lines."}`}
        </p>
        <FormError error={state.error} pending={pending} />
      </form>
    </Section>
  );
}

function setText(signers: SignerSet | null, { count, dateTime }: Format) {
  if (!signers) return "Not available right now. Duplicates are still caught.";
  if (signers.builtAt === null) return "Being updated. Duplicates are still caught.";
  return `${count(signers.members, "signer")}, last updated ${dateTime(signers.builtAt)}`;
}

function progressText(running: SignerSet["running"], { number }: Format) {
  return running ? `Rebuilding… ${number(running.read)} of ${number(running.total)} lines read` : "Rebuilding…";
}

function resultText({ read, added, dropped }: RebuildCounts, { count }: Format) {
  const changes = [
    added > 0 && `${count(added, "missing signer")} added`,
    dropped > 0 && `${count(dropped, "signer")} without a valid line removed`,
  ].filter(Boolean);
  return `${count(read, "line")} checked: ${changes.length > 0 ? changes.join(", ") : "no errors found"}.`;
}
