import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/utils";

type Props = { id: string; label: string; issue?: string | undefined; hint?: string; children: ReactNode };

/**
 * A field with its label and its hint, or the issue in place of the hint. Give the control the same id, and the attributes
 * that `describedBy` returns for it.
 */
export function Field({ id, label, issue, hint, children }: Props) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Label htmlFor={id}>{label}</Label>
      {children}
      {hint && !issue && (
        <p id={`${id}-hint`} className="text-muted-foreground text-sm">
          {hint}
        </p>
      )}
      {issue && (
        <p id={`${id}-issue`} className="text-destructive text-sm">
          {/^[A-Z]/.test(issue) ? issue : `${label.replace(/ \((optional|required)\)$/, "")} ${issue}`}.
        </p>
      )}
    </div>
  );
}

/** The attributes that link a control to its issue or hint. */
export function describedBy(id: string, { issue, hint = false }: { issue: string | undefined; hint?: boolean }) {
  const describedById = issue ? `${id}-issue` : hint && `${id}-hint`;
  return { "aria-invalid": issue !== undefined, ...(describedById && { "aria-describedby": describedById }) };
}

export function Label({ className, htmlFor, ...props }: ComponentProps<"label"> & { htmlFor: string }) {
  // biome-ignore lint/a11y/noLabelWithoutControl: its text comes with the children
  return <label data-slot="label" htmlFor={htmlFor} className={cn("font-medium text-sm", className)} {...props} />;
}

/** A control in its label, which is above it. */
export function Labeled({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control comes with the children
    <label className={cn("flex min-w-0 flex-col gap-1", className)}>
      <span className="font-medium text-sm">{label}</span>
      {children}
    </label>
  );
}
