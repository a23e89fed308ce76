"use client";

import { useActionState, useEffect, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Format } from "@/lib/format/format-of";
import { type FormState, unsent } from "@/lib/forms/form-state";
import type { SignerSet } from "@/lib/signers/read-signer-set";
import type { RebuildCounts } from "@/lib/signers/request-rebuild";

/** The server action that builds a campaign's set of signers anew. */
export type RebuildDuplicateCheck = (
  state: FormState<RebuildCounts>,
  form: FormData,
) => Promise<FormState<RebuildCounts>>;

/**
 * How the duplicate check of a campaign stands, and a button that builds it anew, with progress and what came of it.
 * `signers` is null while Redis is away.
 */
export function DuplicateCheck({
  place,
  signers,
  rebuild,
}: {
  place: { team: string; campaign: string };
  signers: SignerSet | null;
  rebuild: RebuildDuplicateCheck;
}) {
  const [state, action, pending] = useActionState(rebuild, unsent);
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
        <div role="alert" className="empty:hidden">
          {!pending && state.error !== null && <Alert>{state.error}</Alert>}
        </div>
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

// By hand: a schema library would come with the page, for this alone.
function readRunning(body: unknown): SignerSet["running"] {
  if (typeof body !== "object" || body === null || !("running" in body)) return null;
  const { running } = body;
  if (typeof running !== "object" || running === null) return null;
  if (!("read" in running && typeof running.read === "number")) return null;
  if (!("total" in running && typeof running.total === "number")) return null;
  return { read: running.read, total: running.total };
}

// How far the rebuild is, asked twice a second while it runs.
function useProgress({ team, campaign }: { team: string; campaign: string }, pending: boolean) {
  const [progress, setProgress] = useState<SignerSet["running"]>(null);
  useEffect(() => {
    if (!pending) return;
    const over = new AbortController();
    const ask = async () => {
      const query = new URLSearchParams({ team, campaign });
      const answer = await fetch(`/api/signers/progress?${query}`, { signal: over.signal });
      if (answer.ok) setProgress(readRunning(await answer.json()));
    };
    const timer = setInterval(() => void ask().catch(() => undefined), 500);
    return () => {
      clearInterval(timer);
      over.abort();
      setProgress(null);
    };
  }, [team, campaign, pending]);
  return progress;
}
