"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useState, useTransition } from "react";
import type { AskForAccessProps } from "@/components/permissions/ask-for-access";
import { useFormat } from "@/components/shell/format-provider";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { callApi } from "@/lib/http/call-api";
import { reportAccessChanged } from "@/lib/permissions/access-changed";

// Every guarded page can be refused, so this isn't part of their first load.
const AskForAccess = lazy(async () => ({
  default: (await import("@/components/permissions/ask-for-access")).AskForAccess,
}));

const revalidation = {
  timeoutMs: 10_000,
  unreachableMessage: "Couldn't check your access. Check your connection and try again.",
};

/**
 * Drops the cached permissions and renders the page again. `fingerprint` changes with the user's permissions, `checkedAt` (ISO
 * 8601) with every rendering on the server. Both show what the refresh changed. `changedText` is for permissions that changed
 * while this screen stayed.
 */
export function RefreshPermissions({
  fingerprint,
  checkedAt,
  changedText,
  accessRequest = false,
}: {
  fingerprint: string;
  checkedAt: string;
  changedText: string;
  /** What can be asked for: its button comes first. */
  accessRequest?: AskForAccessProps | false | undefined;
}) {
  const { time } = useFormat();
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [failure, setFailure] = useState<string | null>(null);
  const [before, setBefore] = useState<{ fingerprint: string; checkedAt: string } | null>(null);
  const checkedAgain = before !== null && before.checkedAt !== checkedAt;

  const refresh = () => {
    if (pending) return;
    setFailure(null);
    startTransition(async () => {
      const response = await callApi("/api/permissions/revalidate", revalidation);
      startTransition(() => {
        if ("error" in response) return setFailure(response.error);
        setBefore({ fingerprint, checkedAt });
        reportAccessChanged();
        router.refresh();
      });
    });
  };

  return (
    <div className="flex flex-wrap gap-3">
      <Suspense>{accessRequest && <AskForAccess {...accessRequest} />}</Suspense>
      <Button variant={accessRequest ? "outline" : "default"} onClick={refresh} aria-disabled={pending}>
        Check again
      </Button>
      <p role="status" className="order-1 min-h-5 basis-full text-muted-foreground text-sm">
        {pending ? (
          "Checking…"
        ) : (
          <>
            Checked at <time dateTime={checkedAt}>{time(checkedAt)}</time>.{" "}
            {checkedAgain && (before.fingerprint === fingerprint ? "Nothing has changed." : changedText)}
          </>
        )}
      </p>
      <noscript className="order-1 basis-full">
        <p className="text-muted-foreground text-sm">Reload this page to check again.</p>
      </noscript>
      <div role="alert" className="order-1 basis-full empty:hidden">
        {failure !== null && <Alert>{failure}</Alert>}
      </div>
    </div>
  );
}
