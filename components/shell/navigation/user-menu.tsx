"use client";

import { ChevronsUpDown, CircleUser, Keyboard, LogOut, Settings } from "lucide-react";
import { type ReactNode, useActionState } from "react";
import { forgetPages } from "@/components/shell/navigation/recent-pages";
import { requestSignOut, signOutFormId } from "@/components/shell/navigation/sign-out-form";
import { useUnsentQuestion } from "@/components/shell/navigation/use-unsent-question";
import { useShowScreenKeys } from "@/components/shell/screen-keys";
import { Alert } from "@/components/ui/alert";
import { Menu } from "@/components/ui/menu";
import { type FormState, type FormSubmit, initialFormState, lostConnection } from "@/lib/forms/form-state";

type Props = { userId: string; email: string; name: ReactNode; signOut: FormSubmit; placement: "above" | "below" };

/** Who is signed in, with shortcuts, account and sign-out. */
export function UserMenu({ userId, email, name, signOut, placement }: Props) {
  const [state, action] = useActionState<FormState, FormData>(
    (before, form) => signOut(before, form).catch(lostConnection),
    initialFormState,
  );
  const showKeys = useShowScreenKeys();
  const { interceptSubmit, question } = useUnsentQuestion(userId);

  return (
    <>
      <Menu
        title={email}
        className="flex h-8 w-full cursor-pointer items-center gap-2 rounded-md px-2 text-left hover:bg-muted pointer-coarse:h-11"
        side={placement === "above" ? "top" : "bottom"}
        align={placement === "above" ? "start" : "end"}
        header={
          <>
            Signed in as <span className="text-foreground">{email}</span>
          </>
        }
        entries={[
          { label: "Keyboard shortcuts", icon: Keyboard, shortcut: "Ctrl+/", onPick: showKeys },
          { label: "Account", icon: Settings, href: "/account" },
          { label: "Sign out", icon: LogOut, onPick: requestSignOut },
        ]}
      >
        <CircleUser aria-hidden className="mx-0.5 size-4 shrink-0 text-muted-foreground" />
        <span className="sr-only">Account: </span>
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
      </Menu>
      <form id={signOutFormId} hidden action={action} onSubmit={(event) => interceptSubmit(event) || forgetPages()} />
      <div role="alert">{state.error && <Alert>{state.error}</Alert>}</div>
      {question}
    </>
  );
}
