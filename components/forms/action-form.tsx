"use client";

import {
  type FormEvent,
  type ReactNode,
  startTransition,
  useActionState,
  useEffect,
  useEffectEvent,
  useRef,
} from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import { type FormState, type FormSubmit, unsent } from "@/lib/forms/form-state";
import { cn } from "@/lib/utils";

/**
 * A form that shows what its action answers. Once that is done it is empty again, and `onResult` gets the data. After an
 * error it keeps what was typed, unless it has `clearOnError`, and focus moves to the first field to fix.
 */
export function ActionForm<Result>({
  action,
  hidden = {},
  submit: [label, pendingLabel],
  variant = "default",
  className,
  problem = null,
  clearOnError = false,
  holdBack,
  onResult,
  children,
}: {
  action: FormSubmit<Result>;
  hidden?: Record<string, string>;
  /** What the button says, and what it says while the action runs. */
  submit: [label: string, pendingLabel: string];
  variant?: "default" | "outline";
  className?: string;
  /** Shown as an error until the action has answered. */
  problem?: string | null;
  clearOnError?: boolean;
  /** True when the form isn't to be sent now. */
  holdBack?: (event: FormEvent<HTMLFormElement>) => boolean;
  onResult?: (result: Result) => void;
  children?: (state: FormState<Result>) => ReactNode;
}) {
  const [state, send, pending] = useActionState<FormState<Result>, FormData>(action, unsent);
  const form = useRef<HTMLFormElement>(null);
  useSessionEnded(state);

  const giveResult = useEffectEvent((result: Result) => onResult?.(result));
  useEffect(() => {
    if (state === unsent) return;
    if (state.error === null || clearOnError) form.current?.reset();
    if (state.error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-first]")?.focus();
    else if (state.data !== undefined) giveResult(state.data);
  }, [state, clearOnError]);

  return (
    <form
      ref={form}
      action={send}
      // React empties the fields of an `action`, so this comes before it.
      onSubmit={(event) => {
        event.preventDefault();
        if (holdBack?.(event)) return;
        const typed = new FormData(event.currentTarget);
        if (!pending) startTransition(() => send(typed));
      }}
      className={cn("flex w-full flex-col gap-4", variant === "outline" && "items-start [&>div]:w-full", className)}
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children?.(state)}
      <Button type="submit" variant={variant} aria-disabled={pending}>
        {pending ? pendingLabel : label}
      </Button>
      <p role="status" className="wrap-anywhere empty:hidden">
        {pending ? null : state.message}
      </p>
      <FormError error={state.error ?? (state.message === null ? problem : null)} pending={pending} />
    </form>
  );
}
