import { CircleAlert, CircleQuestionMark } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/**
 * An error, or with `asks` a question before something is done. Put it into a live region that is in the document before the
 * text is.
 */
export function Alert({ asks = false, className, children, ...props }: ComponentProps<"div"> & { asks?: boolean }) {
  const Icon = asks ? CircleQuestionMark : CircleAlert;
  return (
    <div
      data-slot="alert"
      className={cn(
        "flex gap-2 rounded-md border px-3 py-2 text-sm",
        asks ? "border-warning-mark bg-muted" : "border-destructive/30 bg-destructive-soft text-destructive",
        className,
      )}
      {...props}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
