"use client";

import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "@/components/ui/button";
import { lazyLoad } from "@/components/ui/lazy-load";
import { TextLink } from "@/components/ui/link";
import type { FormSubmit } from "@/lib/forms/form-state";
import { onSessionEnded, reportSessionRenewed } from "@/lib/forms/session-ended";

type SignedIn = { userId: string };
type PasswordSent = SignedIn & { needsCode: boolean };

// Not part of a page's first load, but there before a session ends.
const LoginForm = lazyLoad(async () => (await import("@/components/auth/login-form")).LoginForm<PasswordSent>, {
  whenIdle: true,
});
// Lazy-loaded, because few accounts have a second factor.
const CodeForm = lazy(async () => ({ default: (await import("@/components/auth/code-form")).CodeForm<SignedIn> }));

/**
 * Covers the page when the session has ended, until the same person has signed in again: everything is then as they left
 * it. For anyone else the page reloads. A native `<dialog>`: it lies over every other dialog.
 * It comes last in the body, because an open dialog hides everything that was there before it from assistive technology.
 */
export function SignInAgain({
  userId,
  email,
  signIn,
  sendCode,
}: {
  userId: string;
  email: string;
  signIn: FormSubmit<PasswordSent>;
  /** The second step, for accounts with a second factor. */
  sendCode: FormSubmit<SignedIn>;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Whose page it was. If someone else signs in, it is loaded again as theirs.
  const [ended, setEnded] = useState<SignedIn | null>(null);
  const [needsCode, setNeedsCode] = useState(false);
  const end = useEffectEvent(() => ended ?? setEnded({ userId }));
  useEffect(() => onSessionEnded(() => void end()), []);
  useEffect(() => {
    if (ended === null) return;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  }, [ended]);

  function goOn(signedIn: SignedIn) {
    if (signedIn.userId !== ended?.userId) return location.reload();
    dialog.current?.close(); // returns the focus
    setEnded(null);
    setNeedsCode(false);
    reportSessionRenewed();
  }

  if (ended === null) return null;
  return createPortal(
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
      {!needsCode && (
        <LoginForm
          signIn={signIn}
          next="/"
          problem={null}
          currentEmail={email}
          onSignedIn={(signedIn) => (signedIn.needsCode ? setNeedsCode(true) : goOn(signedIn))}
        />
      )}
      <Suspense>
        {needsCode && (
          <div className="flex flex-col gap-3">
            <CodeForm send={sendCode} submit={["Continue", "One moment…"]} onSent={goOn} />
            <Button variant="outline" onClick={() => setNeedsCode(false)}>
              Back to password
            </Button>
          </div>
        )}
      </Suspense>
      <p className="mt-4 border-t pt-3">
        <TextLink href="/login">Use another account</TextLink> (discards what you typed)
      </p>
    </dialog>,
    document.body,
  );
}
