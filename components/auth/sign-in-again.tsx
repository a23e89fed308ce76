"use client";

import Link from "next/link";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { LoginForm } from "@/components/auth/login-form";
import type { FormSubmit } from "@/lib/forms/form-state";
import { onSessionEnded } from "@/lib/forms/session-ended";

/**
 * Covers the page when the session has ended, so that nobody reads on, until she has signed in again: then everything is
 * as she left it. For anybody else the page is loaded anew.
 */
export function SignInAgain({
  userId,
  email,
  signIn,
}: {
  userId: string;
  email: string;
  signIn: FormSubmit<{ userId: string }>;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Whose page it was: once somebody else has signed in, it is made anew as hers.
  const [ended, setEnded] = useState<{ userId: string } | null>(null);
  const end = useEffectEvent(() => dialog.current?.open || setEnded({ userId }));
  useEffect(() => onSessionEnded(() => void end()), []);
  useEffect(() => {
    if (ended === null) return;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  }, [ended]);

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
      {ended !== null && (
        <LoginForm
          signIn={signIn}
          next="/"
          problem={null}
          presentEmail={email}
          onSignedIn={(now) => {
            if (now.userId !== ended.userId) return location.reload();
            dialog.current?.close();
            setEnded(null);
          }}
        />
      )}
      <p className="mt-4 border-t pt-3">
        <Link href="/login" prefetch={false} className="text-primary underline underline-offset-2">
          Go to the sign-in page
        </Link>{" "}
        instead; what you typed here is lost.
      </p>
    </dialog>
  );
}
