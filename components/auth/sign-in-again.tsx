"use client";

import Link from "next/link";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { LoginForm } from "@/components/auth/login-form";
import { Button } from "@/components/ui/button";
import type { FormSubmit } from "@/lib/forms/form-state";
import { onSessionEnded } from "@/lib/forms/session-ended";

// Few have a second factor, and no page's first load has room for it.
const CodeForm = lazy(async () => ({ default: (await import("@/components/auth/code-form")).CodeForm<Now> }));
type Now = { userId: string };

/**
 * Covers the page when the session has ended, so that nobody reads on, until she has signed in again: then everything is
 * as she left it. For anybody else the page is loaded anew.
 */
export function SignInAgain({
  userId,
  email,
  signIn,
  showCode,
}: {
  userId: string;
  email: string;
  signIn: FormSubmit<Now & { asksCode: boolean }>;
  /** The second half, where the account has a second factor. */
  showCode: FormSubmit<Now>;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Whose page it was: once somebody else has signed in, it is made anew as hers.
  const [ended, setEnded] = useState<Now | null>(null);
  const [isHalf, setHalf] = useState(false);
  const end = useEffectEvent(() => dialog.current?.open || setEnded({ userId }));
  useEffect(() => onSessionEnded(() => void end()), []);
  useEffect(() => {
    if (ended === null) return;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  }, [ended]);

  function goOn(now: Now) {
    if (now.userId !== ended?.userId) return location.reload();
    dialog.current?.close();
    setEnded(null);
    setHalf(false);
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby="sign-in-again"
      aria-describedby="sign-in-again-why"
      closedby="none"
      className="m-auto w-88 max-w-[calc(100vw-2rem)] rounded-md border bg-popover p-4 shadow-popover backdrop:bg-background"
    >
      <h2 id="sign-in-again" className="font-semibold text-lg">
        Your session has ended
      </h2>
      <p id="sign-in-again-why" className="wrap-anywhere mt-1 mb-4 text-muted-foreground">
        Sign in again as {email}: everything is as you left it.
      </p>
      {ended !== null && !isHalf && (
        <LoginForm
          signIn={signIn}
          next="/"
          problem={null}
          presentEmail={email}
          onSignedIn={(now) => (now.asksCode ? setHalf(true) : goOn(now))}
        />
      )}
      <Suspense>
        {isHalf && (
          <div className="flex flex-col gap-3">
            <CodeForm send={showCode} submit={["Go on", "One moment…"]} onSent={goOn} />
            <Button variant="outline" onClick={() => setHalf(false)}>
              Begin again with the password
            </Button>
          </div>
        )}
      </Suspense>
      <p className="mt-4 border-t pt-3">
        <Link href="/login" prefetch={false} className="text-primary underline underline-offset-2">
          Go to the sign-in page
        </Link>{" "}
        instead; what you typed here is lost.
      </p>
    </dialog>
  );
}
