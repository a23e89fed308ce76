"use client";

import { ChevronsUpDown, CircleUser, Keyboard, LogOut, Settings } from "lucide-react";
import Link from "next/link";
import { useActionState, useId, useRef } from "react";
import { forgetPages } from "@/components/shell/recent-pages";
import { useShowScreenKeys } from "@/components/shell/screen-keys";
import { useUnsentQuestion } from "@/components/shell/use-unsent-question";
import { Alert } from "@/components/ui/alert";
import { Kbd } from "@/components/ui/kbd";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";
import { cn } from "@/lib/utils";

const itemClass =
  "flex h-8 w-full cursor-pointer items-center gap-2 rounded-md px-2 text-left hover:bg-muted pointer-coarse:h-11 [&>svg]:size-4 [&>svg]:text-muted-foreground";

/** Who is signed in, and the way out. */
export function UserMenu({
  userId,
  email,
  signOut,
  placement,
}: {
  userId: string;
  email: string;
  signOut: FormSubmit;
  placement: "above" | "below";
}) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const [state, action, pending] = useActionState(signOut, unsent);
  const showKeys = useShowScreenKeys();
  const { holdBack, question } = useUnsentQuestion(userId);

  return (
    <>
      <button type="button" popoverTarget={id} title={email} className={itemClass}>
        <CircleUser aria-hidden className="mx-0.5 shrink-0" />
        <span className="sr-only">Account: </span>
        <span className="min-w-0 flex-1 truncate">{email}</span>
        <ChevronsUpDown aria-hidden className="size-3.5! shrink-0" />
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        className={cn(
          "m-0 w-64 max-w-[calc(100vw-1rem)] rounded-md border bg-popover p-1 shadow-popover",
          placement === "above" ? "popover-above-start" : "popover-below-end",
        )}
      >
        <p className="wrap-anywhere px-2 py-1.5 text-muted-foreground text-sm">
          Signed in as <span className="text-foreground">{email}</span>
        </p>
        <button
          type="button"
          className={cn(itemClass, "pointer-coarse:hidden")}
          onClick={() => {
            popover.current?.hidePopover();
            showKeys();
          }}
        >
          <Keyboard aria-hidden />
          <span className="flex-1">Keys of this screen</span>
          <Kbd>?</Kbd>
        </button>
        <Link href="/account" prefetch={false} className={itemClass}>
          <Settings aria-hidden />
          Account
        </Link>
        <form action={action} onSubmit={(event) => holdBack(event) || forgetPages()}>
          <button type="submit" aria-disabled={pending} className={itemClass}>
            <LogOut aria-hidden />
            {pending ? "Signing out…" : "Sign out"}
          </button>
        </form>
        <div role="alert">{state.error && <Alert className="mt-1">{state.error}</Alert>}</div>
      </div>
      {question}
    </>
  );
}
