import type { ReactNode } from "react";
import { Label } from "@/components/ui/label";

/**
 * A field with its label, hint and issue. Give the control the same id, and the attributes that `describedBy` returns for it.
 */
export function Field({
  id,
  label,
  issue,
  hint,
  children,
}: {
  id: string;
  label: string;
  issue?: string | undefined;
  hint?: string;
  children: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Label htmlFor={id}>{label}</Label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-muted-foreground text-sm">
          {hint}
        </p>
      )}
      {issue && (
        <p id={`${id}-issue`} className="text-destructive text-sm">
          {label} {issue}.
        </p>
      )}
    </div>
  );
}

/** The attributes that link a control to its issue and hint. */
export function describedBy(id: string, { issue, hint = false }: { issue: string | undefined; hint?: boolean }) {
  const ids = [issue && `${id}-issue`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return { "aria-invalid": issue !== undefined, ...(ids && { "aria-describedby": ids }) };
}
