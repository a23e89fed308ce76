"use client";

import { useActionState, useEffect, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import type { Format } from "@/lib/format/format-of";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";
import { askSignet } from "@/lib/http/ask-signet";
import type { CampaignOfTeam } from "@/lib/ids";
import type { SignerSet } from "@/lib/signers/answers";
import type { RebuildCounts } from "@/supabase/functions/_shared/rebuild-signers";

/**
 * How the duplicate check of a campaign stands, and a button that builds it anew, with progress and what came of it.
 * `signers` is null while Redis is away.
 */
export function DuplicateCheck({
  place,
  signers,
  rebuild,
}: {
  place: CampaignOfTeam;
  signers: SignerSet | null;
  rebuild: FormSubmit<RebuildCounts>;
}) {
  const [state, action, pending] = useActionState(rebuild, unsent);
  useSessionEnded(state);
  const format = useFormat();
  const progress = useProgress(place, pending);
  return (
    <section aria-labelledby="duplicate-check" className="flex flex-col gap-2">
      <h2 id="duplicate-check" className="font-semibold">
        Duplicate check
      </h2>
      <form
        action={action}
        onSubmit={(event) => pending && event.preventDefault()}
        className="flex flex-col gap-2 rounded-md border px-4 py-2"
      >
        <input type="hidden" name="team" value={place.team} />
        <input type="hidden" name="campaign" value={place.campaign} />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="tabular-nums">{standing(signers, format)}</p>
          <Button type="submit" variant="outline" aria-disabled={pending}>
            {pending ? "Rebuilding…" : "Rebuild"}
          </Button>
        </div>
        <p role="status" className="min-h-5 text-muted-foreground text-sm tabular-nums">
          {pending
            ? progressText(progress, format)
            : state.error === null && state.data
              ? outcomeText(state.data, format)
              : idle}
        </p>
        <FormError error={state.error} pending={pending} />
      </form>
    </section>
  );
}

const idle = "Compares it with the stored lines and mends what differs. Entry can go on meanwhile.";

function standing(signers: SignerSet | null, { count, dateTime }: Format) {
  if (!signers) return "It cannot be asked right now. No duplicate is stored meanwhile.";
  if (signers.builtAt === null) return "It is being built. No duplicate is stored meanwhile.";
  return `${count(signers.members, "signer")}, built ${dateTime(signers.builtAt)}`;
}

function progressText(progress: SignerSet["running"], { number }: Format) {
  if (!progress) return "Rebuilding…";
  return `Rebuilding… ${number(progress.read)} of ${number(progress.total)} lines read`;
}

function outcomeText({ read, added, dropped }: RebuildCounts, { count }: Format) {
  const lines = `${count(read, "line")} read`;
  if (added === 0 && dropped === 0) return `Rebuilt: ${lines}; nothing differed.`;
  const changes = [
    ...(added > 0 ? [`${count(added, "signer")} added who ${added === 1 ? "was" : "were"} missing`] : []),
    ...(dropped > 0 ? [`${count(dropped, "signer")} dropped who had no line`] : []),
  ];
  return `Rebuilt: ${lines}; ${changes.join(", ")}.`;
}

// How far the rebuild is, asked twice a second while it runs.
function useProgress({ team, campaign }: CampaignOfTeam, pending: boolean) {
  const [progress, setProgress] = useState<SignerSet["running"]>(null);
  useEffect(() => {
    if (!pending) return;
    const over = new AbortController();
    const ask = async () => {
      const answer = await askSignet("/api/signers/progress", {
        query: { team, campaign },
        schema: async () => (await import("@/lib/signers/answers")).signerSetSchema,
        signal: over.signal,
      });
      if ("body" in answer && !over.signal.aborted) setProgress(answer.body.running);
    };
    const timer = setInterval(() => void ask(), 500);
    return () => {
      clearInterval(timer);
      over.abort();
      setProgress(null);
    };
  }, [team, campaign, pending]);
  return progress;
}
